import { responsibleCreation } from '../../../shared/contract/provisioning';
import { personAdditionalFields, personFields } from '../../fields/person';
import { defineOperation } from '../../framework/operation';

import { USER_PATH } from './userPath';

export const createResponsible = defineOperation({
	name: 'createResponsible',
	label: 'Create Responsible',
	action: 'Create responsible person',
	description: 'Create a responsible person (parent or guardian). Create responsibles before their students.',
	effect: 'write',
	fields: personFields('responsible-77'),
	additionalFields: personAdditionalFields,
	contract: responsibleCreation,
	work: {
		kind: 'request',
		request: (person) => ({ method: 'POST', path: USER_PATH, body: { ...person, profiles: ['responsible'] } }),
		answer: { shape: 'anything' },
	},
});
