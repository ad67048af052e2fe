import { rowsField, textFields } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/enrollment';
import { defineOperation, defineResource } from '../framework/operation';

import { account_id } from './ids';

/** What every status update asks for (the service's document: status update item). */
const { school_id, course_code, status, updated_at, ...ofUpdates } = textFields({
	school_id: {
		placeholder: 'e.g. 9b2e1f00-0000-4000-8000-00000000005c',
		description:
			'The GUID that the service gives the school, not your own ID: Get Schools and Get Courses return it',
	},
	course_code: {
		placeholder: 'e.g. MATH-5',
		description: 'The code of the course, as Get Courses returns it',
	},
	status: {
		placeholder: 'e.g. cancelled',
		description:
			'The new enrollment status. The service does not show which values it allows: ask its operator.',
	},
	updated_at: {
		placeholder: 'e.g. 2026-03-09T12:30:00Z',
		description: 'When the status changed, in UTC. Now when empty.',
	},
	notes: {
		typeOptions: { rows: 3 },
		placeholder: 'e.g. Moved to another city',
		description: 'At most 512 characters',
	},
	operator: {
		placeholder: 'e.g. Front office',
		description: 'The name of the person who changes the status',
	},
	payer_id: {
		placeholder: 'e.g. 6f1c2d3e-0000-4000-8000-0000000000a2',
		description: 'The account ID of the payer',
	},
});

const additionalFields = { ...ofUpdates, updated_at };

const userIdField = (description: string) =>
	textFields({ user_id: { placeholder: 'e.g. 0c7d9a10-0000-4000-8000-0000000000b3', description } });

const namedPersonFields = textFields({
	date_of_birth: {
		placeholder: 'e.g. 2010-12-31',
		description:
			'The day of birth. The service does not show in which form: a time behind a date is cut off, anything else is sent as it is.',
	},
	document: { placeholder: 'e.g. 00000000191', description: 'The number of the identity document' },
	document_type: {
		placeholder: 'e.g. TAX_ID',
		description:
			'The type of the identity document, as the service calls it; for a CPF, its type for tax IDs',
	},
	email: { placeholder: 'e.g. name@email.com' },
	external_id: { placeholder: 'e.g. student-1042', description: 'Your own ID of the person' },
	name: { placeholder: 'e.g. Nathan Smith' },
	phone: { placeholder: 'e.g. 11955550123', description: 'The mobile number' },
});

const responsible = rowsField(
	{
		displayName: 'Responsible Persons',
		name: 'responsibles',
		typeOptions: { multipleValues: true },
		description: 'The responsible persons of the student',
	},
	'responsible',
	Object.values({ ...namedPersonFields, ...userIdField('The user ID of the responsible person') }),
	'Responsible Person',
);

export const enrollment = defineResource({
	name: 'enrollment',
	description: 'Courses of accounts and their enrollment status',
	operations: [
		defineOperation({
			...calls.getCourses,
			name: 'getCourses',
			action: 'Get courses of account',
			description: 'Get the courses of an account with their enrollment status, one item for each',
			fields: { account_id },
		}),
		defineOperation({
			...calls.updateByAccount,
			name: 'updateByAccount',
			label: 'Update by Account',
			action: 'Update enrollment status by account',
			description:
				'Set the enrollment status of a course of an account. Items for the same account travel in one request.',
			fields: { account_id, school_id, course_code, status },
			additionalFields,
			pathFields: ['account_id'],
		}),
		defineOperation({
			...calls.updateByUser,
			name: 'updateByUser',
			label: 'Update by User',
			action: 'Update enrollment status by user',
			description:
				'Set the enrollment status of a course of a user. Items for the same user travel in one request.',
			fields: {
				...userIdField('The ID of the user within the school, as access events and Get Account return it'),
				...{ school_id, course_code, status },
			},
			additionalFields,
			pathFields: ['user_id'],
		}),
		defineOperation({
			...calls.postCourseStatus,
			name: 'postCourseStatus',
			action: 'Post enrollment status of student in course',
			description:
				'Tell the service that the enrollment status of a student in a course of a school has changed',
			fields: {
				...{ school_id, course_code },
				...userIdField('The GUID of the student'),
				...{ status, responsible },
			},
			additionalFields: { ...namedPersonFields, updated_at },
		}),
	],
});
