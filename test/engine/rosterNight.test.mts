/** Nights of the roster node: what is planned, sent and remembered, and what its options do. */
import type { IDataObject } from 'n8n-workflow';

import { linesDuring, REQUESTS_OF_A_RUN } from '../support/debugLog.mts';
import { until } from '../../playground/eventually.mts';

import { BOND_PATH, CLASS_PATH, USER_PATH } from './workroom.mts';
import {
	EXPORT,
	itemWithFiles,
	keysOf,
	MAPPING,
	statesOf,
	studentsOf,
	useOffice,
	withoutBond,
	zipOf,
} from './rosterStage.mts';

const office = useOffice();
const { workroom } = office;

const [CLASS, MOTHER, TEACHER, STUDENT_1, STUDENT_2] = [
	'c:school-001|ros-class-1',
	'u:school-001|ros-mother-1',
	'u:school-001|ros-teacher-1',
	'u:school-001|ros-student-1',
	'u:school-001|ros-student-2',
];
const bondOf = (user: string, profile = 'student') => `b:school-001|ros-class-1|${user}|${profile}`;
const [BOND_1, BOND_2] = [bondOf('ros-student-1'), bondOf('ros-student-2')];
const ALL = [
	CLASS,
	MOTHER,
	TEACHER,
	STUDENT_1,
	STUDENT_2,
	BOND_1,
	BOND_2,
	bondOf('ros-teacher-1', 'educator'),
];

const codesOf = (items: IDataObject[]) => items.map(({ code }) => code);
const refuse = async (words: string, status: number, path = USER_PATH) =>
	await workroom.admin.addFault({ path, bodyContains: words, times: 1 }, { documented: status });

describe('A first night', () => {
	test('is held whole: nothing is sent, and the person is told how to let it go', async () => {
		const { summary, attention, changes, run } = await office.sync();
		const [hold] = summary.holds as IDataObject[];
		expect(summary).toMatchObject({ outcome: 'held', changes: 8, ledger: { name: 'School Partner Roster' } });
		expect(hold).toMatchObject({
			school_external_id: '',
			schools: ['school-001'],
			counts: { 'create class': 1, 'create user': 4, 'create bond': 3 },
			reason: expect.stringContaining('first run') as string,
			what_to_do: expect.stringContaining('Approve') as string,
		});
		expect(codesOf(attention)).toContain('held');
		expect(changes.map(({ state, hold_id }) => [state, hold_id])).toEqual(
			ALL.map(() => ['held', hold.hold_id]),
		);
		expect(await office.sent()).toEqual([]);
		const [hint] = run.run.data.resultData.runData['School Partner'][0].hints ?? [];
		expect(hint.message).toContain(`hold_id ${String(hold.hold_id)}`);
	});

	test('sends after its approval what the export holds, as the School Partner node would, one wave after another', async () => {
		const { summary, changes } = await office.begin();
		expect(keysOf(changes)).toEqual(ALL.map((key) => `create ${key}`));
		expect(new Set(changes.map(({ state }) => state))).toEqual(new Set(['applied']));
		expect(summary).toMatchObject({ outcome: 'done', holds: [], counts: { user: { applied: 4 } } });
		const requests = await office.sent();
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
	});

	test('says of every item from which one it came, and lets no password of the files out', async () => {
		const { run } = await office.sync();
		expect(run.outputs.flat().map(({ pairedItem }) => pairedItem)).toEqual(
			run.outputs.flat().map(() => ({ item: 0 })),
		);
		expect(JSON.stringify(run.outputs)).not.toContain('secret');
	});

	test('leaves a ledger of text alone: no name, no e-mail, no date of birth', async () => {
		await office.begin();
		const cells = office.ledger.flatMap(({ id: _id, ...row }) => Object.values(row));
		expect(cells.filter((cell) => typeof cell !== 'string')).toEqual([]);
		expect(JSON.stringify(office.ledger)).not.toMatch(/Abelia|Celestina|Fontela|mother@family/);
	});

	test('that is only previewed writes nothing and makes no ledger', async () => {
		const { summary, changes } = await office.preview();
		const held = await office.sync();
		expect(changes.map(({ key, state }) => [key, state])).toEqual(ALL.map((key) => [key, 'held']));
		expect((summary.holds as IDataObject[])[0].hold_id).toBe(
			(held.summary.holds as IDataObject[])[0].hold_id,
		);
		expect(summary).toMatchObject({ run_id: '', ledger: { rows: 0 } });
		expect(await office.sent()).toEqual([]);
	});

	test('is none after Take Over: the ledger knows everything, and nothing was sent', async () => {
		const { summary, changes } = await office.takeOver();
		expect(summary).toMatchObject({ outcome: 'done', counts: { bond: { applied: 3 } } });
		expect(changes.map(({ action }) => action)).toEqual(ALL.map(() => 'note'));
		expect((await office.sync()).changes).toEqual([]);
		expect(await workroom.received()).toEqual([]);
		expect(codesOf((await office.takeOver()).attention)).toContain('schoolKnown');
	});
});

