import type { IDataObject } from 'n8n-workflow';

import { linesDuring, REQUESTS_OF_A_RUN } from '../support/debugLog.mts';
import { until } from '../support/eventually.mts';

import { BOND_PATH, CLASS_PATH, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';
import { apply, outputsOf, parted, plan, studentsOf, zipOf, EXPORT, type Night } from './rosterStage.mts';

const workroom = useWorkroom();

const FIRST = { firstRun: true };
const planned = async (night: Night = {}) => outputsOf(await plan(workroom, { options: FIRST, ...night }));
const statesOf = (rows: IDataObject[]) =>
	Object.fromEntries(rows.map(({ key, state }) => [String(key), state]));
const posted = async () => (await workroom.received('/integration')).filter(({ method }) => method !== 'GET');

const [CLASS, MOTHER, TEACHER, STUDENT_1, STUDENT_2] = [
	'c:school-001|ros-class-1',
	'u:ros-mother-1',
	'u:ros-teacher-1',
	'u:ros-student-1',
	'u:ros-student-2',
];
const bondOf = (user: string, profile = 'student') => `b:school-001|ros-class-1|${user}|${profile}`;

describe('A batch', () => {
	test('is sent as the School Partner node would send it, one wave after another, and gives one ledger row for each change', async () => {
		const { changes, ledgerRows } = await planned();
		const { rows, failed, run } = await apply(workroom, [changes]);
		expect(failed).toEqual([]);
		expect(rows.map(({ key, state, run_id: id }) => [key, state, id])).toEqual(
			changes.map(({ key }) => [key, 'applied', ledgerRows[0].run_id]),
		);
		const requests = await posted();
		expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			`POST ${CLASS_PATH}`,
			...Array.from({ length: 4 }, () => `POST ${USER_PATH}`),
			...Array.from({ length: 3 }, () => `POST ${BOND_PATH}`),
		]);
		expect(requests[1].body).toEqual({
			school_external_id: 'school-001',
			external_id: 'ros-mother-1',
			first_name: 'Celestina',
			last_name: 'Fontela',
			email: 'mother@family.example',
			profiles: ['responsible'],
		});
		expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(changes.map((_, item) => ({ item })));
	});

	test('leaves rows of text alone, without a name, an e-mail or a date of birth', async () => {
		const { changes } = await planned();
		const { rows } = await apply(workroom, [changes]);
		expect(rows.flatMap((row) => Object.values(row)).filter((cell) => typeof cell !== 'string')).toEqual([]);
		expect(JSON.stringify(rows)).not.toMatch(/Abelia|Celestina|mother@family/);
	});

	test('is done for good: planned again against its rows, nothing is sent', async () => {
		const first = await planned();
		const { rows } = await apply(workroom, parted(first.changes));
		await workroom.admin.clearRequests();
		const { changes, ledgerRows } = await planned({ ledger: [...first.ledgerRows, ...rows], options: {} });
		expect([changes, ledgerRows]).toEqual([[], []]);
		expect(await posted()).toEqual([]);
	});

	test('removes a bond, and takes one that is gone already for removed', async () => {
		const first = await planned();
		const { rows } = await apply(workroom, [first.changes]);
		const ledger = [...first.ledgerRows, ...rows];
		const without = EXPORT['enrollments.csv']
			.split('\n')
			.filter((line) => !line.startsWith('e2,'))
			.join('\n');
		const night = { ledger, roster: [zipOf({ 'enrollments.csv': without })], options: {} };
		const remove = async () => await apply(workroom, [(await planned(night)).changes]);
		const [there, gone] = [await remove(), await remove()];
		for (const { rows: removed, failed } of [there, gone]) {
			expect(statesOf(removed)).toEqual({ [bondOf('ros-student-2')]: 'removed' });
			expect(failed).toEqual([]);
		}
	});

	test('is not taken for removed where the page of a proxy says that nothing is found: the bond is removed the night after', async () => {
		const first = await planned();
		const { rows } = await apply(workroom, [first.changes]);
		const without = EXPORT['enrollments.csv']
			.split('\n')
			.filter((line) => !line.startsWith('e2,'))
			.join('\n');
		const night = { roster: [zipOf({ 'enrollments.csv': without })], options: {} };
		const second = await planned({ ...night, ledger: [...first.ledgerRows, ...rows] });
		await workroom.admin.addFault({ path: BOND_PATH, times: 1 }, { htmlPage: true, status: 404 });
		const after = await apply(workroom, [second.changes]);
		expect(after.rows).toMatchObject([{ key: bondOf('ros-student-2'), state: 'failed', detail: '404' }]);
		const third = await planned({
			...night,
			ledger: [...first.ledgerRows, ...rows, ...second.ledgerRows, ...after.rows],
		});
		expect(statesOf((await apply(workroom, [third.changes])).rows)).toEqual({
			[bondOf('ros-student-2')]: 'removed',
		});
	});

	test('takes what the service has already for done', async () => {
		const { changes } = await planned();
		await apply(workroom, [changes]);
		const { rows, failed } = await apply(workroom, [changes]);
		expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['applied']));
		expect(failed).toEqual([]);
	});
});

