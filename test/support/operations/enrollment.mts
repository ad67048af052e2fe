/** "Enrollment API" of the service's document. */
import { courseOfAccount } from '../../../sandbox/document/enrollment.mts';
import type { Known, Labels, OperationRow } from './row.mts';

const TIME = '2026-03-09T12:30:00Z';

const update: Labels = { schoolId: 'School ID *', courseCode: 'Course Code *', status: 'Status *' };
const updateFields: Labels = {
	notes: 'Notes',
	operator: 'Operator',
	payerId: 'Payer ID',
	updatedAt: 'Updated At',
};
const personFields: Labels = {
	dateOfBirth: 'Date of Birth',
	document: 'Document',
	documentType: 'Document Type',
	email: 'Email',
	externalId: 'External ID',
	name: 'Name',
	phone: 'Phone',
};

const person = {
	dateOfBirth: '2015-03-09',
	document: '00000000191',
	documentType: 'TAX_ID',
	email: 'nina.torres@families.example',
	externalId: 'student-1042',
	name: 'Nina Torres',
	phone: '11955550101',
};
const personSent = {
	date_of_birth: '2015-03-09',
	document: '00000000191',
	document_type: 'TAX_ID',
	email: 'nina.torres@families.example',
	external_id: 'student-1042',
	name: 'Nina Torres',
	phone: '11955550101',
};

/** An update of one enrollment, of an account or of a user. */
function updating(
	operation: string,
	title: string,
	id: 'accountId' | 'userId',
	folder: string,
): OperationRow {
	return {
		resource: 'enrollment',
		operation,
		title: `Enrollment: ${title}`,
		fields: { [id]: id === 'accountId' ? 'Account ID *' : 'User ID *', ...update },
		additionalFields: updateFields,
		effect: 'write',
		inPath: [id],
		merged: true,
		run: ({ schoolId, courseCode, responsibleAccountId: payer, ...known }: Known) => {
			const more = { notes: 'Moved away', operator: 'Front office' };
			return {
				values: {
					...{ [id]: known[id], schoolId, courseCode, status: 'cancelled' },
					additionalFields: { ...more, payerId: payer, updatedAt: TIME },
				},
				sends: [
					[
						`PUT /enrollment/v1/${folder}/${known[id]}`,
						{
							data: [
								{
									school_id: schoolId,
									course_code: courseCode,
									status: 'cancelled',
									...more,
									payer_id: payer,
									updated_at: TIME,
								},
							],
						},
					],
				],
			};
		},
	};
}

export const enrollment: OperationRow[] = [
	{
		resource: 'enrollment',
		operation: 'getCourses',
		title: 'Enrollment: Get Courses',
		fields: { accountId: 'Account ID *' },
		effect: 'read',
		run: ({ accountId }) => ({
			values: { accountId },
			sends: [[`GET /enrollment/v1/accounts/${accountId}/courses`, {}]],
			gives: courseOfAccount,
		}),
	},
	updating('updateByAccount', 'Update by Account', 'accountId', 'accounts'),
	updating('updateByUser', 'Update by User', 'userId', 'user'),
	{
		resource: 'enrollment',
		operation: 'postCourseStatus',
		title: 'Enrollment: Post Course Status',
		fields: {
			schoolId: 'School ID *',
			courseCode: 'Course Code *',
			userId: 'User ID *',
			status: 'Status *',
			responsibles: 'Responsible Persons',
		},
		additionalFields: { ...personFields, updatedAt: 'Updated At' },
		entries: { responsibles: { responsible: { ...personFields, userId: 'User ID' } } },
		options: ['retryCreationsOn503'],
		effect: 'write',
		run: ({ schoolId, courseCode, userId }) => ({
			values: {
				...{ schoolId, courseCode, userId, status: 'cancelled' },
				additionalFields: { ...person, updatedAt: TIME },
				responsibles: { responsible: [{ ...person, userId }] },
			},
			sends: [
				[
					`POST /enrollment/v1/schools/${schoolId}/courses/${courseCode}/status`,
					{
						data: {
							school_id: schoolId,
							course_code: courseCode,
							user_id: userId,
							status: 'cancelled',
							...personSent,
							updated_at: TIME,
							responsible: [{ ...personSent, user_id: userId }],
						},
					},
				],
			],
		}),
	},
];
