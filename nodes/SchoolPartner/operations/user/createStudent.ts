import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/provisioning';
import { personAdditionalFields, personFields } from '../../fields/person';
import { defineOperation } from '../../framework/operation';

const responsibleExternalIds: INodeProperties = {
	displayName: 'Responsible External IDs',
	name: 'responsibleExternalIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. responsible-77, responsible-78',
	description:
		'Your own IDs of the responsible users of the student, with commas between them, or an expression that gives a list. They must have been created before.',
};

export const createStudent = defineOperation({
	...calls.createStudent,
	name: 'createStudent',
	label: 'Create Student',
	action: 'Create student',
	description: 'Create a student and link it to its responsible persons, which must exist already',
	fields: { ...personFields('student-1042'), responsible_external_id: responsibleExternalIds },
	additionalFields: personAdditionalFields,
});
