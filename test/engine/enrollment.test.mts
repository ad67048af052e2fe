/** Courses of accounts and status updates: what is sent, refused, and given back. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Facts, FaultAction } from '../../sandbox/admin-types.mts';
import { asked, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

let facts: Facts;
let known: Facts['courses'][number];
beforeAll(async () => {
	facts = await workroom.admin.facts();
	[known] = facts.courses;
});

const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';
const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NO_TIME = 'must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z';
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

const courses = () => ({ resource: 'enrollment', operation: 'getCourses', accountId: known.accountId });

const update = (operation: string, change: INodeParameters = {}): INodeParameters => ({
	resource: 'enrollment',
	operation,
	...(operation === 'updateByUser' ? { userId: known.userId } : { accountId: known.accountId }),
	schoolId: known.schoolId,
	courseCode: known.code,
	status: 'CANCELLED',
	...change,
});

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

describe('The courses of an account', () => {
	const course = { code: 'MATH-5', name: 'Mathematics', year: 2026, status: 'ENROLLED', seats: 30 };

	test('come as one item each, with the fields of the document', async () => {
		const { outputs } = await workroom.run(courses());
		const { items } = await workroom.admin.courses({ accountId: known.accountId });
		expect(outputs[0].map(({ json, pairedItem }) => [json.code, json.status, pairedItem])).toEqual(
			items.map(({ code, status }) => [code, status, { item: 0 }]),
		);
		expect(Object.keys(outputs[0][0].json)).toEqual([
			'school_id',
			'code',
			'name',
			'grade_id',
			'grade',
			'educational_stage_id',
			'educational_stage',
			'year',
			'shift_id',
			'shift',
			'status',
		]);
	});

	test('keep fields that the document does not name', async () => {
		await workroom.admin.addFault({ path: '/enrollment/' }, { body: { data: [course] } });
		expect((await workroom.run(courses())).items).toEqual([course]);
	});

	test('are what the service sent, as one item, when Simplify is off', async () => {
		const body = { data: [course, course], page: 1 };
		await workroom.admin.addFault({ path: '/enrollment/' }, { body });
		expect((await workroom.run({ ...courses(), simplify: false })).items).toEqual([body]);
	});
});

describe.each(['updateByAccount', 'updateByUser'])('A status update (%s)', (operation) => {
	const segment = operation === 'updateByUser' ? 'user' : 'accounts';
	const id = () => (operation === 'updateByUser' ? known.userId : known.accountId);

	test('is a PUT of a list, and changes the status', async () => {
		await workroom.storeToken();
		const additionalFields = {
			notes: 'Moves away',
			operator: 'Elvina Dornelo',
			payerId: facts.responsibles[0].accountId,
			updatedAt: '2026-03-09T12:30:00Z',
		};
		const { outputs } = await workroom.run(update(operation, { additionalFields }));
		const requests = await workroom.received();
		expect(requests.map(asked)).toEqual([
			{
				method: 'PUT',
				path: `/enrollment/v1/${segment}/${id()}`,
				query: {},
				body: {
					data: [
						{
							school_id: known.schoolId,
							course_code: known.code,
							status: 'CANCELLED',
							payer_id: facts.responsibles[0].accountId,
							operator: 'Elvina Dornelo',
							notes: 'Moves away',
							updated_at: '2026-03-09T12:30:00Z',
						},
					],
				},
			},
		]);
		expect(requests[0].headers).toMatchObject({
			'content-type': 'application/json',
			authorization: expect.stringMatching(/^Bearer /) as string,
		});
		expect(outputs[0]).toEqual([{ json: { updated: 1 }, pairedItem: { item: 0 } }]);
		expect(await statusOf()).toBe('CANCELLED');
	});

	test('leaves empty fields out, and is made now', async () => {
		const before = Date.now() - 1_000;
		const additionalFields = { notes: '', operator: ' ', payerId: '', updatedAt: '' };
		await workroom.run(update(operation, { additionalFields }));
		const [{ body }] = await workroom.received('/enrollment/');
		const [{ updated_at, ...rest }] = (body as { data: Array<Record<string, string>> }).data;
		expect(rest).toEqual({ school_id: known.schoolId, course_code: known.code, status: 'CANCELLED' });
		expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
		expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(before);
	});

	test("is taken from the item's own fields, unknown ones left out", async () => {
		const { schoolId, courseCode, status, ...ids } = update(operation, { dataMode: 'autoMapInputData' });
		const row = {
			school_id: schoolId,
			course_code: courseCode,
			status,
			notes: 'From the sheet',
			operator: '',
			updated_at: '2026-03-09T12:30:00Z',
			shoe_size: 33,
			accountId: 'not this one',
			user_id: 'not this one',
		};
		const { error } = await workroom.run(ids, [row] as IDataObject[]);
		expect(error).toBeUndefined();
		const [{ path, body }] = await workroom.received('/enrollment/');
		expect(path).toBe(`/enrollment/v1/${segment}/${id()}`);
		expect(body).toEqual({
			data: [
				{
					school_id: known.schoolId,
					course_code: known.code,
					status: 'CANCELLED',
					notes: 'From the sheet',
					updated_at: '2026-03-09T12:30:00Z',
				},
			],
		});
	});

	test('takes notes of 512 emoji, which arrive whole', async () => {
		const notes = '😀'.repeat(512);
		await workroom.admin.addFault({ method: 'PUT' }, { status: 200 });
		const { error } = await workroom.run(update(operation, { additionalFields: { notes } }));
		expect(error).toBeUndefined();
		const [{ body }] = await workroom.received('/enrollment/');
		expect((body as { data: IDataObject[] }).data[0].notes).toBe(notes);
	});

	const idLabel = operation === 'updateByUser' ? 'User ID' : 'Account ID';
	const wrong: Array<[string, IDataObject, string]> = [
		['notes of 513 characters', { notes: 'n'.repeat(513) }, 'Notes must be at most 512 characters long'],
		['an empty status', { status: '' }, 'Status must not be empty'],
		['a blank status', { status: ' ' }, 'Status must not be empty'],
		['a time without a zone', { time: '2026-03-09T12:30:00' }, `Updated At ${NO_TIME}`],
		['a time of another zone', { time: '2026-03-09T12:30:00-03:00' }, `Updated At ${NO_TIME}`],
		['an empty course code', { course: '' }, 'Course Code must not be empty'],
		['a school that is no GUID', { school: 'school-001' }, `School ID ${NO_GUID}`],
		['the empty GUID for a school', { school: EMPTY_GUID }, 'School ID cannot be an empty GUID'],
		['a payer of 37 characters', { payer: 'x'.repeat(37) }, 'Payer ID must be at most 36 characters long'],
		['an empty id', { id: '' }, `${idLabel} must not be empty`],
		['the id "."', { id: '.' }, `${idLabel} must not be "." or ".."`],
		['the id ".."', { id: '..' }, `${idLabel} must not be "." or ".."`],
		...(operation === 'updateByAccount'
			? ([
					['an id with a slash', { id: 'a/b' }, 'Account ID must not hold a slash'],
					['an id of 37 characters', { id: 'x'.repeat(37) }, 'Account ID must be at most 36 characters long'],
				] as Array<[string, IDataObject, string]>)
			: []),
	];

	test.each(wrong)(
		'with %s is refused by name, and only the other item is sent',
		async (_what, change, finding) => {
			const right = {
				id: id(),
				school: known.schoolId,
				course: known.code,
				status: 'PAUSED',
				notes: '',
				time: '',
				payer: '',
			};
			const items = [{ ...right, ...change }, right] as IDataObject[];
			const { outputs } = await workroom.run(
				update(operation, {
					[operation === 'updateByUser' ? 'userId' : 'accountId']: '={{ $json.id }}',
					schoolId: '={{ $json.school }}',
					courseCode: '={{ $json.course }}',
					status: '={{ $json.status }}',
					additionalFields: {
						notes: '={{ $json.notes }}',
						payerId: '={{ $json.payer }}',
						updatedAt: '={{ $json.time }}',
					},
				}),
				items,
				{ onError: 'continueErrorOutput' },
			);
			expect(outputs[1]).toEqual([
				{
					json: {
						...items[0],
						error: `${finding} [Item 0]\n${NOTHING_SENT}`,
						failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
			const seen = await workroom.received('/enrollment/');
			expect(seen.map(({ path, body }) => [path, (body as { data: unknown[] }).data.length])).toEqual([
				[`/enrollment/v1/${segment}/${id()}`, 1],
			]);
		},
	);

	test('in the item itself is refused by the name of its field', async () => {
		const { schoolId, courseCode, ...ids } = update(operation, { dataMode: 'autoMapInputData' });
		const row = { school_id: schoolId, course_code: courseCode, status: '' };
		expect(wordsOf(await workroom.run(ids, [row] as IDataObject[])).message).toBe(
			'The field "status" of the input item must not be empty [Item 0]',
		);
		expect(await workroom.admin.countRequests()).toBe(0);
	});
});

/** "Enrollment endpoints" of the document's section Errors. */
const refusals: Array<[string, FaultAction, string, string]> = [
	[
		'400: Errors with Code and Message',
		{
			status: 400,
			body: {
				Errors: [
					{ Code: 'ENRL-0001', Message: 'There is no such course.' },
					{ Code: 'ENRL-0002', Message: 'The payer is unknown.' },
				],
			},
		},
		'The service refuses the data (400): ENRL-0001: There is no such course.',
		'ENRL-0002: The payer is unknown.',
	],
	['401 without a body', { status: 401 }, 'The service does not accept the token (401)', 'Check Client ID'],
	[
		'500: Errors with the number 500 for a code, and a status line that says Bad Request',
		{
			status: 500,
			statusMessage: 'Bad Request',
			body: { Errors: [{ Code: 500, Message: 'The request could not be completed at the moment.' }] },
		},
		'The service could not complete the request (500): 500: The request could not be completed at the moment.',
		'Run the item again later.',
	],
	[
		'the same, where Bad Request is the status as well',
		{
			status: 400,
			body: { Errors: [{ Code: 500, Message: 'The request could not be completed at the moment.' }] },
		},
		'The service could not complete the request (500): 500: The request could not be completed at the moment.',
		'Run the item again later.',
	],
];

describe('A refusal is told in the words of the service', () => {
	test.each(refusals)('%s', async (_what, answer, words, advice) => {
		await workroom.admin.addFault({ path: '/enrollment/' }, answer);
		for (const parameters of [courses(), update('updateByAccount'), update('updateByUser'), message()]) {
			const told = wordsOf(await workroom.run(parameters));
			expect(told.message).toBe(`${words} [Item 0]`);
			expect(told.description.startsWith(advice)).toBe(true);
		}
	});
});
