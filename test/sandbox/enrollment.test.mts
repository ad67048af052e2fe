import type { Facts } from '../../sandbox/admin-types.mts';
import { courseOfAccount } from '../../sandbox/document/enrollment.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, type ErrorsBody } from './support.mts';

interface Course {
	school_id: string;
	code: string;
	status: string;
}

describe('enrollment in the sandbox', () => {
	let sandbox: Sandbox;
	let api: Api;
	let course: Facts['courses'][number];

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
		course = (await sandbox.admin.facts()).courses[0];
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => await sandbox.admin.reset());

	const coursesOf = async (accountId: string): Promise<Course[]> =>
		(await api.get<{ data: Course[] }>(`/enrollment/v1/accounts/${accountId}/courses`)).data.data;

	const statusOf = async (code: string): Promise<string | undefined> =>
		(await coursesOf(course.accountId)).find((found) => found.code === code)?.status;

	const item = (change: object = {}): object => ({
		school_id: course.schoolId,
		course_code: course.code,
		status: 'PAUSED',
		payer_id: course.accountId,
		operator: 'Elvina Dornelo',
		notes: 'Moves away',
		updated_at: '2026-03-01T10:00:00Z',
		...change,
	});

	it('lists the courses of an account with the documented fields', async () => {
		const [first] = await coursesOf(course.accountId);
		expect(Object.keys(first)).toEqual(courseOfAccount.fields.map(({ name }) => name));
		expect(first).toMatchObject({ school_id: course.schoolId, code: course.code, status: course.status });
	});

	it.each(['accounts', 'user'])('changes the status that is written by %s', async (kind) => {
		const id = kind === 'user' ? course.userId : course.accountId;
		expect((await api.put(`/enrollment/v1/${kind}/${id}`, { data: [item()] })).status).toBe(200);
		expect(await statusOf(course.code)).toBe('PAUSED');
		const { items } = await sandbox.admin.courses({ accountId: course.accountId });
		expect(items.find(({ code }) => code === course.code)?.last_update).toEqual(item());
	});

	it.each([
		[
			'notes of 513 characters',
			{ notes: 'n'.repeat(513) },
			'data[1].notes must have at most 512 characters.',
		],
		['notes of 513 emoji', { notes: '🎒'.repeat(513) }, 'data[1].notes must have at most 512 characters.'],
		['an empty status', { status: '' }, 'data[1].status must not be empty.'],
		[
			'a time without zone',
			{ updated_at: '2026-03-01T10:00:00' },
			'data[1].updated_at must be an ISO 8601 timestamp in UTC.',
		],
		[
			'a time of another zone',
			{ updated_at: '2026-03-01T10:00:00-03:00' },
			'data[1].updated_at must be an ISO 8601 timestamp in UTC.',
		],
		['a school id that is no UUID', { school_id: 'school-001' }, 'data[1].school_id must be a UUID.'],
		['an unknown field', { reason: 'x' }, 'data[1].reason is not a known field.'],
	])('refuses the whole PUT when one item has %s', async (_what, change, message) => {
		const { status, data } = await api.put<ErrorsBody>(`/enrollment/v1/accounts/${course.accountId}`, {
			data: [item(), item(change)],
		});
		expect([status, data.Errors]).toEqual([400, [{ Code: 'ENRL-0400', Message: message }]]);
		expect(await statusOf(course.code)).toBe(course.status);
	});

	it("refuses the whole PUT when one course is not the account's", async () => {
		const { status, data } = await api.put<ErrorsBody>(`/enrollment/v1/accounts/${course.accountId}`, {
			data: [item({ course_code: 'NONE' }), item()],
		});
		expect([status, data.Errors[0].Message]).toEqual([
			400,
			'data[0]: there is no enrollment in course "NONE" of this school.',
		]);
		expect(await statusOf(course.code)).toBe(course.status);
	});

	it.each(['n', '🎒'])('takes notes of 512 characters, as "%s"', async (character) => {
		const data = [item({ notes: character.repeat(512) })];
		expect((await api.put(`/enrollment/v1/accounts/${course.accountId}`, { data })).status).toBe(200);
	});

	it.each([[{}], [{ data: {} }], [{ data: [] }], [{ data: [], more: 1 }], [[]]])(
		'refuses the body %j',
		async (body) => {
			expect((await api.put(`/enrollment/v1/accounts/${course.accountId}`, body)).status).toBe(400);
		},
	);

	it('refuses an unknown account and an unknown user', async () => {
		for (const kind of ['accounts', 'user']) {
			const answer = await api.put<ErrorsBody>(`/enrollment/v1/${kind}/nobody`, { data: [item()] });
			expect([answer.status, answer.data.Errors[0].Code]).toEqual([400, 'ENRL-0400']);
		}
	});

	const message = (change: object = {}): object => ({
		data: {
			user_id: course.userId,
			status: 'CONFIRMED',
			updated_at: '2026-03-01T10:00:00Z',
			responsible: [{ user_id: 'r', name: 'Jovino Kestrel', date_of_birth: '1980-05-05' }],
			...change,
		},
	});

	it('changes the status of a course of a school, and enrolls who was not enrolled', async () => {
		const url = (code: string): string => `/enrollment/v1/schools/${course.schoolId}/courses/${code}/status`;
		const before = await coursesOf(course.accountId);
		const other = ['ROBOTICS', 'ENGLISH', 'CODING', 'CHESS'].find(
			(code) => !before.some((one) => one.code === code),
		);
		expect((await api.post(url(course.code), message())).status).toBe(200);
		expect((await api.post(url(String(other)), message())).status).toBe(200);
		expect(await statusOf(course.code)).toBe('CONFIRMED');
		expect(await coursesOf(course.accountId)).toHaveLength(before.length + 1);
	});

	it.each([
		['another course than the path', { course_code: 'OTHER' }],
		['another school than the path', { school_id: 'a3f1c6de-0000-4000-8000-000000000000' }],
		['a user who is not in the school', { user_id: 'a3f1c6de-0000-4000-8000-000000000000' }],
		['no status', { status: undefined }],
		['responsible persons that are no list', { responsible: {} }],
		['a responsible person with an unknown field', { responsible: [{ colour: 'red' }] }],
	])('refuses a status message with %s', async (_what, change) => {
		const url = `/enrollment/v1/schools/${course.schoolId}/courses/${course.code}/status`;
		expect((await api.post(url, message(change))).status).toBe(400);
		expect(await statusOf(course.code)).toBe(course.status);
	});
});
