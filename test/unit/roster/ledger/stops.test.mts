/** What is wrong with a ledger stops or holds everything, and says so in words that need no code. */
import type { LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import {
	actionsOf,
	applied,
	firstNight,
	night,
	nightOf,
	ofSchools,
	planAt,
	planned,
	stopOf,
} from '../night.mts';
import { Service } from '../service.mts';
import { aClass, aSchool, aUser, rosterOf } from '../world.mts';

const WORLD = rosterOf(aSchool('north', 2, 20));
const MORE = rosterOf([
	...WORLD.records,
	aClass('c9', 'north'),
	aClass('c8', 'north'),
	aUser('t9', 'educator', 'north'),
]);
const HOUR = 3_600_000;
const MINUTE = 60_000;

function ledgerOf(options = {}): Promise<LedgerRow[]> {
	return firstNight(WORLD, new Service(), { batchSize: 10, ...options });
}

describe('Nothing is planned', () => {
	test('with an empty ledger, unless it is the first run', async () => {
		for (const empty of [[], [{}], [{ id: null, key: '' }]]) {
			expect(await stopOf(nightOf(1), WORLD, empty)).toMatchObject({
				code: 'ledgerEmpty',
				origin: 'input',
				effect: 'none',
				next: expect.stringContaining('First Run') as string,
			});
		}
		expect((await planned(nightOf(0), WORLD, [{}], { firstRun: true })).changes.length).toBe(122);
	});

	test('in a first run with a ledger that has rows', async () => {
		expect(await stopOf(nightOf(1), WORLD, await ledgerOf(), { firstRun: true })).toMatchObject({
			code: 'ledgerNotEmpty',
		});
	});

	test('with a table that is no ledger, or columns that are not there', async () => {
		const other = [{ id: 1, createdAt: '2026-01-01', name: 'x' }];
		expect(await stopOf(nightOf(1), WORLD, other)).toMatchObject({
			code: 'ledgerOfOther',
			message: expect.stringContaining('1 of 1 items') as string,
		});
		expect(await stopOf(nightOf(1), WORLD, other, { firstRun: true })).toMatchObject({
			code: 'ledgerOfOther',
		});
		const withoutState = (await ledgerOf()).map(({ state: _state, ...row }) => row);
		expect(await stopOf(nightOf(1), WORLD, withoutState)).toMatchObject({
			code: 'ledgerRowUnreadable',
			message: 'Item 1 of the ledger cannot be read as a row of it',
		});
	});

	test('with a ledger that has lost rows', async () => {
		const service = new Service();
		const ledger = await ledgerOf();
		const { ledger: after } = await night(nightOf(1), MORE, ledger, service);
		const lost = after.filter((_row, index) => index !== 30);
		expect(await stopOf(nightOf(2), MORE, lost)).toMatchObject({
			code: 'ledgerCut',
			message: `The ledger has lost rows: run ${after[after.length - 1].run_id} found ${ledger.length} rows before its own, now there are ${ledger.length - 1}`,
			next: expect.stringContaining('Return All') as string,
		});
	});

	test('with outcomes of a run whose plan was not written: changes were applied first', async () => {
		const plan = await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 });
		const ledger = await applied(plan.changes, new Service(), nightOf(0), 3);
		expect(await stopOf(nightOf(1), WORLD, ledger)).toMatchObject({
			code: 'ledgerRunRowMissing',
			next: expect.stringContaining('before Apply Changes begins') as string,
		});
	});

	test.each([
		['address of the service', { service: 'https://other.example' }, 'ledgerOfOtherService'],
		['client', { client: 'client-2' }, 'ledgerOfOtherClient'],
		['place where ids come from', { identity: { userIdFrom: 'username' } }, 'ledgerOfOtherIdentity'],
	])('with the ledger of another %s', async (_what, means, code) => {
		expect(await stopOf(nightOf(1), MORE, await ledgerOf(), {}, means)).toMatchObject({
			code,
			effect: 'none',
		});
	});

	test('but not with a plan that does not talk to the service, and the ledger keeps for which service it is', async () => {
		const silent = await planAt(nightOf(1), MORE, await ledgerOf(), {}, { service: '', client: '' });
		if (!silent.ok) throw new Error(silent.failure.message);
		const ledger = [
			...(await ledgerOf()),
			...silent.value.ledgerRows,
			...(await applied(silent.value.changes, new Service(), nightOf(1))),
		];
		expect(await stopOf(nightOf(2), MORE, ledger, {}, { service: 'https://other.example' })).toMatchObject({
			code: 'ledgerOfOtherService',
		});
		expect((await planned(nightOf(2), MORE, ledger)).changes).toEqual([]);
	});

	test('with other user keys than the ledger’s', async () => {
		expect(await stopOf(nightOf(1), MORE, await ledgerOf(), { userKeys: 'school' })).toMatchObject({
			code: 'ledgerOfOtherIdentity',
		});
	});

	test('while a run is under way: its last row is younger than an hour', async () => {
		const plan = await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 });
		const ledger = [
			...plan.ledgerRows,
			...(await applied(plan.changes, new Service(), nightOf(0) + 30 * MINUTE, 3)),
		];
		expect(
			await stopOf(nightOf(0) + 80 * MINUTE, WORLD, ledger, { afterInterruption: 'goOn' }),
		).toMatchObject({
			code: 'runUnderWay',
			next: expect.stringMatching(/Return All on.*Unfinished After/) as string,
		});
		expect((await planned(nightOf(0) + 91 * MINUTE, WORLD, ledger)).held.length).toBeGreaterThan(0);
		expect(
			(await planned(nightOf(0) + 41 * MINUTE, WORLD, ledger, { unfinishedAfter: 10 })).held.length,
		).toBeGreaterThan(0);
	});

	test('but for no run that the last one knew to have ended: who has gone on after a crash need not wait an hour', async () => {
		const [service, began] = [new Service(), nightOf(0)];
		const cut = await night(began, WORLD, [], service, { firstRun: true, batchSize: 10 }, 3);
		const goOn = {
			batchSize: 10,
			unfinishedAfter: 0,
			afterInterruption: 'goOn',
			uncertainCreations: 'sendAgain',
		} as const;
		const { ledger } = await night(began + 10 * MINUTE, WORLD, cut.ledger, service, goOn);
		const after = await planned(began + 20 * MINUTE, WORLD, ledger);
		expect([after.changes, after.held]).toEqual([[], []]);
		// The run that was taken for ended writes after all.
		const late = await applied(cut.plan.changes, service, began + 15 * MINUTE, 4);
		expect(await stopOf(began + 20 * MINUTE, WORLD, [...ledger, ...late.slice(30)])).toMatchObject({
			code: 'runUnderWay',
		});
	});

	test('while a run is under way that another was planned beside, and is done', async () => {
		const service = new Service();
		const [slow, fast] = [
			await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 }),
			await night(nightOf(0) + MINUTE, WORLD, [], service, { firstRun: true, batchSize: 10 }),
		];
		const ledger = [
			...slow.ledgerRows,
			...(await applied(slow.changes, service, nightOf(0) + 5 * MINUTE, 3)),
			...fast.ledger,
		];
		expect(await stopOf(nightOf(0) + 10 * MINUTE, WORLD, ledger)).toMatchObject({ code: 'runUnderWay' });
	});

	test('with a row of a run that came back cut', async () => {
		const ledger = (await ledgerOf({ batchSize: 500 })).map((row) => ({
			...row,
			detail: row.detail.slice(0, 255),
		}));
		expect(await stopOf(nightOf(1), WORLD, ledger)).toMatchObject({
			code: 'ledgerDetailUnreadable',
			next: expect.stringContaining('without a limit') as string,
		});
	});
});

