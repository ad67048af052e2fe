import * as calls from '../../../shared/calls/provisioning';
import { personAdditionalFields, personFields, responsibleExternalIds } from '../../fields/person';
import { profiles } from '../../fields/profile';
import { defineOperation } from '../../framework/operation';

import { userFields } from './fields';

const { birth_date, document_type, document_value, ...needed } = personFields('educator-12');

export const create = defineOperation({
	...calls.createUser,
	name: 'create',
	label: 'Create',
	action: 'Create user',
	description: 'Create a user with any profiles, such as an educator or a coordinator',
	// What has to be filled in comes first.
	fields: { ...needed, profiles, birth_date, document_type, document_value },
	additionalFields: { ...personAdditionalFields, responsible_external_id: responsibleExternalIds },
	itemFields: userFields,
});
