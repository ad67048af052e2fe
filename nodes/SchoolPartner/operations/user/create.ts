import { userCreation } from '../../../shared/contract/provisioning';
import { personAdditionalFields, personFields } from '../../fields/person';
import { profiles } from '../../fields/profile';
import { defineOperation } from '../../framework/operation';

import { USER_PATH } from './userPath';

const { birth_date, document_type, document_value, ...needed } = personFields('educator-12');

export const create = defineOperation({
	name: 'create',
	label: 'Create',
	action: 'Create user',
	description: 'Create a user with any profiles, such as an educator or a coordinator',
	effect: 'write',
	// What has to be filled in comes first.
	fields: { ...needed, profiles, birth_date, document_type, document_value },
	additionalFields: personAdditionalFields,
	contract: userCreation,
	work: {
		kind: 'request',
		request: (body) => ({ method: 'POST', path: USER_PATH, body }),
		answer: { shape: 'anything' },
	},
});