describe('What the service refuses', () => {
	test('has its row and comes out on Failed with its words and its place; what needs it is blocked and not sent, in later batches too', async () => {
		const { changes } = await planned({ options: { ...FIRST, batchSize: 4 } });
		await workroom.admin.addFault(
			{ path: USER_PATH, bodyContains: 'ros-mother-1', times: 1 },
			{ status: 422 },
		);
		const { rows, failed } = await apply(workroom, parted(changes));
		expect(statesOf(rows)).toEqual({
			[CLASS]: 'applied',
			[MOTHER]: 'failed',
			[TEACHER]: 'applied',
			[STUDENT_1]: 'blocked',
			[STUDENT_2]: 'blocked',
			[bondOf('ros-student-1')]: 'blocked',
			[bondOf('ros-student-2')]: 'blocked',
			[bondOf('ros-teacher-1', 'educator')]: 'applied',
		});
		expect(failed.map(({ key, state }) => [key, state])).toEqual([
			[MOTHER, 'failed'],
			[STUDENT_1, 'blocked'],
			[STUDENT_2, 'blocked'],
			[bondOf('ros-student-1'), 'blocked'],
			[bondOf('ros-student-2'), 'blocked'],
		]);
		expect(failed[0]).toMatchObject({
			source: { file: 'users.csv', line: 5 },
			failure: { status: 422, origin: 'service', effect: 'none' },
		});
		expect(failed[0].error).toContain('(422)');
		expect(failed[0].error).toContain('It comes again with the next plan');
		expect(failed[1].error).toContain(MOTHER);
		expect((await posted()).filter(({ body }) => JSON.stringify(body).includes('ros-student'))).toEqual([]);
	});

	test('comes again the night after, and only that', async () => {
		const first = await planned();
		await workroom.admin.addFault(
			{ path: USER_PATH, bodyContains: 'ros-mother-1', times: 1 },
			{ status: 422 },
		);
		const before = await apply(workroom, [first.changes]);
		const { changes, ledgerRows } = await planned({
			ledger: [...first.ledgerRows, ...before.rows],
			options: {},
		});
		expect(changes.map(({ key }) => key)).toEqual([
			MOTHER,
			STUDENT_1,
			STUDENT_2,
			bondOf('ros-student-1'),
			bondOf('ros-student-2'),
		]);
		const after = await apply(workroom, [changes]);
		expect(after.failed).toEqual([]);
		const ledger = [...first.ledgerRows, ...before.rows, ...ledgerRows, ...after.rows];
		expect((await planned({ ledger, options: {} })).changes).toEqual([]);
	});

	test('is uncertain where the answer was lost after the work, and is not sent again unseen', async () => {
		const first = await planned();
		await workroom.admin.addFault({ path: CLASS_PATH, times: 1 }, { status: 500, afterwards: true });
		const { rows, failed } = await apply(workroom, [first.changes]);
		expect(rows[0]).toMatchObject({
			key: CLASS,
			state: 'uncertain',
			detail: expect.stringMatching(/^500/) as string,
		});
		expect(failed).toMatchObject([
			{ key: CLASS, failure: { effect: 'unknown' }, error: expect.stringContaining('Findings') as string },
		]);
		expect(rows.slice(1).every(({ state }) => state === 'applied')).toBe(true);
		const { changes, findings } = await planned({ ledger: [...first.ledgerRows, ...rows], options: {} });
		expect(changes).toEqual([]);
		expect(findings.map(({ code }) => code)).toContain('uncertain');
	});

	test('does not go on for ever when the service is in trouble: the rest is not tried, in later batches neither', async () => {
		const { changes } = await planned({ options: { ...FIRST, batchSize: 4 } });
		await workroom.admin.addFault({ path: '/integration' }, { status: 503 });
		const { rows, failed } = await apply(workroom, parted(changes), {
			options: { stopAfterTroubles: 2, maxRetries: 0, concurrency: 1 },
		});
		expect(rows).toHaveLength(changes.length);
		expect(failed).toHaveLength(changes.length);
		expect((await posted()).length).toBe(2);
		expect(rows.slice(2).every(({ state }) => state === 'not tried' || state === 'blocked')).toBe(true);
	});

	test('ends the sending within a wave too, as soon as it is plain that nothing comes of it', async () => {
		const { changes } = await planned(studentsOf(30));
		await workroom.admin.addFault({ path: USER_PATH }, { status: 500 });
		const { rows } = await apply(workroom, [changes], { options: { stopAfterTroubles: 3, concurrency: 1 } });
		expect(rows.map(({ state }) => state)).toEqual([
			...Array.from({ length: 3 }, () => 'uncertain'),
			...Array.from({ length: 27 }, () => 'not tried'),
		]);
		expect((await posted()).length).toBe(3);
	});

	test('also when no token can be had: every change has its row, and nothing is sent', async () => {
		const { changes } = await planned();
		workroom.credentials.data = {
			...workroom.credentials.data,
			oauthTokenData: undefined as never,
			clientSecret: 'wrong',
		};
		const { rows, failed } = await apply(workroom, [changes]);
		expect(rows.map(({ state }) => state).filter((state) => state === 'applied')).toEqual([]);
		expect(rows).toHaveLength(changes.length);
		expect(failed[0].failure).toMatchObject({ origin: 'signOn', effect: 'none' });
		expect(await posted()).toEqual([]);
	});
});

