/** Status updates of one run for the same account or user travel together. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { CourseState } from '../../sandbox/admin-types.mts';
import { useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom({ students: 120 });

const ACCOUNTS = 40;
const ITEMS = 2_000;
/** A course that nobody is enrolled in: the service refuses the whole PUT that names it. */
const UNKNOWN = 'NO-SUCH-COURSE';

/** One course for each of 40 accounts. */
let courses: CourseState[];
beforeAll(async () => {
	const { items } = await workroom.admin.courses();
	courses = [...new Map(items.map((course) => [course.account_id, course])).values()].slice(0, ACCOUNTS);
});
beforeEach(async () => await workroom.storeToken());

interface Row extends IDataObject {
	account: string;
	user: string;
	school: string;
	course: string;
	status: string;
	row: number;
}

/** Updates that go through the accounts again and again; the status says which item it was. */
function rowsFor(count: number, accounts = ACCOUNTS): Row[] {
	return Array.from({ length: count }, (_, row) => {
		const course = courses[row % accounts];
		const { account_id: account, user_id: user, school_id: school, code } = course;
		return { account, user, school, course: code, status: `status-${row}`, row };
	});
}

function withUnknownCourse(rows: Row[], ...bad: number[]): Row[] {
	return rows.map((row) => (bad.includes(row.row) ? { ...row, course: UNKNOWN } : row));
}

const KINDS = {
	updateByAccount: { parameter: 'accountId', field: 'account', path: '/enrollment/v1/accounts/' },
	updateByUser: { parameter: 'userId', field: 'user', path: '/enrollment/v1/user/' },
} as const;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

function parametersOf(kind: Kind, options: INodeParameters = {}): INodeParameters {
	const { parameter, field } = KINDS[kind];
	return {
		resource: 'enrollment',
		operation: kind,
		[parameter]: `={{ $json.${field} }}`,
		schoolId: '={{ $json.school }}',
		courseCode: '={{ $json.course }}',
		status: '={{ $json.status }}',
		options,
	};
}

async function update(rows: Row[], options: INodeParameters = {}, kind: Kind = 'updateByAccount') {
	return await workroom.run(parametersOf(kind, options), rows, { onError: 'continueErrorOutput' });
}

/** The PUTs that arrived: whose they were, and the rows that they carried. */
async function puts(): Promise<Array<{ path: string; rows: number[]; status: number }>> {
	return (await workroom.received()).map(({ method, path, body, status }) => {
		expect(method).toBe('PUT');
		const { data, ...rest } = body as { data: Array<{ status: string }> };
		expect(rest).toEqual({});
		return { path, rows: data.map((entry) => Number(entry.status.slice('status-'.length))), status };
	});
}

/** What a failed item must look like: its own input row, and why. */
function expectFailed(
	failed: INodeExecutionData[],
	rows: Row[],
	bad: number[],
	words: RegExp,
	failure: IDataObject = { origin: 'service', effect: 'none', status: 400 },
): void {
	expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
		bad.map((item) => ({
			json: {
				...rows[item],
				error: expect.stringMatching(words) as string,
				failure: expect.objectContaining(failure) as IDataObject,
			},
			pairedItem: { item },
		})),
	);
	bad.forEach((item, index) => expect(failed[index].json.error).toContain(`[Item ${item}]\n`));
}

const pairsOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const REFUSED =
	/^The service refuses the data \(400\): ENRL-0400: data\[0\]: there is no enrollment in course/;

