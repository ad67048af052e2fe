/** The message that the enrollment status of a student in a course of a school has changed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import { asked, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

let known: Facts['courses'][number];
beforeAll(async () => {
	[known] = (await workroom.admin.facts()).courses;
});

const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NO_TIME = 'must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z';
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

const message = (change: INodeParameters = {}): INodeParameters => ({
	resource: 'enrollment',
	operation: 'postCourseStatus',
	schoolId: known.schoolId,
	courseCode: known.code,
	userId: known.userId,
	status: 'CONFIRMED',
	...change,
});

const statusOf = async () =>
	(await workroom.admin.courses({ accountId: known.accountId })).items.find(({ code }) => code === known.code)
		?.status;

describe('A course status message', () => {
	test('is taken from the item, its responsible persons included', async () => {
		const row = {
			school_id: known.schoolId,
			course_code: known.code,
			user_id: known.userId,
			status: 'CONFIRMED',
			name: 'Nina Torres',
			phone: 11955550101,
			date_of_birth: '2015-03-09',
			updated_at: '2026-03-09T12:30:00Z',
			responsible: [
				{ name: 'Marina Torres', document_type: 'TAX_ID', document: '00000000191', colour: 'red' },
			],
			shoe_size: 33,
		};
		const { error } = await workroom.run(
			{ resource: 'enrollment', operation: 'postCourseStatus', dataMode: 'autoMapInputData' },
			[row],
		);
		expect(error).toBeUndefined();
		expect((await workroom.received('/enrollment/')).map(asked)).toEqual([
			{
				method: 'POST',
				path: `/enrollment/v1/schools/${known.schoolId}/courses/${known.code}/status`,
				query: {},
				body: {
					data: {
						school_id: known.schoolId,
						course_code: known.code,
						user_id: known.userId,
						status: 'CONFIRMED',
						name: 'Nina Torres',
						phone: '11955550101',
						date_of_birth: '2015-03-09',
						updated_at: '2026-03-09T12:30:00Z',
						responsible: [{ name: 'Marina Torres', document_type: 'TAX_ID', document: '00000000191' }],
					},
				},
			},
		]);
		expect(await statusOf()).toBe('CONFIRMED');
	});

	test('of one student and course goes after the one before it in the input, also when that has to be sent again', async () => {
		await workroom.admin.addFault({ method: 'POST', path: '/enrollment/', times: 1 }, { status: 429 });
		const rows = ['SUSPENDED', 'CONFIRMED', 'CANCELLED'].map((status) => ({ status }));
		const { error } = await workroom.run(message({ status: '={{ $json.status }}' }), rows);
		expect(error).toBeUndefined();
		const sent = await workroom.received('/enrollment/');
		expect(sent.map(({ body }) => (body as { data: IDataObject }).data.status)).toEqual([
			'SUSPENDED',
			'SUSPENDED',
			'CONFIRMED',
			'CANCELLED',
		]);
	});

	test('has its course code as one segment of the path', async () => {
		await workroom.admin.addFault({ method: 'POST', path: '/enrollment/' }, { status: 200 });
		await workroom.run(message({ courseCode: 'MATH/5 é?' }));
		const [{ path, body }] = await workroom.received('/enrollment/');
		expect(path).toBe(`/enrollment/v1/schools/${known.schoolId}/courses/MATH%2F5%20%C3%A9%3F/status`);
		expect((body as { data: IDataObject }).data.course_code).toBe('MATH/5 é?');
	});

	test('passes a date of birth on as it is written, and cuts the time off a moment', async () => {
		const { error } = await workroom.run(
			message({
				additionalFields: { dateOfBirth: '09/03/2015' },
				responsibles: {
					responsible: [{ dateOfBirth: 'Feb 1984' }, { dateOfBirth: '1984-02-11T00:00:00-03:00' }],
				},
			}),
		);
		expect(error).toBeUndefined();
		const [{ body }] = await workroom.received('/enrollment/');
		expect((body as { data: IDataObject }).data).toMatchObject({
			date_of_birth: '09/03/2015',
			responsible: [{ date_of_birth: 'Feb 1984' }, { date_of_birth: '1984-02-11' }],
		});
	});

	test.each([
		['an empty status', { status: '={{ "" }}' }, 'Status must not be empty'],
		['a user that is no GUID', { userId: 'student-1' }, `User ID ${NO_GUID}`],
		['the empty GUID for a user', { userId: EMPTY_GUID }, 'User ID cannot be an empty GUID'],
		['a school that is no GUID', { schoolId: 'school-001' }, `School ID ${NO_GUID}`],
		['the course code ".."', { courseCode: '..' }, 'Course Code must not be "." or ".."'],
		[
			'a time without a zone',
			{ additionalFields: { updatedAt: '2026-03-09T12:30:00' } },
			`Updated At ${NO_TIME}`,
		],
		[
			'a date of birth of a responsible person that is a list',
			{ responsibles: { responsible: [{ name: 'A' }, { dateOfBirth: '={{ [1984] }}' }] } },
			'Entry 2 of Responsible Persons: Date of Birth must be text, but is a list',
		],
	])('with %s is refused by name, and nothing is sent', async (_what, change, finding) => {
		const { message: words } = wordsOf(await workroom.run(message(change)));
		expect(words).toBe(`${finding} [Item 0]`);
		expect(await workroom.admin.countRequests()).toBe(0);
	});

	test('of the own fields of an item is refused by the names that the item has', async () => {
		const { schoolId: school_id, code: course_code, userId: user_id } = known;
		const responsible = [{ name: 'A' }, { date_of_birth: [1984] }];
		const { message: words } = wordsOf(
			await workroom.run(
				{ resource: 'enrollment', operation: 'postCourseStatus', dataMode: 'autoMapInputData' },
				[{ school_id, course_code, user_id, status: 'x', responsible }],
			),
		);
		expect(words).toBe(
			'Entry 2 of the field "responsible" of the input item: "date_of_birth" must be text, but is a list [Item 0]',
		);
	});

	test('that may have arrived is not sent again, and says that the record may exist', async () => {
		await workroom.admin.addFault({ method: 'POST', path: '/enrollment/' }, { drop: 'after' });
		const { message: words } = wordsOf(await workroom.run(message()));
		expect(words).toBe(
			'The connection to the service ended before its answer was complete. The record may exist all the same [Item 0]',
		);
		expect(await workroom.received('/enrollment/')).toHaveLength(1);
	});
});