test('Far away, the service gets more than ten at a time and never more than At Most; each batch begins with what those before it have found out', async () => {
	const BATCH = 100;
	const { changes } = await planned({ ...studentsOf(2 * BATCH), options: { ...FIRST, batchSize: BATCH } });
	await workroom.admin.clearRequests();
	await workroom.admin.resetPace();
	await workroom.admin.changeSettings({ latencyMs: 500 });
	const { failed } = await apply(workroom, parted(changes));
	expect(failed).toEqual([]);
	const { highestInFlight } = await workroom.admin.pace();
	expect(highestInFlight).toBeGreaterThan(10);
	expect(highestInFlight).toBeLessThanOrEqual(64);
	const sent = await posted();
	// What has come before the first answer of the batch left: nothing of this batch can have been found out by then.
	const [first, second] = [sent.slice(0, BATCH), sent.slice(BATCH)].map((batch) => {
		const [{ at, durationMs, inFlight }] = batch;
		expect(inFlight).toBe(1);
		return batch.filter((request) => Date.parse(request.at) < Date.parse(at) + durationMs).length;
	});
	expect(first).toBeLessThanOrEqual(10);
	expect(second).toBeGreaterThan(10);
});

describe('Notes', () => {
	test('become rows without a request: a network that the service has already', async () => {
		const { changes } = await planned({ options: { ...FIRST, takeAsDone: 'everything' } });
		await workroom.admin.clearRequests();
		const { rows } = await apply(workroom, [changes]);
		expect(rows.map(({ state }) => state)).toEqual(changes.map(() => 'applied'));
		expect(await workroom.received()).toEqual([]);
	});
});