describe('A run that did not come to its end', () => {
	/** Batches of 10; so many are written, and one more is sent. */
	async function crashed(written: number, service = new Service()) {
		const plan = await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 });
		return [...plan.ledgerRows, ...(await applied(plan.changes, service, nightOf(0), written))];
	}

	test('holds the next plan, whatever its size, and says what to do', async () => {
		const { changes, ledgerRows, held, summary } = await planned(nightOf(1), WORLD, await crashed(11));
		expect([changes, ledgerRows]).toEqual([[], []]);
		expect(held.length).toBe(2);
		expect(summary.held_because).toMatchObject([{ school_external_id: '', plan_id: summary.plan_id }]);
		expect(summary.held_because[0].reason).toContain('did not come to its end');
		expect(summary.held_because[0].what_to_do).toContain('Return All');
	});

	test('leaves only the batch after the last one uncertain; the others were never begun', async () => {
		const service = new Service();
		const ledger = await crashed(4, service);
		expect(service.all()).toHaveLength(50);
		const { plan, ledger: after } = await night(nightOf(1), WORLD, ledger, service, {
			afterInterruption: 'goOn',
		});
		expect(
			plan.summary.counts.user.uncertain +
				plan.summary.counts.class.uncertain +
				plan.summary.counts.bond.uncertain,
		).toBe(10);
		expect(plan.findings).toMatchObject([{ code: 'uncertain', count: 10 }]);
		expect(plan.changes).toHaveLength(122 - 50);
		expect(plan.held).toEqual([]);
		expect(service.all()).toHaveLength(122);
		// It stays uncertain until somebody says what is so.
		expect((await planned(nightOf(2), WORLD, after)).summary.counts.user.uncertain).toBe(10);
		const { plan: told, ledger: done } = await night(nightOf(2), WORLD, after, service, {
			takeAsDone: 'uncertain',
		});
		expect(told.changes).toHaveLength(10);
		expect(await planned(nightOf(3), WORLD, done)).toMatchObject({ changes: [], findings: [] });
	});

	test('sends what is uncertain again where that was asked for', async () => {
		const service = new Service();
		const ledger = await crashed(4, service);
		const { plan, ledger: after } = await night(nightOf(1), WORLD, ledger, service, {
			afterInterruption: 'goOn',
			uncertainCreations: 'sendAgain',
		});
		expect(plan.changes).toHaveLength(122 - 40);
		expect(service.all()).toHaveLength(122);
		expect(await planned(nightOf(2), WORLD, after)).toMatchObject({ changes: [], findings: [] });
	});

	test('has begun nothing, and excuses nothing, when the rows of its plan were not written to their end', async () => {
		const plan = await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 });
		const { changes, held, summary } = await planned(nightOf(1), WORLD, plan.ledgerRows.slice(0, 12), {
			afterInterruption: 'goOn',
		});
		expect([changes.length, held.length]).toEqual([0, 122]);
		expect(summary.counts.user.uncertain).toBe(0);
	});

	test('may have begun its first batch when nothing but its plan was written', async () => {
		const { changes, summary } = await planned(nightOf(1), WORLD, await crashed(0), {
			afterInterruption: 'goOn',
		});
		expect(changes).toHaveLength(112);
		expect(summary.counts.user.uncertain + summary.counts.class.uncertain).toBe(10);
	});

	test('stops everything where rows of its batches were lost', async () => {
		const ledger = (await crashed(4)).filter(({ key }) => key !== 'batch:12');
		expect(await stopOf(nightOf(1), WORLD, ledger, { afterInterruption: 'goOn' })).toMatchObject({
			code: 'ledgerBatchMissing',
		});
	});

	test('is told where what it may have created has left the export: nothing but a digest of it is known', async () => {
		const ledger = await crashed(4);
		const digests = (await planned(nightOf(1), WORLD, ledger)).findings;
		expect(digests).toMatchObject([{ code: 'uncertain', count: 10 }]);
		const without = rosterOf(
			WORLD.records.filter(
				({ fields }) => fields.external_id !== 'north-c2-s20' && fields.user_external_id !== 'north-c2-s20',
			),
		);
		const ofBatch = (await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 10 })).changes
			.filter(({ batch }) => batch === 5)
			.map(({ key }) => key);
		const left = rosterOf(
			WORLD.records.filter(({ fields }) => `u:${String(fields.external_id)}` !== ofBatch[0]),
		);
		expect((await planned(nightOf(1), without, ledger)).findings.map(({ code }) => code)).not.toContain(
			'uncertainLeft',
		);
		expect((await planned(nightOf(1), left, ledger)).findings).toContainEqual(
			expect.objectContaining({ code: 'uncertainLeft', severity: 'warning', count: 1 }),
		);
	});

	test('excuses what it had planned, so that the rest is not held as new', async () => {
		const service = new Service();
		const big = rosterOf(aSchool('north', 4, 100));
		const plan = await planned(nightOf(0), big, [], { firstRun: true });
		const ledger = [...plan.ledgerRows, ...(await applied(plan.changes, service, nightOf(0), 0))];
		const { changes, held } = await planned(nightOf(1), big, ledger, { afterInterruption: 'goOn' });
		expect(held).toEqual([]);
		expect(changes).toHaveLength(1204 - 500);
	});

	test('is past when the run after it came to its end', async () => {
		const service = new Service();
		const { ledger } = await night(nightOf(1), WORLD, await crashed(4, service), service, {
			afterInterruption: 'goOn',
		});
		expect((await planned(nightOf(2), MORE, ledger)).held).toEqual([]);
	});

	test('is let go on by the id of the plan', async () => {
		const ledger = await crashed(4);
		const { summary } = await planned(nightOf(1), WORLD, ledger);
		expect(
			(await planned(nightOf(1), WORLD, ledger, { approvedPlan: [summary.plan_id] })).changes,
		).toHaveLength(72);
		expect(
			(
				await planned(nightOf(1), WORLD, ledger, {
					approvedPlan: summary.schools.map(({ plan_id: id }) => id),
				})
			).changes,
		).toEqual([]);
	});
});