describe('2,000 status updates for 40 accounts', () => {
	test.each(kinds)(
		'travel in 40 PUTs, in the order of the input, never two accounts in one (%s)',
		async (kind) => {
			const rows = rowsFor(ITEMS);
			const { outputs, error } = await update(rows, {}, kind);
			expect(error).toBeUndefined();
			const { path, field } = KINDS[kind];
			const seen = await puts();
			expect(seen).toHaveLength(ACCOUNTS);
			expect(Object.fromEntries(seen.map((put) => [put.path, put.rows]))).toEqual(
				Object.fromEntries(
					courses.map((_, index) => [
						path + rows[index][field],
						rows.filter((row) => row[field] === rows[index][field]).map(({ row }) => row),
					]),
				),
			);
			expect(outputs[0]).toEqual(rows.map((_, item) => ({ json: { updated: 50 }, pairedItem: { item } })));
			expect(outputs[1]).toEqual([]);
		},
	);

	test.each(kinds)(
		'of which three are refused: 1,997 succeed, three leave with their own input (%s)',
		async (kind) => {
			const bad = [0, 777, 1999];
			const rows = withUnknownCourse(rowsFor(ITEMS), ...bad);
			const { outputs, error } = await update(rows, {}, kind);
			expect(error).toBeUndefined();
			expect(pairsOf(outputs[0])).toEqual(
				rows.filter(({ row }) => !bad.includes(row)).map(({ row }) => ({ item: row })),
			);
			expect(outputs[0]).toHaveLength(1_997);
			expectFailed(outputs[1], rows, bad, REFUSED);
			// One PUT for each account, and 2 * ceil(log2(50)) more for each refused update.
			expect((await puts()).length).toBeLessThanOrEqual(ACCOUNTS + 3 * 12);
		},
	);

	test('of which three of one account are refused: the others of that account are written', async () => {
		const bad = [5, 805, 1965];
		const rows = withUnknownCourse(rowsFor(ITEMS), ...bad);
		const { outputs } = await update(rows);
		expect(outputs[0]).toHaveLength(1_997);
		expectFailed(outputs[1], rows, bad, REFUSED);
		const accepted = (await puts()).filter(({ status }) => status === 200).flatMap((put) => put.rows);
		expect(accepted.sort((one, other) => one - other)).toEqual(
			rows.map(({ row }) => row).filter((row) => !bad.includes(row)),
		);
	});

	test('of which three are refused before they are sent: the others travel as if these were not there', async () => {
		const rows: Row[] = rowsFor(ITEMS);
		rows[1] = { ...rows[1], status: '' };
		rows[2] = { ...rows[2], account: 'a/b' };
		rows[41] = { ...rows[41], school: 'school-001' };
		const { outputs } = await update(rows);
		expect(outputs[0]).toHaveLength(1_997);
		expectFailed(
			outputs[1],
			rows,
			[1, 2, 41],
			/^(Status must not be empty|Account ID must not hold a slash|School ID must be)/,
			{ origin: 'input', effect: 'none' },
		);
		const seen = await puts();
		expect(seen).toHaveLength(ACCOUNTS);
		expect(seen.flatMap((put) => put.rows)).toHaveLength(1_997);
	});

	test('leave every course with the status of its last update, refused ones in between or not', async () => {
		const bad = [11, 1970];
		await update(withUnknownCourse(rowsFor(ITEMS), ...bad));
		const last = rowsFor(ITEMS)
			.filter(({ row }) => !bad.includes(row))
			.slice(-ACCOUNTS - 1);
		const { items } = await workroom.admin.courses();
		for (const { account, school, course } of last) {
			const written = items.find(
				(one) => one.account_id === account && one.school_id === school && one.code === course,
			);
			expect(written?.status).toBe(last.filter((row) => row.account === account).at(-1)?.status);
		}
	});
});

test('At the automatic pace, a far service gets the PUTs of more than ten accounts side by side, and those of one account one after another', async () => {
	await workroom.admin.changeSettings({ latencyMs: 200 });
	const { outputs, error } = await update(rowsFor(ITEMS), { batchSize: 10 });
	expect([outputs[0].length, error]).toEqual([ITEMS, undefined]);
	const { highestInFlight } = await workroom.admin.pace();
	expect(highestInFlight).toBeGreaterThan(10);
	expect(highestInFlight).toBeLessThanOrEqual(ACCOUNTS);
	const requests = await workroom.received();
	expect(requests).toHaveLength(ITEMS / 10);
	for (const account of courses.map(({ account_id: id }) => id)) {
		const own = requests
			.filter(({ path }) => path.endsWith(`/${account}`))
			// The log rounds its times; two that wait side by side share nearly all of the 200 ms.
			.map(({ at, durationMs }) => ({ begin: Date.parse(at), end: Date.parse(at) + durationMs - 100 }));
		expect(own).toHaveLength(5);
		expect(own.slice(1).filter(({ begin }, before) => begin < own[before].end)).toEqual([]);
	}
});