describe('A batch is refused as a whole, before anything is sent, when', () => {
	const refused = async (batches: IDataObject[][], night: Night = {}) => {
		await workroom.admin.clearRequests();
		const { run } = await apply(workroom, batches, night);
		expect(run.run.status).toBe('error');
		return wordsOf(run);
	};

	test('it is several: the loop is missing', async () => {
		const { changes } = await planned({ options: { ...FIRST, batchSize: 4 } });
		const words = await refused([changes]);
		expect(words.message).toContain('more than one batch');
		expect(words.description).toContain('Loop Over Items');
		expect(await workroom.received()).toEqual([]);
	});

	test('the execution is a retried one', async () => {
		const { changes } = await planned();
		const words = await refused([changes], { mode: 'retry' });
		expect(words.message).toContain('This execution is retried');
		expect(words.description).toContain('Start the workflow anew');
		expect(await workroom.received()).toEqual([]);
	});

	test("n8n's Retry On Fail is on", async () => {
		const { changes } = await planned();
		const words = await refused([changes], {
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(words.message).toContain('Retry On Fail is on');
		expect(await workroom.received()).toEqual([]);
	});

	test('its changes are held, or are none', async () => {
		const ledger = (await planned({ options: { ...FIRST, batchSize: 1 } })).ledgerRows;
		const { held } = await planned({ ledger, options: { unfinishedAfter: 0 } });
		expect(held.length).toBeGreaterThan(0);
		expect((await refused([held])).message).toContain('These changes are held');
		expect((await refused([[{ id: 'student-1' }]])).message).toContain('Item 1 is not a change');
		expect(await workroom.received()).toEqual([]);
	});

	test('it was applied before in the same execution', async () => {
		const { changes } = await planned();
		const words = await refused([changes, changes]);
		expect(words.message).toContain('applied before in this execution');
		expect((await posted()).length).toBe(changes.length);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'and the items do not pass as ledger rows where On Error is set to go on (%s)',
		async (onError) => {
			const { changes } = await planned();
			const { run } = await apply(workroom, [changes], { mode: 'retry', onError });
			expect(run.run.status).toBe('error');
			expect(run.outputs.flat()).toEqual([]);
		},
	);
});

test('Cancelled, it ends cleanly: what was done has its row, and so has what was not', async () => {
	const { changes } = await planned();
	await workroom.admin.addFault({ path: USER_PATH, bodyContains: 'ros-mother' }, { delayMs: 20_000 });
	const isUnderWay = async () => (await workroom.admin.countRequests({ path: USER_PATH })) > 0;
	const began = Date.now();
	const { run, rows } = await apply(workroom, [changes], {
		whenStarted: (cancel) => void until(isUnderWay).then(cancel),
	});
	expect(Date.now() - began).toBeLessThan(20_000);
	expect(run.run.status).toBe('canceled');
	const [first, second, ...rest] = rows.map(({ state }) => state);
	expect([first, second, new Set(rest)]).toEqual(['applied', 'uncertain', new Set(['not tried', 'blocked'])]);
	expect(rest).toHaveLength(6);
});

test("n8n's log tells after each batch how the run was sent so far, at its level debug, and nothing of whom it was about", async () => {
	const { changes } = await planned({ options: { ...FIRST, batchSize: 4 } });
	await workroom.admin.clearRequests();
	await workroom.admin.addFault({ path: USER_PATH, nth: 2 }, { status: 429, retryAfter: 1 });
	const batches = parted(changes);
	const lines = await linesDuring(async () => await apply(workroom, batches));
	const sent = (await posted()).length;
	expect(sent).toBe(changes.length + 1);
	// Strict: a member that is undefined stands in the log too.
	expect(lines).toStrictEqual(
		[sent - batches[1].length, sent].map((requests) => ({
			message: REQUESTS_OF_A_RUN,
			details: {
				workflowId: expect.any(String) as string,
				nodeName: 'School Partner',
				operation: 'apply',
				requests,
				retries: 1,
				highestInFlight: expect.any(Number) as number,
				pauses: 1,
				pausedMs: expect.any(Number) as number,
			},
		})),
	);
	expect(JSON.stringify(lines)).not.toMatch(/ros-|school-001|Abelia|Celestina|Fontela/);
});