describe('A ledger of which only the first 50 rows were read', () => {
	test('brings nothing out, and says what to switch on', async () => {
		const ledger = (await ledgerOf()).slice(0, 50);
		for (const options of [{}, { afterInterruption: 'goOn' as const }]) {
			const { changes, summary, findings } = await planned(nightOf(1), WORLD, ledger, options);
			expect(changes).toEqual([]);
			expect(summary.held_because[0].what_to_do).toContain('switch Return All on');
			expect(findings).toContainEqual(
				expect.objectContaining({ code: 'ledgerFiftyRows', severity: 'warning' }),
			);
		}
	});
});

test('Of a run whose plan was not written, what the stop says to do leaves nobody out', async () => {
	const service = new Service();
	const world = rosterOf(aSchool('north', 1, 10));
	const { ledger } = await night(nightOf(0), world, [], service, { firstRun: true });
	const more = rosterOf([...world.records, ...aSchool('south', 1, 10)]);
	const run = await planned(nightOf(1), more, ledger, { batchSize: 10 });
	const rows = await applied(run.changes, service, nightOf(1), 1);
	const { code, next } = await stopOf(nightOf(2), more, [...ledger, ...rows]);
	expect([code, next]).toEqual([
		'ledgerRunRowMissing',
		expect.stringMatching(/output Ledger Rows.*Take as Done.*holds them alone/) as string,
	]);
	const late = [...ledger, ...rows, ...run.ledgerRows];
	const settled = await night(nightOf(2), more, late, service, {
		afterInterruption: 'goOn',
		uncertainCreations: 'sendAgain',
	});
	expect(service.all()).toHaveLength(more.records.length);
	expect((await planned(nightOf(3), more, settled.ledger)).changes).toEqual([]);

	const done = new Set(rows.filter(({ state }) => state === 'applied').map(({ key }) => key));
	const alone = rosterOf(
		run.changes.flatMap(({ key, source }) =>
			done.has(key) ? more.records.filter((record) => record.source === source) : [],
		),
		{
			completeness: { class: 'changes', user: 'changes', bond: 'changes' },
		},
	);
	const taken = await night(nightOf(2), alone, ledger, service, { takeAsDone: 'everything' });
	expect(taken.plan.changes.map(({ action }) => action)).toEqual([...done].map(() => 'note'));
	expect((await planned(nightOf(3), more, taken.ledger)).changes).toHaveLength(
		more.records.length - world.records.length - done.size,
	);
});

