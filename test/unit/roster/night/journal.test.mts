/** The rows that a run writes: each once, numbered, and counted in the lease, so that the next run notices when some are lost. */
import { LEASE, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { Journal } from '../../../../nodes/SchoolPartnerRoster/night/journal.ts';
import type { Lease } from '../../../../nodes/SchoolPartnerRoster/night/lease.ts';
import { StoreError, type LedgerStore } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import { Nights } from '../night.mts';
import { aBond, aClass, aUser } from '../world.mts';

const people = (count: number, prefix = 'p') =>
	Array.from({ length: count }, (_, place) => aUser(`${prefix}${place}`, 'student'));
const SCHOOL = [aClass('c1'), ...people(30), aBond('p1', 'c1')];

/** What people write is theirs: a row of theirs may come at any time. */
const BY_PEOPLE = new Set(['approve', 'resolve']);
const ofRuns = (nights: Nights) => nights.rows().filter(({ kind }) => !BY_PEOPLE.has(kind));

function countInLease(nights: Nights): number {
	const [lease] = nights.rows(LEASE);
	return (JSON.parse(lease.detail) as { rows: number }).rows;
}

test('The lease says after each night how many rows runs have written, and counts none of those of people', async () => {
	const nights = new Nights();
	await nights.approveAll(await nights.sync(SCHOOL));
	for (const roster of [SCHOOL, [...SCHOOL, ...people(5, 'late')], SCHOOL.slice(0, -1)]) {
		await nights.sync(roster);
		expect(countInLease(nights)).toBe(ofRuns(nights).length);
		nights.pass();
	}
	await nights.resolve('u:school-1|p1', 'inService');
	await nights.sync(SCHOOL);
	expect(countInLease(nights)).toBe(ofRuns(nights).length);
	expect(nights.rows().length - ofRuns(nights).length).toBeGreaterThan(1);
});

test('A run counts on from the rows that it reads, also where they are more than are read or written at once', async () => {
	const many = [aClass('c1'), ...people(10_100)];
	const nights = new Nights();
	await nights.takeOver(many);
	await nights.sync([...many, ...people(5, 'late')]);
	expect(nights.rows().length).toBeGreaterThan(10_100);
	expect(countInLease(nights)).toBe(ofRuns(nights).length);
	expect((await nights.ledger()).entries.size).toBe(many.length + 5);
});

test('Rows have the run, their place in it, none twice, and the time', async () => {
	const nights = await Nights.after(SCHOOL);
	const before = nights.rows().length;
	await nights.sync([...SCHOOL, ...people(5, 'late')]);
	const added = nights.rows().slice(before);
	expect(new Set(added.map(({ run_id: run }) => run)).size).toBe(1);
	expect(added.map(({ sequence }) => Number(sequence))).toEqual(added.map((_row, place) => place));
	expect(added.map(({ at }) => at.slice(0, 10))).toEqual(added.map(() => nights.today()));
});

test('Rows that were lost are noticed by the next run: who was in them is not created again unless a person says so', async () => {
	const nights = await Nights.after(SCHOOL);
	const isLost = ({ kind, key }: StoredRow) => kind === 'batch' || key === 'u:school-1|p7';
	const lost = nights.rows().filter(isLost).length;
	nights.table.remove(isLost);
	const { plan, told } = await nights.sync(SCHOOL);
	expect(told).toEqual([]);
	expect(plan.holds).toMatchObject([
		{
			reason: expect.stringContaining(`The ledger has lost ${lost} of `),
			changes: [{ action: 'create', key: 'u:school-1|p7' }],
		},
	]);
});

describe('A database that does not come back', () => {
	/** A journal over it, and what it was asked. */
	function broken({ loseLeaseAt = Infinity } = {}) {
		const [asked, counted]: [boolean[], number[]] = [[], []];
		let now = 0;
		const lease = { runId: 'run', isLost: false, countRows: (rows: number) => counted.push(rows) };
		// A mock: of what fails in the simulated table, some arrives all the same.
		const store = {
			append: async (_rows: unknown, waits = true) => {
				asked.push(waits);
				const failure = {
					origin: 'n8n',
					effect: 'unknown',
					message: 'away',
					next: '',
					isPassing: true,
				} as const;
				return await Promise.reject(new StoreError(failure));
			},
		} as unknown as LedgerStore;
		const sleep = async (ms: number) => {
			now += ms;
			lease.isLost ||= now >= loseLeaseAt;
		};
		const clock = { wall: () => now, steady: () => now, sleep };
		return { journal: new Journal(store, lease as unknown as Lease, clock, 7), asked, counted };
	}

	test.each([
		['for five minutes', Infinity, 300],
		['no longer than the run has its lease', 10_000, 10],
	])('is asked %s; rows that are not there are not counted', async (_long, loseLeaseAt, seconds) => {
		const { journal, asked, counted } = broken({ loseLeaseAt });
		await expect(journal.write([{ kind: 'user', key: 'u:s|1' }])).rejects.toThrow(StoreError);
		expect([asked.length, counted, journal.rows]).toEqual([seconds + 1, [], 7]);
	});

	test('is handed what a run still knows once, without waiting, and its failure ends nothing', async () => {
		const { journal, asked, counted } = broken();
		await journal.handOver([{ kind: 'user', key: 'u:s|1' }]);
		expect([asked, counted, journal.rows]).toEqual([[false], [], 7]);
	});
});