describe('The night after', () => {
	test('sends nothing and asks nothing when nothing is different', async () => {
		await office.begin();
		await workroom.admin.clearRequests();
		const { summary, changes } = await office.sync();
		expect(changes).toEqual([]);
		expect(summary).toMatchObject({ outcome: 'nothing', counts: { user: { same: 4 }, bond: { same: 3 } } });
		expect(await workroom.received()).toEqual([]);
	});

	test('removes the bond of a student who left the class; one that is gone already counts as removed', async () => {
		await office.begin();
		const night = { roster: [withoutBond('e2')] };
		const gone = { ...night, roster: [withoutBond('e1')] };
		expect(statesOf((await office.sync(night)).changes)).toEqual({ [BOND_2]: 'removed' });
		await workroom.admin.addFault({ path: BOND_PATH, method: 'DELETE', times: 1 }, { status: 404 });
		expect(statesOf((await office.sync(gone)).changes)).toEqual({ [BOND_1]: 'removed', [BOND_2]: 'applied' });
	});

	test('does not take the page of a proxy for a bond that is gone: it is removed the night after', async () => {
		await office.begin();
		const night = { roster: [withoutBond('e2')] };
		await workroom.admin.addFault({ path: BOND_PATH, times: 1 }, { htmlPage: true, status: 404 });
		expect(statesOf((await office.sync(night)).changes)).toEqual({ [BOND_2]: 'failed' });
		expect(statesOf((await office.sync(night)).changes)).toEqual({ [BOND_2]: 'removed' });
	});
});

describe('Where nothing is filled in under', () => {
	test.each([
		['goes on', 'Pacific/Niue', ALL],
		['is over', 'Pacific/Kiritimati', ALL.filter((key) => key !== BOND_2)],
	])(
		"As Of, today is the day of the workflow's time zone: a bond that ends on the day that it is now in Niue %s in %s",
		async (_what, timezone, keys) => {
			// A whole day and an hour lie between the two: it is never the same day in both.
			const inNiue = new Date().toLocaleDateString('sv', { timeZone: 'Pacific/Niue' });
			const ended = EXPORT['enrollments.csv'].replace(/^(e2,.*),$/m, `$1,${inNiue}`);
			const inYear = EXPORT['academicSessions.csv']
				.replace('2026-02-01', '2000-01-01')
				.replace('2026-12-20', '2999-12-31');
			const roster = [zipOf({ 'enrollments.csv': ended, 'academicSessions.csv': inYear })];
			const parameters = { mapping: { ...MAPPING, asOf: '' } };
			const { changes } = await office.preview({ roster, parameters, timezone });
			expect(changes.map(({ key }) => key)).toEqual(keys);
		},
	);

	test('File Fields, single files of all items are read; named, only those', async () => {
		const files = Object.fromEntries(Object.entries(EXPORT).map(([name, text]) => [name, Buffer.from(text)]));
		const { 'users.csv': users, ...others } = files;
		const apart = [itemWithFiles(others), itemWithFiles({ 'users.csv': users })];
		expect((await office.preview({ roster: apart })).changes).toHaveLength(ALL.length);
		const picture = itemWithFiles({ 'logo.png': Buffer.from('x') }).binary!.data;
		const beside = [{ ...zipOf(), binary: { roster: zipOf().binary!.data, picture } }];
		const named = await office.preview({ roster: beside, options: { fileFields: 'roster' } });
		expect(named.changes).toHaveLength(ALL.length);
		expect(codesOf(named.attention)).not.toContain('fileNotUsed');
	});
});