describe('Two runs at once', () => {
	test('hold the next plan', async () => {
		const service = new Service();
		const ledger = await ledgerOf();
		const one = await planned(nightOf(1), MORE, ledger, {}, { tail: 'one' });
		const other = await planned(nightOf(1), MORE, ledger, {}, { tail: 'other' });
		const after = [
			...ledger,
			...one.ledgerRows,
			...(await applied(one.changes, service, nightOf(1))),
			...other.ledgerRows,
			...(await applied(other.changes, service, nightOf(1))),
		];
		const { changes, held, summary } = await planned(
			nightOf(2),
			rosterOf([...MORE.records, aClass('c7', 'north')]),
			after,
		);
		expect([changes.length, held.length]).toEqual([0, 1]);
		expect(summary.held_because[0].reason).toContain('two ran at once');
	});
});

describe('A clock that went back', () => {
	test('still gives the new run an id above those of the ledger', async () => {
		const service = new Service();
		const ledger = await ledgerOf();
		const { ledger: after, plan } = await night(nightOf(0) - 5 * HOUR, MORE, ledger, service);
		expect(plan.summary.run_id > ledger[0].run_id).toBe(true);
		expect(await planned(nightOf(0) - 4 * HOUR, MORE, after)).toMatchObject({ changes: [] });
	});
});

