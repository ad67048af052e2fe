import {
	courseStatus,
	coursesQuery,
	statusUpdate,
	statusUpdateOfAccount,
	statusUpdateOfUser,
	timestampOf,
} from '../../../nodes/shared/contract/enrollment.ts';

const SCHOOL = '9b2e1f00-0000-4000-8000-00000000005c';
const USER = '0c7d9a10-0000-4000-8000-0000000000b3';
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';
const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NO_TIME = 'must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z';

interface Schema {
	safeParse(value: unknown): {
		success: boolean;
		data?: unknown;
		error?: { issues: Array<{ path: PropertyKey[]; message: string }> };
	};
}

function findingsOf(schema: Schema, value: unknown): string[] {
	const { error } = schema.safeParse(value);
	return error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? [];
}

const update = { school_id: SCHOOL, course_code: 'MATH-5', status: 'cancelled' };
const updateFindings = (change: object) => findingsOf(statusUpdate, { ...update, ...change });

describe('A status update', () => {
	test('has the fields of the document alone', () => {
		expect(statusUpdate.parse({ ...update, shoe_size: 33 })).toEqual(update);
	});

	test.each(['', ' ', '\n'])('is refused with the status %j', (status) => {
		expect(updateFindings({ status })).toEqual(['status must not be empty']);
	});

	test('takes any text as a status: the allowed values are not shown', () => {
		for (const status of ['CANCELLED', 'cancelado', '状態', '7'])
			expect(updateFindings({ status })).toEqual([]);
	});

	test.each([
		[{ status: undefined }, 'status must be text, but is empty'],
		[{ course_code: '' }, 'course_code must not be empty'],
		[{ course_code: ['A'] }, 'course_code must be text, but is a list'],
		[{ school_id: 'school-001' }, `school_id ${NO_GUID}`],
		[{ school_id: '' }, `school_id ${NO_GUID}`],
		[{ school_id: EMPTY_GUID }, 'school_id cannot be an empty GUID'],
		[{ notes: `${'n'.repeat(512)} ` }, 'notes must be at most 512 characters long'],
		[{ updated_at: '2026-03-09' }, `updated_at ${NO_TIME}`],
		[{ operator: { name: 'Front office' } }, 'operator must be text, but is an object'],
	])('is refused with %j', (change, finding) => {
		expect(updateFindings(change)).toEqual([finding]);
	});

	test('leaves out what a sheet has as an empty cell', () => {
		const empty = { payer_id: '', operator: ' ', notes: null, updated_at: undefined };
		expect(statusUpdate.parse({ ...update, ...empty })).toEqual(update);
	});

	test('takes numbers where sheets make numbers of ids', () => {
		expect(statusUpdate.parse({ ...update, course_code: 5, payer_id: 77, status: 2, notes: 1 })).toEqual({
			...update,
			course_code: '5',
			payer_id: '77',
			status: '2',
			notes: '1',
		});
	});

	test('names everything that is wrong with it', () => {
		expect(
			findingsOf(statusUpdateOfAccount, { account_id: 'a/b', school_id: 'x', course_code: '', status: '' }),
		).toEqual([
			'account_id must not hold a slash',
			`school_id ${NO_GUID}`,
			'course_code must not be empty',
			'status must not be empty',
		]);
	});

	test.each(['', '.', '..'])('of the user %j is refused', (user_id) => {
		expect(findingsOf(statusUpdateOfUser, { user_id, ...update })).toHaveLength(1);
	});

	test('of a user takes any id that can stand in a path', () => {
		for (const user_id of [USER, 'user 7', 'a/b', 'x'.repeat(500)]) {
			expect(findingsOf(statusUpdateOfUser, { user_id, ...update })).toEqual([]);
		}
	});
});

test('The courses of an account are asked for by an account id that can stand in a path', () => {
	expect(findingsOf(coursesQuery, { account_id: 'a' })).toEqual([]);
	expect(findingsOf(coursesQuery, { account_id: 'a/b' })).toEqual(['account_id must not hold a slash']);
});

