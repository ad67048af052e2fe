/** A ledger that was made small says the same, wherever that was broken off. */
import {
	bytesOfHolds,
	copiesOf,
	isWorthCompacting,
} from '../../../../nodes/SchoolPartnerRoster/night/compaction.ts';
import { Journal } from '../../../../nodes/SchoolPartnerRoster/night/journal.ts';
import type { Lease } from '../../../../nodes/SchoolPartnerRoster/night/lease.ts';
import { CLOCK } from '../../../../nodes/SchoolPartnerRoster/run/clock.ts';
import type { LedgerStore } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import { isOfRun, ledgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { Ledger } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { DAY, Nights } from '../night.mts';
import { SimulatedStore } from '../simulation/simulatedStore.mts';
import { aClass, aSchool, FAMILY } from '../world.mts';

/** All that a ledger says, without the number of its rows, and where they lie. */
function meaningOf({ entries, lastDetail, decisions, told }: Ledger) {
	const all = [...entries.values()].map(({ row: { storedId: _where, ...row }, ...entry }) => ({
		...entry,
		row,
	}));
	const said = all.sort((one, other) => (one.key < other.key ? -1 : 1));
	const byId = [...decisions.holds].sort(([one], [other]) => (one < other ? -1 : 1));
	const holds = byId.map(([id, { rows: _rows, reports, ...hold }]) => {
		const reportedLast = Math.max(...reports);
		return { id, ...hold, reportedLast, isApproved: decisions.isApproved(id, reportedLast) };
	});
	const approvals = [...decisions.approvals.values()].map(({ key, state }) => `${key} ${state}`).sort();
	return {
		said,
		last: lastDetail,
		holds,
		approvals,
		access: [...decisions.access.keys()],
		told: [...told].sort(),
	};
}

const EAST = aSchool('east', 1, 60);
const TONIGHT = [...FAMILY, ...EAST];

/** A run that comes to nothing when the ledger has been made small. */
const AWAY: Parameters<Nights['run']>[2] = async () => await Promise.reject(new Error('Away'));

const oldRuns = (count: number) =>
	Array.from({ length: count }, () => ({ kind: 'run', key: 'run', run_id: 'r0-x', detail: '{}' }));

/**
 * A ledger with everything in it, and so many old rows that the next run makes it small.
 * @param between old rows between those that count, so that not all of these go with the same range of ids
 */
async function longLedger(between = 0): Promise<Nights> {
	const nights = await Nights.after(FAMILY);
	// They come to sight at the end, so that no run before makes the ledger small.
	const hidden = () => nights.table.number(oldRuns(between).map((row) => ledgerRow(row)));
	const first = hidden();
	nights.service.fault = (_action, body) =>
		body.external_id === 'c3' ? 'answer lost' : body.external_id === 'c4' ? 422 : undefined;
	await nights.sync([...FAMILY.slice(0, -1), aClass('c3'), aClass('c4')], { gracePeriodDays: 3 });
	const intent = { kind: 'batch', key: 'batch', run_id: 'r9-x', sequence: '4' };
	// One that is new, and one that is there, sent once more.
	await nights.add({ ...intent, detail: '{"create":["c:school-1|c5","c:school-1|c2"]}' });
	const second = hidden();
	await nights.approveAll(await nights.sync(TONIGHT));
	await nights.resolve('c:school-1|c3', 'notInService');
	await nights.add({ kind: 'access', key: 'a:7', state: 'granted' });
	await nights.add(...oldRuns(5_100));
	nights.table.show([...first, ...second]);
	nights.service.fault = () => undefined;
	return nights;
}

test('It is done when more than half of many rows say nothing that counts, rows of events too', () => {
	const known = (keys: number, people: number) =>
		({
			entries: { size: keys },
			decisions: { access: { size: people }, holds: new Map() },
		}) as unknown as Ledger;
	const isWorth = (size: number, ledger: Ledger) =>
		isWorthCompacting({ ...ledger, ids: { size } as unknown as Ledger['ids'] }, 0);
	expect([5_002, 5_003].map((rows) => isWorth(rows, known(1, 0)))).toEqual([false, true]);
	expect([5_004, 5_005].map((rows) => isWorth(rows, known(1, 1)))).toEqual([false, true]);
});

test('It is done when the rows of runs, each of which names every school, take more than 20 MiB: one of them is left', async () => {
	const nights = await Nights.after(FAMILY);
	const runs = async (count: number) => {
		// With a little for its other names.
		const detail = JSON.stringify({ base: [['n'.repeat(100 * 1024 - 50), { class: 1 }]] });
		await nights.add(...oldRuns(count).map((row) => ({ ...row, detail })));
	};
	await runs(200);
	await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
	expect(nights.rows('run').length).toBeGreaterThan(200);
	const before = meaningOf(await nights.ledger());
	await runs(10);
	await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
	expect(nights.rows('run')).toHaveLength(1);
	expect(meaningOf(await nights.ledger())).toEqual(before);
});

describe('A hold of everything, which names all of it anew each night in which the roster has changed,', () => {
	/** So many nights of a first run that nobody approves, with one class more each night. */
	async function waiting(count: number): Promise<[Nights, RosterRecord[]]> {
		const nights = new Nights();
		const roster = [...FAMILY];
		for (let night = 0; night < count; night += 1) {
			await nights.sync(roster);
			nights.pass();
			roster.push(aClass(`n${night}`));
		}
		return [nights, roster];
	}

	test('is forgotten when nobody can approve it any more; the last one is approved as ever', async () => {
		const [nights, roster] = await waiting(20);
		expect(nights.rows('hold')).toHaveLength(20);
		await nights.add(...oldRuns(5_100));
		const held = await nights.sync(roster);
		expect(nights.rows('hold').length).toBeLessThan(10);
		await nights.approveAll(held);
		expect((await nights.sync(roster)).told).toContain('create c:school-1|n19 applied');
	});

	test('is one more reason to make the ledger small, and counts in how large it is', async () => {
		const [nights] = await waiting(20);
		const ledger = await nights.ledger();
		const [[, first], ...others] = ledger.decisions.holds;
		first.rows[0].detail = ' '.repeat(21 * 1024 * 1024);
		const now = 1_800_000_000_000 + nights.time.now;
		expect(bytesOfHolds([first])).toBe(21 * 1024 * 1024);
		expect(isWorthCompacting(ledger, now)).toBe(true);
		first.rows[0].detail = '';
		others.at(-1)![1].rows[0].detail = ' '.repeat(21 * 1024 * 1024);
		expect(isWorthCompacting(ledger, now)).toBe(false);
	});
});

test('The rows that stay are those that count: what is there, what is held and approved, what people said and were told, the last run', async () => {
	const ledger = await (await longLedger()).ledger();
	const counts: Record<string, number> = {};
	for (const { row } of copiesOf(ledger, 1_800_000_000_000 + DAY))
		counts[row.kind ?? ''] = (counts[row.kind ?? ''] ?? 0) + 1;
	const people = { hold: 2, approve: 2, resolve: 1, access: 1, told: 2 };
	expect(counts).toEqual({ class: 5, user: 3, bond: 2, run: 1, ...people });
});

test.each([
	['rows that count in one range of ids', 0, 40, false],
	['rows that count in three ranges', 10_000, 60, false],
	['rows that are copies themselves', 0, 40, true],
])(
	'Broken off at any point it says the same, and the next run goes on with all that was approved: %s',
	async (_where, between, steps, isSecondTime) => {
		const seen = new Set<number>();
		for (let step = 0; step < steps; step += 1) {
			const nights = await longLedger(between);
			if (isSecondTime) {
				await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
				await nights.add(...oldRuns(5_100));
			}
			const before = meaningOf(await nights.ledger());
			const rowsBefore = nights.rows().length;
			await nights.run(TONIGHT, { troubles: [[step, { kind: 'kill' }]] });
			// From the first intent on it is another ledger.
			if (nights.rows('batch').some(({ detail }) => detail.includes('east'))) break;
			seen.add(Math.sign(nights.rows().length - rowsBefore));
			expect(meaningOf(await nights.ledger())).toEqual(before);
			expect((await nights.preview(TONIGHT)).holds).toEqual([]);
		}
		// Nothing done; copies added; originals removed.
		expect([...seen].sort()).toEqual([-1, 0, 1]);
	},
);

test('Broken off behind a crash that left a thousand intents, it misses no rows that it had not written yet', async () => {
	const create = Array.from({ length: 1_000 }, (_, n) => `u:school-1|n${n}`);
	for (let step = 1; step < 20; step += 1) {
		const nights = await Nights.after(FAMILY);
		await nights.add(...oldRuns(10_003 - nights.rows().length));
		const intent = { kind: 'batch', key: 'batch', run_id: 'r9999-x', sequence: '4' };
		await nights.add({ ...intent, detail: JSON.stringify({ create }) });
		await nights.run(FAMILY, { troubles: [[step, { kind: 'kill' }]] });
		const { plan } = await nights.sync([...FAMILY, aClass('c9')]);
		expect(plan.holds.map(({ reason }) => reason)).not.toContainEqual(expect.stringContaining('has lost'));
	}
});

test('A run that slept while it was done, and whose lease another has by now, removes nothing that the other has counted', async () => {
	for (let step = 1; step < 20; step += 1) {
		const nights = await Nights.after(FAMILY);
		await nights.add(...oldRuns(12_000));
		nights.beside(60_000, [...FAMILY, aClass('c9')]);
		const sleep = { kind: 'freeze', ms: 200_000, steadyStops: true } as const;
		await nights.run([...FAMILY, aClass('c9')], { troubles: [[step, sleep]] });
		expect((await nights.preview([...FAMILY, aClass('c10')])).holds).toEqual([]);
	}
});

test('What a person says while it is done counts, though the copies have greater ids', async () => {
	for (let ms = 100; ms < 2_000; ms += 100) {
		const nights = await longLedger();
		nights.time.at(nights.time.now + ms, () => {
			void nights.resolve('c:school-1|c3', 'inService');
			void nights.resolve('c:school-1|c1', 'notInService');
		});
		await nights.sync(FAMILY.slice(0, 0));
		expect(nights.rows().length).toBeLessThan(50);
		const { entries } = await nights.ledger();
		expect(['c3', 'c1'].map((id) => entries.get(`c:school-1|${id}`)?.there)).toEqual(['yes', 'no']);
	}
});

test('Runs that fail behind it do not make the ledger grow, and the lease counts all that is there', async () => {
	const nights = await longLedger();
	const events = Array.from({ length: 5_200 }, (_, event) => ({ kind: 'access', key: `a:${event % 20}` }));
	await nights.add(...events);
	const sizes: number[] = [];
	for (let run = 0; run < 4; run++) {
		await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
		sizes.push(nights.table.visible().length);
	}
	expect(sizes).toEqual([sizes[0], sizes[0], sizes[0], sizes[0]]);
	expect(sizes[0]).toBeLessThan(5_000);
	const [lease] = nights.rows('lease');
	const rows = nights.table.visible().filter((row) => isOfRun(row)).length;
	expect((JSON.parse(lease.detail) as { rows: number }).rows).toBe(rows);
});

test('What people and events have added counts in how large it is by what is left of it', async () => {
	const nights = await longLedger();
	const events = Array.from({ length: 5_200 }, (_, event) => ({ kind: 'access', key: `a:${event % 20}` }));
	await nights.add(...events);
	let notes = 0;
	const look: typeof AWAY = async ({ ledger }) => {
		({ notes } = ledger);
		return await Promise.reject(new Error('Away'));
	};
	await expect(nights.run(TONIGHT, {}, look)).rejects.toThrow('Away');
	const left = nights.rows().filter((row) => !isOfRun(row)).length;
	expect(left).toBeLessThan(100);
	expect(notes).toBe(left);
});

test('Holds of long ago are forgotten', async () => {
	const ledger = await (await longLedger()).ledger();
	const holds = (days: number) =>
		copiesOf(ledger, 1_800_000_000_000 + days * DAY).filter(({ row }) => row.kind === 'hold').length;
	expect([holds(3), holds(30), holds(110)]).toEqual([2, 2, 0]);
});

test('A hold of long ago that the same night reports again can be approved', async () => {
	const nights = await Nights.after(FAMILY);
	await nights.sync(TONIGHT);
	nights.pass(110);
	await nights.add(...oldRuns(5_100));
	await nights.approveAll(await nights.sync(TONIGHT));
	expect((await nights.sync(TONIGHT)).told).toHaveLength(EAST.length);
});

test('While it is made small, no more rows are there at once than it had and those of one range', async () => {
	const nights = await longLedger();
	const known = Array.from({ length: 25_000 }, (_, n) => ({
		kind: 'user',
		key: `u:school-1|k${n}`,
		state: 'applied',
	}));
	await nights.add(...known, ...known, ...known);
	const rows = () => nights.table.visible().length;
	const show = nights.table.show.bind(nights.table);
	// What counts lies in copies from the second time on.
	for (let time = 1; time <= 3; time += 1) {
		const before = rows();
		let most = 0;
		nights.table.show = (added) => {
			show(added);
			most = Math.max(most, rows());
		};
		await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
		expect(most).toBeLessThanOrEqual(before + 10_000);
		expect(rows()).toBeLessThan(26_000);
		nights.table.show = show;
		await nights.add(...oldRuns(35_000));
	}
});

test('Where ids are in the millions, and others have those between, it is looked at as often as there are rows', async () => {
	const nights = await longLedger();
	nights.table.skipIds(1_000_000);
	for (let part = 0; part < 30; part += 1) {
		await nights.add(...oldRuns(500));
		nights.table.skipIds(10_000);
	}
	const before = meaningOf(await nights.ledger());
	const pages = Math.ceil(nights.rows().length / 10_000);
	const rowsAfter = jest.spyOn(SimulatedStore.prototype, 'rowsAfter');
	const removeRange = jest.spyOn(SimulatedStore.prototype, 'removeRange');
	await expect(nights.run(TONIGHT, {}, AWAY)).rejects.toThrow('Away');
	// Each page is read once to know the ledger, and once before it goes.
	expect([rowsAfter.mock.calls.length, removeRange.mock.calls.length]).toEqual([2 * pages, pages]);
	jest.restoreAllMocks();
	expect(nights.rows().length).toBeLessThan(50);
	expect(meaningOf(await nights.ledger())).toEqual(before);
});

test('Copies of what people, events and Verify have added are no rows of runs: broken off after them, no row is missed', async () => {
	const counted: number[] = [];
	// Stand-ins: only more than 5,000 such rows, and a kill between two of their inserts, would show it in a night.
	const store = { append: () => Promise.resolve() } as unknown as LedgerStore;
	const lease = { runId: 'r7-x', countRows: (rows: number) => void counted.push(rows) } as unknown as Lease;
	const journal = new Journal(store, lease, CLOCK, 40);
	await journal.write([
		{ kind: 'access', key: 'u:s|1' },
		{ kind: 'resolve', key: 'u:s|1' },
		{ kind: 'user' },
	]);
	expect(counted).toEqual([41]);
});
