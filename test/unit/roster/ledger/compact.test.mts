import { compact } from '../../../../nodes/SchoolPartnerRoster/ledger/compact.ts';
import type { LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { applied, firstNight, meansAt, night, nightOf, ofSchools, planned, stopOf } from '../night.mts';
import { Service } from '../service.mts';
import { aClass, aSchool, aUser, rosterOf } from '../world.mts';

const WORLD = rosterOf(aSchool('north', 2, 10));
const SHRUNK = rosterOf(WORLD.records.slice(0, -1));

async function compacted(
	items: readonly unknown[],
	now = nightOf(5),
	tail = 'compact',
): Promise<LedgerRow[]> {
	const outcome = await compact(items, { ...meansAt(now), tail });
	if (!outcome.ok) throw new Error(outcome.failure.message);
	return outcome.value;
}

/** A ledger with a past: a bond that went and came back twice, a failure, and something uncertain. */
async function ledgerWithPast(service = new Service()): Promise<LedgerRow[]> {
	let ledger = await firstNight(WORLD, service, { batchSize: 20 });
	for (const [number, roster] of [SHRUNK, WORLD, SHRUNK, WORLD].entries())
		({ ledger } = await night(nightOf(number + 1), roster, ledger, service));
	return ledger;
}

test('A compacted ledger has a row for each record, behind one that says how many follow', async () => {
	const ledger = await ledgerWithPast();
	const rows = await compacted(ledger);
	expect(rows[0]).toMatchObject({ kind: 'compaction', state: 'planned', sequence: '0' });
	expect(JSON.parse(rows[0].detail)).toMatchObject({ read: ledger.length, follow: 62 });
	expect(rows).toHaveLength(63);
	expect(new Set(rows.map(({ run_id: runId }) => runId)).size).toBe(1);
	expect(ledger.every(({ run_id: runId }) => runId < rows[0].run_id)).toBe(true);
});

test('It is added first; then rows with smaller run ids may be deleted, all at once or some of them', async () => {
	const service = new Service();
	const ledger = await ledgerWithPast(service);
	const rows = await compacted(ledger);
	const more = rosterOf([...SHRUNK.records, aClass('c9', 'north')]);
	const before = await planned(nightOf(6), more, ledger);
	for (const after of [[...ledger, ...rows], rows, [...ledger.slice(40), ...rows], [...rows].reverse()]) {
		const plan = await planned(nightOf(6), more, after);
		expect(plan.changes.map(({ action, key, hash }) => [action, key, hash])).toEqual(
			before.changes.map(({ action, key, hash }) => [action, key, hash]),
		);
		expect(plan.summary.plan_id).toBe(before.summary.plan_id);
		expect(plan.summary.ledger_rows).toBe(rows.length);
	}
});

test('One that was not written to its end counts for nothing', async () => {
	const ledger = await ledgerWithPast();
	const rows = await compacted(ledger);
	const { summary } = await planned(nightOf(6), WORLD, [...ledger, ...rows.slice(0, 30)]);
	expect(summary.ledger_rows).toBe(ledger.length);
	const again = await compacted([...ledger, ...rows.slice(0, 30)], nightOf(6), 'again');
	expect(again).toHaveLength(63);
	expect(again[0].run_id > rows[0].run_id).toBe(true);
});

test('One that was not written to its end, with the rows before it deleted, stops everything', async () => {
	const rows = await compacted(await ledgerWithPast());
	await expect(planned(nightOf(6), WORLD, rows.slice(0, 30))).rejects.toThrow('none that counts');
	await expect(planned(nightOf(6), WORLD, rows.slice(0, 30), { firstRun: true })).rejects.toThrow(
		'has rows already',
	);
	expect(await compact(rows.slice(0, 30), meansAt(nightOf(6)))).toMatchObject({
		ok: false,
		failure: { code: 'ledgerCut' },
	});
});

test('Counting starts anew at it: rows that are lost later are noticed', async () => {
	const service = new Service();
	const rows = await compacted(await ledgerWithPast(service));
	const { ledger } = await night(
		nightOf(6),
		rosterOf([...WORLD.records, aClass('c9', 'north')]),
		rows,
		service,
	);
	expect(
		(await planned(nightOf(7), rosterOf([...WORLD.records, aClass('c9', 'north')]), ledger)).changes,
	).toEqual([]);
	const { ledger: later } = await night(
		nightOf(7),
		rosterOf([...WORLD.records, aClass('c9', 'north'), aClass('c8', 'north')]),
		ledger,
		service,
	);
	await expect(
		planned(
			nightOf(8),
			WORLD,
			later.filter((row) => row.key !== 'c:north|c9'),
		),
	).rejects.toThrow('lost rows');
});

test('A run that was planned before it was written, and ends after it, loses nothing', async () => {
	const service = new Service();
	const ledger = await ledgerWithPast(service);
	const plan = await planned(nightOf(6), rosterOf([...WORLD.records, aClass('c9', 'north')]), ledger);
	const rows = await compacted(ledger, nightOf(6));
	const after = [...rows, ...plan.ledgerRows, ...(await applied(plan.changes, service, nightOf(6)))];
	expect(await planned(nightOf(7), rosterOf([...WORLD.records, aClass('c9', 'north')]), after)).toMatchObject(
		{ changes: [], held: [] },
	);
});

test('What failed stays known as failed, and what was left over stays excused', async () => {
	const service = new Service();
	service.fault = (_action, body) => (body.external_id === 'north-c1-s1-r' ? 400 : undefined);
	const roster = rosterOf(aSchool('north', 1, 80));
	const { ledger } = await night(nightOf(0), roster, [], service, { firstRun: true, mostChanges: 120 });
	service.fault = () => undefined;
	const plans = await Promise.all(
		[ledger, await compacted(ledger)].map(async (rows) => await planned(nightOf(6), roster, rows)),
	);
	expect(plans[1].held).toEqual([]);
	expect(plans[1].changes.map(({ key, why }) => [key, why])).toEqual(
		plans[0].changes.map(({ key, why }) => [key, why]),
	);
	expect(plans[1].changes.some(({ why }) => why === 'was not done the last time')).toBe(true);
});

test('What is uncertain stays so, with rows of its own or without', async () => {
	const service = new Service();
	const plan = await planned(nightOf(0), WORLD, [], { firstRun: true, batchSize: 20 });
	const crashed = [...plan.ledgerRows, ...(await applied(plan.changes, service, nightOf(0), 1))];
	const { ledger } = await night(nightOf(1), WORLD, crashed, service, { afterInterruption: 'goOn' });
	const before = await planned(nightOf(2), WORLD, ledger);
	expect(before.summary.counts.user.uncertain).toBe(20);
	const rows = await compacted(ledger);
	expect((await planned(nightOf(6), WORLD, rows)).summary.counts).toEqual(before.summary.counts);
	const twice = await compacted(rows, nightOf(7));
	expect((await planned(nightOf(8), WORLD, twice)).summary.counts).toEqual(before.summary.counts);
	const { ledger: told } = await night(nightOf(8), WORLD, twice, service, { takeAsDone: 'uncertain' });
	expect((await planned(nightOf(9), WORLD, told)).summary.counts.user.uncertain).toBe(0);
});

test('How often something was missing stays counted', async () => {
	const file = (sha256: string) => ({ files: [{ name: 'all.zip', rows: 1, sha256 }] });
	const service = new Service();
	let ledger = await firstNight(WORLD, service);
	for (const number of [1, 2])
		({ ledger } = await night(
			nightOf(number),
			rosterOf(SHRUNK.records, file(`night ${number}`)),
			ledger,
			service,
			{ removeAfter: 3 },
		));
	const { changes } = await planned(
		nightOf(6),
		rosterOf(SHRUNK.records, file('night 3')),
		await compacted(ledger),
		{ removeAfter: 3 },
	);
	expect(changes).toMatchObject([{ action: 'remove' }]);
});

test('Of schools with a ledger each, each has a compaction of its own', async () => {
	const both = rosterOf([...WORLD.records, ...aSchool('south', 1, 5)]);
	const { ledger } = await night(nightOf(0), both, [], new Service('school'), {
		firstRun: true,
		...ofSchools('north', 'south'),
	});
	const rows = await compacted(ledger);
	expect(
		rows
			.filter(({ kind }) => kind === 'compaction')
			.map((row) => [row.school_external_id, (JSON.parse(row.detail) as { follow: number }).follow]),
	).toEqual([
		['north', 62],
		['south', 16],
	]);
	expect(
		(
			await planned(
				nightOf(6),
				rosterOf([...both.records, aUser('t', 'educator', 'south')]),
				rows.filter(({ school_external_id: school }) => school === 'south'),
				ofSchools('south'),
			)
		).changes,
	).toHaveLength(1);
});

test('Beside a run of one school that was planned before the last run of another, it forgets nothing, nor do the rows that are deleted then', async () => {
	const service = new Service('school');
	const roster = rosterOf(['idle', 'north', 'south'].flatMap((school) => aSchool(school, 1, 3)));
	const { ledger: first } = await night(nightOf(0), roster, [], service, {
		firstRun: true,
		...ofSchools('idle', 'north', 'south'),
	});
	const later = rosterOf([
		...roster.records,
		aUser('n', 'educator', 'north'),
		aUser('s', 'educator', 'south'),
	]);
	const north = await planned(nightOf(40), later, first, ofSchools('north'));
	const { ledger } = await night(nightOf(40) + 5000, later, first, service, ofSchools('south'));
	const rows = await compacted(ledger, nightOf(40) + 8000);
	const written = [...north.ledgerRows, ...(await applied(north.changes, service, nightOf(40) + 9000))];
	const deleted = [...ledger, ...written].filter(({ run_id: runId }) => runId < rows[0].run_id);
	for (const after of [
		[...ledger, ...rows, ...written],
		[...ledger, ...rows, ...written].filter((row) => !deleted.includes(row)),
	])
		expect(await planned(nightOf(41), later, after, ofSchools('idle', 'north', 'south'))).toMatchObject({
			changes: [],
			held: [],
			findings: [],
		});
	expect(deleted).toEqual(first);
});

test('A run of the same journal that was planned before the last one, and writes after it, stops everything: its rows are forgotten', async () => {
	const service = new Service();
	const ledger = await firstNight(WORLD, service);
	const [one, other] = ['one', 'other'].map((id) =>
		rosterOf([...WORLD.records, aUser(id, 'educator', 'north')]),
	);
	const before = await planned(nightOf(1), one, ledger);
	const { ledger: long } = await night(nightOf(1) + 5000, other, ledger, service);
	const rows = await compacted(long, nightOf(1) + 8000);
	const written = [...before.ledgerRows, ...(await applied(before.changes, service, nightOf(1) + 9000))];
	for (const after of [
		[...rows, ...written],
		[...long, ...rows, ...written],
	])
		expect(await stopOf(nightOf(2), one, after)).toMatchObject({
			code: 'ledgerWrittenBeside',
			message: expect.stringContaining(before.summary.run_id) as string,
			next: expect.stringContaining('Take as Done') as string,
		});
});

test('A clock that went back before it was written stops nothing', async () => {
	const ledger = await firstNight(WORLD, new Service());
	expect(
		await planned(nightOf(1), WORLD, [...ledger, ...(await compacted(ledger, nightOf(-1)))]),
	).toMatchObject({ changes: [], held: [], findings: [] });
});

test('It is refused while the last run has not come to its end, or when two ran at once', async () => {
	const plan = await planned(nightOf(0), WORLD, [], { firstRun: true });
	expect(await compact(plan.ledgerRows, meansAt(nightOf(1)))).toMatchObject({
		ok: false,
		failure: { code: 'ledgerUnfinished', effect: 'none' },
	});
});

test('Of nothing it gives nothing', async () => {
	expect(await compacted([])).toEqual([]);
	expect(await compacted([{}])).toEqual([]);
});