describe('The option', () => {
	test('Grace Period keeps a bond for so many days after it is missed first', async () => {
		await office.begin();
		const night = { roster: [withoutBond('e2')], options: { gracePeriodDays: 3 } };
		for (let day = 0; day < 3; day++) {
			const previewed = await office.preview(night);
			const { changes, summary } = await office.sync(night);
			expect(keysOf(changes).filter((key) => key.startsWith('remove'))).toEqual([]);
			expect([previewed.summary.outcome, summary.outcome]).toEqual(['nothing', 'nothing']);
			office.pass();
		}
		expect(keysOf((await office.sync(night)).changes)).toEqual([`remove ${BOND_2}`]);
	});

	test('Missing Rows Mean: records that are not all there remove nothing, unless a person says that they have left', async () => {
		const { outputs } = await office.run('readFiles');
		const parameters = { source: 'records' };
		await office.begin({ roster: outputs[0], parameters });
		const night = { roster: outputs[0].filter(({ json }) => json.kind !== 'bond'), parameters };
		expect((await office.sync(night)).changes).toEqual([]);
		const { changes } = await office.sync({ ...night, options: { missingRowsMean: 'hasLeft' } });
		expect(changes.map(({ action }) => action)).toEqual(['remove', 'remove', 'remove']);
	});

	const teacherOf = (school: string) => {
		const ids = { school_external_id: school, external_id: 'T-1' };
		const name = { first_name: 'Dália', last_name: 'Imaginária' };
		return { json: { kind: 'user', ...ids, ...name, profiles: ['educator'] } };
	};

	test('Only Schools neither changes nor misses other schools', async () => {
		const parameters = { source: 'records' };
		const [records] = (await office.run('readFiles')).outputs;
		const roster = [...records, teacherOf('school-002')];
		const first = await office.begin({ roster, parameters, options: { onlySchools: 'school-001' } });
		expect(keysOf(first.changes)).toEqual(ALL.map((key) => `create ${key}`));
		const options = { onlySchools: 'school-002', missingRowsMean: 'hasLeft' };
		const withoutBonds = roster.filter(({ json }) => json.kind !== 'bond');
		const { changes } = await office.sync({ roster: withoutBonds, parameters, options });
		expect(keysOf(changes)).toEqual(['create u:school-002|T-1']);
	});

	test('User IDs Unique Within makes one user of a person in two schools, or two', async () => {
		const roster = [teacherOf('school-001'), teacherOf('school-002')];
		const night = { roster, parameters: { source: 'records' } };
		expect((await office.preview(night)).changes.map(({ key }) => key)).toEqual([
			'u:school-001|T-1',
			'u:school-002|T-1',
		]);
		const within = { ...night, options: { userIdsUniqueWithin: 'network' } };
		const { changes, attention } = await office.preview(within);
		expect([...changes, ...attention].map(({ key }) => key)).toEqual(
			expect.arrayContaining([expect.stringMatching(/^u:T-1$/) as string]),
		);
	});

	test.each<[string, string, string]>([
		['report', 'exists', 'blocked'],
		['adopt', 'applied', 'applied'],
	])(
		'Existing Records (%s): a user of whom the service says so is %s, and the bond that needs it is %s',
		async (existing, user, bond) => {
			await office.approve(await office.sync());
			const match = { path: USER_PATH, bodyContains: 'ros-student-1', times: 1 };
			// The user is there: somebody has created it by hand.
			await workroom.admin.addFault(match, { status: 409, afterwards: true });
			const options = { existing, existsStatuses: '409' };
			const states = statesOf((await office.sync({ options })).changes);
			expect([states[STUDENT_1], states[BOND_1]]).toEqual([user, bond]);
		},
	);

	test('Statuses That Mean It Exists is empty at first: such a refusal is a refusal', async () => {
		await office.approve(await office.sync());
		await refuse('ros-student-1', 409);
		const { changes } = await office.sync();
		expect(statesOf(changes)[STUDENT_1]).toBe('failed');
	});

	test('Changed Records sends again only where a person says so', async () => {
		await office.begin();
		const renamed = { 'users.csv': EXPORT['users.csv'].replace('mother@family', 'celestina@family') };
		const told = await office.sync({ roster: [zipOf(renamed)] });
		expect([told.changes, codesOf(told.attention)]).toEqual([[], ['recordChanged']]);
		await workroom.admin.changeSettings({ duplicates: 'accept' });
		const sent = await office.sync({ roster: [zipOf(renamed)], options: { changedRecords: 'sendAgain' } });
		expect(statesOf(sent.changes)).toEqual({ [MOTHER]: 'applied' });
	});

	test.each<[boolean, string]>([
		[true, 'applied'],
		[false, 'uncertain'],
	])(
		'Send Creations Again on 503: %s, and a user whom the service refused so is %s',
		async (isAgain, state) => {
			await office.approve(await office.sync());
			await refuse('ros-teacher-1', 503);
			const { changes } = await office.sync({ options: { creationsAgainOn503: isAgain } });
			expect(statesOf(changes)[TEACHER]).toBe(state);
		},
	);

	test('Concurrency and Max Concurrency bound what is on its way at the same time', async () => {
		const night = { ...studentsOf(60), options: { concurrency: 3 } };
		await office.approve(await office.sync(night));
		await workroom.admin.resetPace();
		await workroom.admin.changeSettings({ latencyMs: 20 });
		await office.sync(night);
		expect((await workroom.admin.pace()).highestInFlight).toBe(3);
	});
});