describe('One school at a time', () => {
	const BOTH = rosterOf([...aSchool('north', 1, 10), ...aSchool('south', 1, 10)]);

	test('plans these schools only, in batches that Loop Over Items makes, with rows of the run and its batches for each', async () => {
		const { changes, ledgerRows } = await planned(nightOf(0), BOTH, [], {
			firstRun: true,
			batchSize: 20,
			...ofSchools('north', 'south'),
		});
		expect(changes.map(({ batch }) => batch)).toEqual(changes.map((_, index) => Math.floor(index / 20) + 1));
		for (const school of ['north', 'south']) {
			const [run, ...batches] = ledgerRows.filter((row) => row.school_external_id === school);
			expect(run.kind).toBe('run');
			const own = changes.filter((change) => change.school_external_id === school);
			expect(batches.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
				...new Set(own.map(({ batch }) => `batch batch:${batch}`)),
			]);
			expect(JSON.parse(run.detail)).toMatchObject({ changes: own.length, batches: batches.length });
		}
		expect(
			(await planned(nightOf(0), BOTH, [], { firstRun: true, ...ofSchools('south') })).changes.every(
				({ school_external_id: school }) => school === 'south',
			),
		).toBe(true);
	});

	test('needs the rows of these schools only', async () => {
		const service = new Service('school');
		const { ledger } = await night(nightOf(0), BOTH, [], service, {
			firstRun: true,
			...ofSchools('north', 'south'),
		});
		const north = ledger.filter(({ school_external_id: school }) => school === 'north');
		for (const rows of [north, ledger]) {
			const { changes, summary } = await planned(
				nightOf(1),
				rosterOf([...BOTH.records, aClass('x', 'north'), aClass('y', 'south')]),
				rows,
				ofSchools('north'),
			);
			expect(actionsOf({ changes })).toEqual(['create c:north|x']);
			expect(summary.ledger_rows).toBe(north.length);
		}
	});

	test('needs a first run for each school, and refuses it for one that was there', async () => {
		const service = new Service('school');
		const { ledger } = await night(nightOf(0), BOTH, [], service, { firstRun: true, ...ofSchools('north') });
		expect(await stopOf(nightOf(1), BOTH, ledger, ofSchools('north', 'south'))).toMatchObject({
			code: 'ledgerEmpty',
			message: expect.stringContaining('school south') as string,
		});
		expect(
			await stopOf(nightOf(1), BOTH, ledger, { firstRun: true, ...ofSchools('north', 'south') }),
		).toMatchObject({ code: 'ledgerNotEmpty' });
		expect(
			(await planned(nightOf(1), BOTH, ledger, { firstRun: true, ...ofSchools('south') })).changes,
		).toHaveLength(31);
	});

	test('goes on with the others where the export has nothing of a school yet, and says so', async () => {
		const options = ofSchools('north', 'west');
		const { ledger } = await night(nightOf(0), BOTH, [], new Service('school'), {
			firstRun: true,
			...options,
		});
		const tonight = rosterOf([...BOTH.records, aClass('x', 'north')]);
		const { changes, findings } = await planned(nightOf(1), tonight, ledger, options);
		expect(actionsOf({ changes })).toEqual(['create c:north|x']);
		expect(findings).toMatchObject([
			{ code: 'schoolEmpty', message: expect.stringContaining('school west') as string },
		]);
		expect(
			await stopOf(nightOf(1), rosterOf([...tonight.records, aClass('y', 'west')]), ledger, options),
		).toMatchObject({ code: 'ledgerEmpty', message: expect.stringContaining('school west') as string });
	});

	test('leaves a bond that is in the export and whose school cannot be told', async () => {
		const { ledger } = await night(nightOf(0), BOTH, [], new Service('school'), {
			firstRun: true,
			...ofSchools('north'),
		});
		const lost = BOTH.records.find(({ kind }) => kind === 'bond');
		const { school_external_id: _school, ...fields } = lost?.fields ?? {};
		const roster = rosterOf(
			BOTH.records.filter((record) => record !== lost),
			{ faulty: [{ kind: 'bond', fields, source: { file: 'enrollments.csv', line: 2 } }] },
		);
		expect((await planned(nightOf(1), roster, ledger, ofSchools('north'))).changes).toEqual([]);
	});

	test('an interrupted school is held alone', async () => {
		const service = new Service('school');
		const first = await night(nightOf(0), BOTH, [], service, {
			firstRun: true,
			batchSize: 20,
			...ofSchools('north'),
		});
		const second = await planned(nightOf(1), BOTH, first.ledger, {
			firstRun: true,
			batchSize: 20,
			...ofSchools('south'),
		});
		const ledger = [
			...first.ledger,
			...second.ledgerRows,
			...(await applied(second.changes, service, nightOf(1), 1)),
		];
		const more = rosterOf([...BOTH.records, aClass('x', 'north'), aClass('y', 'south')]);
		const { changes, held, summary } = await planned(nightOf(2), more, ledger, ofSchools('north', 'south'));
		expect(actionsOf({ changes })).toEqual(['create c:north|x']);
		expect(held.map(({ key }) => key)).toEqual(['c:south|y']);
		expect(summary.held_because).toMatchObject([{ school_external_id: 'south' }]);
	});

	test('what is left over of a school comes the next time without being held', async () => {
		const service = new Service('school');
		const roster = rosterOf([...aSchool('north', 1, 60), ...aSchool('south', 1, 60)]);
		let { ledger, plan } = await night(nightOf(0), roster, [], service, {
			firstRun: true,
			mostChanges: 100,
			...ofSchools('north', 'south'),
		});
		for (let number = 1; number <= 3; number++) {
			({ ledger, plan } = await night(nightOf(number), roster, ledger, service, {
				mostChanges: 100,
				...ofSchools('north', 'south'),
			}));
			expect(plan.held).toEqual([]);
		}
		expect(plan.summary.left).toBe(0);
		expect(service.all()).toHaveLength(362);
	});

	test('needs users to be told apart by school', async () => {
		expect(await stopOf(nightOf(0), BOTH, [], { firstRun: true, onlySchools: ['north'] })).toMatchObject({
			code: 'onlySchoolsNeedsUserKeys',
		});
	});

	test('and a ledger of all schools do not go together', async () => {
		const service = new Service('school');
		const whole = await firstNight(BOTH, service, { userKeys: 'school' });
		expect(await stopOf(nightOf(1), BOTH, whole, ofSchools('north'))).toMatchObject({
			code: 'ledgerWrittenForAll',
		});
		const { ledger } = await night(nightOf(0), BOTH, [], service, { firstRun: true, ...ofSchools('north') });
		expect(await stopOf(nightOf(1), BOTH, ledger, { userKeys: 'school' })).toMatchObject({
			code: 'ledgerWrittenForSchools',
		});
		expect(await stopOf(nightOf(1), BOTH, [...whole, ...ledger], { userKeys: 'school' })).toMatchObject({
			code: 'ledgerMixed',
		});
	});
});