describe('One refused update in a batch', () => {
	// 1 + 2 * ceil(log2(n)): the batch, and two halves at each level.
	test.each([
		[50, 0, 13],
		[50, 24, 13],
		[50, 49, 13],
		[500, 0, 19],
		[500, 333, 19],
		[500, 499, 19],
		[2, 1, 3],
	])('of %d, at place %d, costs at most %d requests', async (size, place, most) => {
		const rows = withUnknownCourse(rowsFor(size, 1), place);
		const { outputs } = await update(rows, { batchSize: 500 });
		expect(outputs[0]).toHaveLength(size - 1);
		expectFailed(outputs[1], rows, [place], REFUSED);
		const seen = await puts();
		expect(seen.length).toBeLessThanOrEqual(most);
		expect(seen.filter(({ status }) => status === 400).every((put) => put.rows.includes(place))).toBe(true);
	});

	test('is not overtaken: each PUT of an account carries later items than the one before', async () => {
		await update(withUnknownCourse(rowsFor(200, 1), 3, 120), { concurrency: 10 });
		const accepted = (await puts()).filter(({ status }) => status === 200).flatMap((put) => put.rows);
		expect(accepted).toEqual(
			rowsFor(200, 1)
				.map(({ row }) => row)
				.filter((row) => row !== 3 && row !== 120),
		);
		expect((await workroom.admin.requestLog({ countOnly: true })).maxInFlight).toBe(1);
	});

	test('that stops the run is named, with its own index', async () => {
		const run = await workroom.run(parametersOf('updateByAccount'), withUnknownCourse(rowsFor(50, 1), 37));
		expect(wordsOf(run).message).toMatch(/^The service refuses the data \(400\): ENRL-0400: .* \[Item 37\]$/);
	});
});

describe('The batch size', () => {
	test('of 1 sends every update by itself, those of one account one after another', async () => {
		await workroom.admin.changeSettings({ latencyMs: 10 });
		await update(rowsFor(40, 4), { batchSize: 1, concurrency: 10 });
		const seen = await puts();
		expect(seen.map((put) => put.rows.length)).toEqual(Array(40).fill(1));
		for (const path of new Set(seen.map((put) => put.path))) {
			const order = seen.filter((put) => put.path === path).flatMap((put) => put.rows);
			expect(order).toEqual([...order].sort((one, other) => one - other));
		}
		expect((await workroom.admin.requestLog({ countOnly: true })).maxInFlight).toBeLessThanOrEqual(4);
	});

	test('of 500 sends 1,200 updates of an account in three PUTs', async () => {
		const { outputs } = await update(rowsFor(1_200, 1), { batchSize: 500 });
		expect((await puts()).map((put) => put.rows.length)).toEqual([500, 500, 200]);
		expect(outputs[0].map(({ json }) => json.updated)).toEqual([
			...Array<number>(1_000).fill(500),
			...Array<number>(200).fill(200),
		]);
	});

	test('of 50 is taken when none is given', async () => {
		await update(rowsFor(120, 1));
		expect((await puts()).map((put) => put.rows.length)).toEqual([50, 50, 20]);
	});

	test.each([0, 501, 1.5, -1])('of %p is refused for every item, and nothing is sent', async (batchSize) => {
		const rows = rowsFor(3, 1);
		const { outputs } = await update(rows, { batchSize });
		expect(outputs[0]).toEqual([]);
		expectFailed(outputs[1], rows, [0, 1, 2], /^Batch Size must be a whole number from 1 to 500/, {
			origin: 'input',
			effect: 'none',
		});
		expect(await workroom.received()).toEqual([]);
	});
});

