import {
	course,
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
	test('has the fields of the document and no others', () => {
		expect(Object.keys(statusUpdate.shape).sort()).toEqual(
			['school_id', 'course_code', 'status', 'payer_id', 'operator', 'notes', 'updated_at'].sort(),
		);
		expect(statusUpdate.parse({ ...update, shoe_size: 33 })).toEqual(update);
	});

	test.each([
		['512 characters', 'n'.repeat(512)],
		['512 emoji, which are 1,024 units of UTF-16', '😀'.repeat(512)],
		['512 letters with lines between them', 'n\n'.repeat(256)],
	])('takes notes of %s', (_what, notes) => {
		expect(statusUpdate.parse({ ...update, notes })).toEqual({ ...update, notes });
	});

	test.each([
		['513 characters', 'n'.repeat(513)],
		['513 emoji', '😀'.repeat(513)],
		['512 characters and a space', `${'n'.repeat(512)} `],
	])('is refused with notes of %s', (_what, notes) => {
		expect(updateFindings({ notes })).toEqual(['notes must be at most 512 characters long']);
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
		[{ payer_id: 'x'.repeat(37) }, 'payer_id must be at most 36 characters long'],
		[{ operator: { name: 'Front office' } }, 'operator must be text, but is an object'],
	])('is refused with %j', (change, finding) => {
		expect(updateFindings(change)).toEqual([finding]);
	});

	test.each([
		'2026-03-09T12:30:00Z',
		'2026-03-09T12:30Z',
		'2026-03-09T12:30:00.5Z',
		'2026-03-09T12:30:00.123456Z',
		'2026-03-09T12:30:00+00:00',
		'2024-02-29T23:59:59Z',
	])('may be made at %s', (updated_at) => {
		expect(statusUpdate.parse({ ...update, updated_at })).toEqual({ ...update, updated_at });
	});

	test.each([
		['without a zone', '2026-03-09T12:30:00'],
		['of another zone', '2026-03-09T12:30:00-03:00'],
		['without a time', '2026-03-09'],
		['with a space in the middle', '2026-03-09 12:30:00Z'],
		['of a day that does not exist', '2026-02-30T12:30:00Z'],
		['of a leap day in a year without one', '2025-02-29T12:30:00Z'],
		['of an hour that does not exist', '2026-03-09T24:00:00Z'],
		['in seconds since 1970', 1773059400],
		['as a local date', '09/03/2026 12:30'],
	])('is refused with a time %s', (_what, updated_at) => {
		expect(updateFindings({ updated_at })).toEqual([`updated_at ${NO_TIME}`]);
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

test('A course has the fields of the document, and keeps those that it does not name', () => {
	const listed = {
		school_id: SCHOOL,
		code: 'MATH-5',
		name: 'Mathematics',
		grade_id: USER,
		grade: '5',
		educational_stage_id: USER,
		educational_stage: 'EF1',
		year: 2026,
		shift_id: USER,
		shift: 'morning',
		status: 'ENROLLED',
	};
	expect(Object.keys(course.shape).sort()).toEqual(Object.keys(listed).sort());
	expect(course.parse({ ...listed, seats: 30 })).toEqual({ ...listed, seats: 30 });
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

	test('has the fields of the document and no others', () => {
		expect(Object.keys(courseStatus.shape).sort()).toEqual(
			[...Object.keys({ ...message, ...person }), 'updated_at', 'responsible'].sort(),
		);
	});

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