describe('A course status message', () => {
	const message = { ...update, user_id: USER };
	const findings = (change: object) => findingsOf(courseStatus, { ...message, ...change });
	const person = {
		external_id: 'student-1',
		name: 'Nina Torres',
		email: 'nina.torres@students.example',
		phone: '11955550101',
		document_type: 'TAX_ID',
		document: '00000000191',
		date_of_birth: '2015-03-09',
	};

	test('takes a whole message, and its responsible persons with their own fields', () => {
		const whole = {
			...message,
			...person,
			updated_at: '2026-03-09T12:30:00Z',
			responsible: [{ user_id: 'r-1', ...person }, { name: 'Otto Brandt' }],
		};
		const unknown = { shoe_size: 33 };
		expect(
			courseStatus.parse({
				...whole,
				...unknown,
				responsible: whole.responsible.map((each) => ({ ...each, ...unknown })),
			}),
		).toEqual(whole);
	});

	test('leaves out what is empty, for the responsible persons too, and one of whom nothing is filled in', () => {
		const empty = Object.fromEntries(Object.keys(person).map((field) => [field, '']));
		expect(courseStatus.parse({ ...message, ...empty, updated_at: '', responsible: '' })).toEqual(message);
		expect(courseStatus.parse({ ...message, responsible: [] })).toEqual(message);
		const nobody = { user_id: '', ...empty };
		expect(courseStatus.parse({ ...message, responsible: [nobody, nobody] })).toEqual(message);
		const mother = { ...nobody, name: 'Marina Torres' };
		expect(courseStatus.parse({ ...message, responsible: [mother, nobody] })).toEqual({
			...message,
			responsible: [{ name: 'Marina Torres' }],
		});
	});

	test.each([
		[{ user_id: 'student-1' }, `user_id ${NO_GUID}`],
		[{ user_id: EMPTY_GUID }, 'user_id cannot be an empty GUID'],
		[{ school_id: 'school-001' }, `school_id ${NO_GUID}`],
		[{ course_code: '..' }, 'course_code must not be "." or ".."'],
		[{ status: ' ' }, 'status must not be empty'],
		[{ updated_at: '2026-03-09T12:30:00' }, `updated_at ${NO_TIME}`],
		[{ date_of_birth: ['2015-03-09'] }, 'date_of_birth must be text, but is a list'],
		[{ date_of_birth: 'Invalid DateTime' }, 'date_of_birth must be a day that exists'],
		[{ date_of_birth: 'Invalid Date' }, 'date_of_birth must be a day that exists'],
		[{ date_of_birth: 42_072 }, 'date_of_birth must be text, but is a number'],
		[{ responsible: {} }, 'responsible must be a list of responsible persons, but is an object'],
		[{ responsible: ['r-1'] }, 'responsible 0 must be an object, but is text'],
		[{ responsible: [{}, { name: 7.5 }] }, 'responsible 1 name must be text, but is a number'],
	])('is refused with %j', (change, finding) => {
		expect(findings(change)).toEqual([finding]);
	});

	test('takes a course code with any other characters', () => {
		for (const course_code of ['A/B', 'MATH 5?', 'é#']) expect(findings({ course_code })).toEqual([]);
	});

	test.each(['09/03/2015', 'March 2015', '2015-02-30', '20150309'])(
		'passes the date of birth %s on',
		(date_of_birth) => {
			const said = { ...message, date_of_birth, responsible: [{ date_of_birth }] };
			expect(courseStatus.parse(said)).toEqual(said);
		},
	);

	test('takes the day of a date of birth that comes as a moment', () => {
		expect(courseStatus.parse({ ...message, date_of_birth: '2015-03-09T00:00:00.000-03:00' })).toEqual({
			...message,
			date_of_birth: '2015-03-09',
		});
	});
});

test('A moment is written in UTC with whole seconds', () => {
	expect(timestampOf(new Date('2026-03-09T12:30:00.987-03:00'))).toBe('2026-03-09T15:30:00Z');
});