describe('What the service refuses', () => {
	test('is told with its words, its place and its failure as data; what needs it is blocked, not sent, and counted', async () => {
		await office.approve(await office.sync());
		await refuse('ros-mother-1', 422);
		const { summary, attention, changes } = await office.sync();
		expect(statesOf(changes)).toEqual({
			[MOTHER]: 'failed',
			[STUDENT_1]: 'blocked',
			[STUDENT_2]: 'blocked',
			[BOND_1]: 'blocked',
			[BOND_2]: 'blocked',
			[CLASS]: 'applied',
			[TEACHER]: 'applied',
			[bondOf('ros-teacher-1', 'educator')]: 'applied',
		});
		// What was not done comes first.
		expect(changes[0]).toMatchObject({
			key: MOTHER,
			source: { file: 'users.csv', line: 5 },
			failure: { status: 422, origin: 'service', effect: 'none' },
			error: expect.stringContaining('(422)') as string,
		});
		expect(changes.find(({ key }) => key === STUDENT_1)?.error).toContain(MOTHER);
		expect(attention).toMatchObject([
			{ severity: 'error', key: MOTHER, external_id: 'ros-mother-1', blocks: 4, file: 'users.csv', line: 5 },
		]);
		expect(summary).toMatchObject({ outcome: 'attention', causes: [{ severity: 'error', count: 1 }] });
		expect((await office.sent()).filter(({ body }) => JSON.stringify(body).includes('ros-student'))).toEqual(
			[],
		);
	});

	test('comes again the night after, and only that, without a new approval', async () => {
		await office.approve(await office.sync());
		await refuse('ros-mother-1', 422);
		const { attention } = await office.sync();
		expect(attention.find(({ key }) => key === MOTHER)?.what_to_do).toMatch(
			/is tried again on \d{4}-\d\d-\d\d/,
		);
		expect(codesOf((await office.sync()).attention)).toContain('refusedBefore');
		office.pass();
		const { changes } = await office.sync();
		expect(keysOf(changes)).toEqual(
			[MOTHER, STUDENT_1, STUDENT_2, BOND_1, BOND_2].map((key) => `create ${key}`),
		);
		expect(new Set(changes.map(({ state }) => state))).toEqual(new Set(['applied']));
		expect((await office.sync()).changes).toEqual([]);
	});

	test('of a bond whose class and user the ledger has: the service may not have one of them, and Resolve is told for which', async () => {
		await office.approve(await office.sync());
		await workroom.admin.addFault({ path: BOND_PATH, bodyContains: 'ros-student-1' }, { status: 422 });
		const { attention } = await office.sync();
		expect(attention.find(({ key }) => key === BOND_1)).toMatchObject({
			severity: 'error',
			what_to_do: expect.stringContaining(
				`run the operation Resolve with ${CLASS} or ${STUDENT_1}`,
			) as string,
		});
	});

	test('is uncertain where the answer was lost after the work: it is told, not sent again unseen, and settled by Resolve', async () => {
		await office.approve(await office.sync());
		await workroom.admin.addFault({ path: CLASS_PATH, times: 1 }, { status: 500, afterwards: true });
		const { changes } = await office.sync();
		expect(changes[0]).toMatchObject({ key: CLASS, state: 'uncertain', failure: { effect: 'unknown' } });
		const night = await office.sync();
		expect(night.changes).toEqual([]);
		expect(codesOf(night.attention)).toContain('uncertain');
		await office.decide('resolve', [{ key: CLASS, is: 'inService', by: 'Ana' }]);
		expect(codesOf((await office.sync()).attention)).not.toContain('uncertain');
		expect((await office.sync()).summary).toMatchObject({ outcome: 'nothing' });
	});
});

