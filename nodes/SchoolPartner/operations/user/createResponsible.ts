import * as calls from '../../../shared/calls/provisioning';
import { personAdditionalFields, personFields } from '../../fields/person';
import { defineOperation } from '../../framework/operation';

import { userFields } from './fields';

export const createResponsible = defineOperation({
	...calls.createResponsible,
	name: 'createResponsible',
	label: 'Create Responsible',
	action: 'Create responsible person',
	description: 'Create a responsible person (parent or guardian). Create responsibles before their students.',
	fields: personFields('responsible-77'),
	additionalFields: personAdditionalFields,
	itemFields: userFields,
});
