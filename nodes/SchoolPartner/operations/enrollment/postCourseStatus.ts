import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/enrollment';
import { courseCode, schoolId, status, updatedAt } from '../../fields/enrollment';
import { defineOperation, type PanelFields } from '../../framework/operation';

const userId: INodeProperties = {
	displayName: 'User ID',
	name: 'userId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0c7d9a10-0000-4000-8000-0000000000b3',
	description: 'The GUID of the student',
};

const dateOfBirth: INodeProperties = {
	displayName: 'Date of Birth',
	name: 'dateOfBirth',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2010-12-31',
	description:
		'The day of birth. The service does not show in which form: a time behind a date is cut off, anything else is sent as it is.',
};

const document: INodeProperties = {
	displayName: 'Document',
	name: 'document',
	type: 'string',
	default: '',
	placeholder: 'e.g. 00000000191',
	description: 'The number of the identity document',
};

const documentType: INodeProperties = {
	displayName: 'Document Type',
	name: 'documentType',
	type: 'string',
	default: '',
	placeholder: 'e.g. TAX_ID',
	description: 'The type of the identity document, as the service calls it; for a CPF, its type for tax IDs',
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
};

const externalId: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	placeholder: 'e.g. student-1042',
	description: 'Your own ID of the person',
};

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
};

const phone: INodeProperties = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	default: '',
	placeholder: 'e.g. 11955550123',
	description: 'The mobile number',
};

const personFields: PanelFields = {
	date_of_birth: dateOfBirth,
	document,
	document_type: documentType,
	email,
	external_id: externalId,
	name,
	phone,
};

const responsibles: INodeProperties = {
	displayName: 'Responsible Persons',
	name: 'responsibles',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Responsible Person',
	default: {},
	description: 'The responsible persons of the student',
	options: [
		{
			displayName: 'Responsible Person',
			name: 'responsible',
			values: [
				...Object.values(personFields),
				{ ...userId, required: false, description: 'The user ID of the responsible person' },
			],
		},
	],
};

export const postCourseStatus = defineOperation({
	...calls.postCourseStatus,
	name: 'postCourseStatus',
	label: 'Post Course Status',
	action: 'Post enrollment status of student in course',
	description: 'Tell the service that the enrollment status of a student in a course of a school has changed',
	fields: {
		school_id: schoolId,
		course_code: courseCode,
		user_id: userId,
		status,
		responsible: responsibles,
	},
	additionalFields: { ...personFields, updated_at: updatedAt },
});