describe('A PUT that does not get through', () => {
	test.each([
		['whose connection breaks after the service did its work', { drop: 'after' }],
		['whose connection breaks before', { drop: 'before' }],
		['whose answer is cut short', { cutBody: true }],
		['that a gateway answers with 502', { status: 502 }],
		['that a gateway answers with 504', { status: 504, afterwards: true }],
		['that is asked to come back (503)', { status: 503, retryAfter: 0 }],
		['whose token has run out', { expireToken: true }],
	] as const)('%s is sent again, and every update counts once', async (_what, fault) => {
		await workroom.admin.addFault({ method: 'PUT', nth: 2 }, fault);
		const rows = rowsFor(150, 3);
		const { outputs, error } = await update(rows, { concurrency: 1 });
		expect(error).toBeUndefined();
		expect(pairsOf(outputs[0])).toEqual(rows.map(({ row }) => ({ item: row })));
		const seen = await puts();
		expect(seen).toHaveLength(4);
		expect(seen[2]).toMatchObject({ path: seen[1].path, rows: seen[1].rows });
	});

	test.each([
		[
			500,
			{ documented: 500 },
			'The service could not complete the request (500): 500: The request could not be completed',
		],
		[403, { status: 403 }, 'The service does not allow this (403)'],
		[409, { status: 409 }, 'The service refuses the request because it conflicts with its data (409)'],
	] as const)(
		'but is answered with %d fails its batch and no other, and is not halved',
		async (status, fault, words) => {
			await workroom.admin.addFault({ method: 'PUT', bodyContains: '"status-60"' }, fault);
			const rows = rowsFor(150, 1);
			const { outputs } = await update(rows);
			expect(pairsOf(outputs[0])).toEqual(
				rows.filter(({ row }) => row < 50 || row >= 100).map(({ row }) => ({ item: row })),
			);
			const bad = rows.map(({ row }) => row).slice(50, 100);
			expectFailed(outputs[1], rows, bad, new RegExp(`^${words.replace(/[()]/g, '\\$&')}`), {
				status,
				effect: status === 500 ? 'unknown' : 'none',
			});
			expect(await puts()).toHaveLength(3);
		},
	);

	test('and is refused when it is sent again: nobody can say of an item of its halves that nothing was done', async () => {
		await workroom.admin.addFault({ method: 'PUT', nth: 1 }, { status: 504, afterwards: true });
		await workroom.admin.addFault({ method: 'PUT', nth: [2, 3, 4] }, { documented: 400 });
		const rows = rowsFor(2, 1);
		const { outputs } = await update(rows);
		expectFailed(outputs[1], rows, [0, 1], /^The service refuses the data \(400\)/, {
			status: 400,
			effect: 'unknown',
		});
	});

	test('and whose halves are refused for another reason fails these only', async () => {
		await workroom.admin.addFault({ method: 'PUT', nth: 1 }, { documented: 400 });
		await workroom.admin.addFault({ method: 'PUT', nth: 3 }, { documented: 500 });
		const rows = rowsFor(50, 1);
		const { outputs } = await update(rows);
		expect(pairsOf(outputs[0])).toEqual(rows.slice(0, 25).map(({ row }) => ({ item: row })));
		expect(pairsOf(outputs[1])).toEqual(rows.slice(25).map(({ row }) => ({ item: row })));
	});
});

test('Updates that travel together do not share one object', async () => {
	const { outputs } = await update(rowsFor(3, 1));
	outputs[0][0].json.updated = 'changed';
	expect(outputs[0][1].json).toEqual({ updated: 3 });
});

test.each([
	['an empty body', { status: 200 }, { success: true }],
	['204', { status: 204 }, { success: true }],
	['a list', { body: [1] }, { data: [1] }],
	['an object', { body: { accepted: true } }, { accepted: true }],
])('Each update of a PUT that is answered with %s gets its item', async (_what, fault, json) => {
	await workroom.admin.addFault({ method: 'PUT' }, fault);
	const { outputs } = await update(rowsFor(3, 1));
	expect(outputs[0]).toEqual([0, 1, 2].map((item) => ({ json, pairedItem: { item } })));
});