test('Cancelled, it ends cleanly: what was done has its row, and the next night goes on with the rest', async () => {
	await office.approve(await office.sync());
	const slow = await workroom.admin.addFault(
		{ path: USER_PATH, bodyContains: 'ros-mother' },
		{ delayMs: 20_000 },
	);
	const isUnderWay = async () => (await workroom.admin.countRequests({ path: USER_PATH })) > 0;
	const began = Date.now();
	const run = await office.run('sync', { whenStarted: (cancel) => void until(isUnderWay).then(cancel) });
	expect(Date.now() - began).toBeLessThan(20_000);
	expect(run.run.status).toBe('canceled');
	const states = Object.fromEntries(office.ledger.map(({ key, state }) => [key, state]));
	expect([states[CLASS], states[MOTHER]]).toEqual(['applied', 'uncertain']);
	await workroom.admin.clearFaults(slow);
	const { changes } = await office.sync();
	expect(keysOf(changes)).toContain(`create ${bondOf('ros-teacher-1', 'educator')}`);
});

test("n8n's log tells at its level debug how the lookups were sent, by numbers alone", async () => {
	const lines = await linesDuring(async () => await office.preview());
	const requests = (await workroom.received('/data')).length;
	expect(lines).toMatchObject([
		{ message: REQUESTS_OF_A_RUN, details: { operation: 'preview', requests, retries: 0, pauses: 0 } },
	]);
	expect(JSON.stringify(lines)).not.toMatch(/ros-|school-001|Abelia|Celestina|Fontela/);
});
