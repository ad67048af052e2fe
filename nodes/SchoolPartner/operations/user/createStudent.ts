import * as calls from '../../../shared/calls/provisioning';
import { personAdditionalFields, personFields, responsibleExternalIds } from '../../fields/person';
import { otherProfiles } from '../../fields/profile';
import { defineOperation } from '../../framework/operation';

import { userFields } from './fields';

export const createStudent = defineOperation({
	...calls.createStudent,
	name: 'createStudent',
	label: 'Create Student',
	action: 'Create student',
	description: 'Create a student and link it to its responsible persons, which must exist already',
	fields: { ...personFields('student-1042'), responsible_external_id: responsibleExternalIds },
	additionalFields: { ...personAdditionalFields, other_profiles: otherProfiles },
	itemFields: userFields,
});
