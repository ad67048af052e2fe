/** What rows say together, in whatever order they come. */
import fc from 'fast-check';

import type { LedgerEntry } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import {
	ledgerRow,
	OUTCOMES,
	type LedgerRow,
	type StoredRow,
} from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { ledgerFrom } from '../ledgerRows.mts';

const KEY = 'u:north|1';

/** Rows of one key, with rising ids and places in their run. */
function rows(...some: Array<Partial<StoredRow>>): StoredRow[] {
	return some.map((more, index) => ({
		...ledgerRow({
			run_id: 'r1-x',
			sequence: String(index),
			kind: 'user',
			key: KEY,
			school_external_id: 'north',
		}),
		...{ state: 'applied', fields: 'h1', id: index + 1 },
		...more,
	}));
}

const entriesOf = async (some: readonly StoredRow[]) => (await ledgerFrom(some)).entries;

async function entry(...some: Array<Partial<StoredRow>>): Promise<Partial<LedgerEntry>> {
	const entries = await entriesOf(rows(...some));
	const { there, fields, missingSince, isUnfinished, isAccepted, action } = entries.get(KEY) as LedgerEntry;
	return { there, fields, missingSince, isUnfinished, isAccepted, action };
}

const batch = (intents: object, more: Partial<LedgerRow> = {}) => ({
	kind: 'batch',
	key: 'batch',
	detail: JSON.stringify(intents),
	...more,
});
const resolve = (is: string, more: Partial<StoredRow> = {}) => ({
	kind: 'resolve',
	run_id: '',
	sequence: '',
	state: is,
	...more,
});

describe('Of the rows of a record', () => {
	test('that of the run counts that took the lease later, then the later in its run, then the greater id', async () => {
		const removed = { state: 'removed' };
		expect(await entry({ run_id: 'r10-x', ...removed }, { run_id: 'r9-x' })).toMatchObject({ there: 'no' });
		expect(await entry({ sequence: '10', ...removed }, { sequence: '9' })).toMatchObject({ there: 'no' });
		expect(await entry({ id: 10, sequence: '1', ...removed }, { id: 9, sequence: '1' })).toMatchObject({
			there: 'no',
		});
	});

	test('in whatever order a store gives them, the same counts', async () => {
		const row = fc.record({
			run_id: fc.constantFrom('r1-x', 'r2-x', 'r10-x'),
			sequence: fc.nat(12).map(String),
			state: fc.constantFrom(...OUTCOMES),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.gen(), async (some, gen) => {
				const all = rows(...some, batch({ create: [KEY] }), resolve('notInService'));
				const other = gen(fc.shuffledSubarray, all, { minLength: all.length });
				expect(await entriesOf(other)).toEqual(await entriesOf(all));
			}),
			{ numRuns: 200 },
		);
	});

	test.each(['failed', 'blocked', 'not tried'])('%s leaves what the service has as it was', async (state) => {
		const there = { there: 'yes', fields: 'h1', isUnfinished: true };
		expect(await entry({}, { state, detail: '{"there":"yes"}' })).toMatchObject(there);
		expect(await entry({ state, fields: '' })).toMatchObject({ there: 'no', isUnfinished: true });
	});

	test.each([
		['applied', 'yes'],
		['missing', 'yes'],
		['removed', 'no'],
		['uncertain', 'maybe'],
		['exists', 'exists'],
	])('%s: the service has it: %s', async (state, there) => {
		expect(await entry({ state })).toMatchObject({ there, isUnfinished: false });
	});

	test.each(['{"there":', 'null', '5'])('a detail that somebody damaged says nothing: %s', async (detail) => {
		expect(await entry({ state: 'failed', detail })).toMatchObject({ there: 'no' });
	});

	test('a copy that a compaction made counts as the row that it is a copy of', async () => {
		const copy = { id: 20, sequence: '1', state: 'removed', detail: '{"of":2}' };
		expect(await entry(copy, { id: 3, sequence: '1' })).toMatchObject({ there: 'yes' });
		expect(await entry(copy, { id: 1, sequence: '1' })).toMatchObject({ there: 'no' });
		const failed = { id: 20, state: 'failed', detail: '{"there":"yes","of":2}' };
		expect(await entry(failed)).toMatchObject({ there: 'yes', isUnfinished: true });
	});

	test('a copy in a table with other ids, filled from a file, counts as itself: what a person says there counts', async () => {
		const copied = { id: 3, detail: '{"of":50000}' };
		expect(await entry(copied, resolve('notInService', { id: 4 }))).toMatchObject({ there: 'no' });
	});

	test.each<[string, boolean, Partial<StoredRow>]>([
		['a user who was uncertain and then confirmed', true, { fields: '' }],
		['a user who was sent', false, {}],
		['a user who failed', false, { fields: '', state: 'failed' }],
		['a class whose fields are not known', false, { fields: '', kind: 'class' }],
	])('%s is taken as having the values of tonight: %p', async (_what, isAccepted, row) => {
		expect(await entry(row)).toMatchObject({ isAccepted });
	});
});

describe('What a batch was about to send', () => {
	const OTHER = 'b:north|c1|1|student';

	test('is uncertain by name when no later row says what came of it', async () => {
		const entries = await entriesOf(rows(batch({ create: [KEY], remove: [OTHER] })));
		expect(
			[...entries.values()].map((one) => [one.key, one.kind, one.school, one.there, one.action]),
		).toEqual([
			[KEY, 'user', 'north', 'maybe', 'create'],
			[OTHER, 'bond', 'north', 'maybe', 'remove'],
		]);
	});

	test('is what its own row says, where that comes later, even when another run wrote between', async () => {
		expect(await entry(batch({ create: [KEY] }), {})).toMatchObject({ there: 'yes' });
		expect(await entry({}, batch({ remove: [KEY] }))).toMatchObject({ there: 'maybe', action: 'remove' });
		const older = batch({ create: [KEY] }, { run_id: 'r0-x' });
		expect(await entry(batch({ create: [KEY] }), {}, older)).toMatchObject({ there: 'yes' });
		expect(await entry(batch({ remove: [KEY] }), { state: 'removed' })).toMatchObject({ there: 'no' });
	});

	test('is what the later of two was about to send, in whatever order they are read', async () => {
		const all = rows({}, batch({ remove: [KEY] }), batch({ create: [KEY] }));
		for (const some of [all, [...all].reverse()])
			expect((await entriesOf(some)).get(KEY)).toMatchObject({ there: 'maybe', action: 'create' });
	});

	test('is not uncertain where it only sent again, as a change, what was there', async () => {
		expect(await entry({}, batch({ create: [KEY] }))).toMatchObject({ there: 'yes', fields: 'h1' });
		const gone = await entry({ state: 'removed' }, batch({ create: [KEY] }));
		expect(gone).toMatchObject({ there: 'maybe' });
		const saidGone = await entry({}, resolve('notInService'), batch({ create: [KEY] }));
		expect(saidGone).toMatchObject({ there: 'maybe', action: 'create' });
	});

	test('is what its late outcome says, which came after a compaction had made the uncertain one a row', async () => {
		const before = { run_id: 'r0-x', sequence: '9', state: 'removed' };
		const uncertain = (await entriesOf(rows(before, batch({ create: [KEY] }, { sequence: '3' })))).get(KEY);
		const copy = { ...uncertain?.row, id: 20, detail: '{"action":"create","of":2}' };
		expect(await entry(copy, { id: 21, sequence: '4' })).toMatchObject({ there: 'yes' });
	});
});

describe('What a person says of a record', () => {
	test.each([
		['inService', 'yes', true],
		['notInService', 'no', false],
	])('%s counts from then on', async (is, there, isAccepted) => {
		const said = { there, isUnfinished: false, isAccepted };
		for (const state of ['uncertain', 'failed', 'applied'])
			expect(await entry({ state }, resolve(is))).toMatchObject(said);
		expect(await entry(batch({ create: [KEY] }), resolve(is))).toMatchObject({ there });
	});

	test('counts until a run writes of it again, and the last word of several', async () => {
		expect(await entry(resolve('notInService'), {})).toMatchObject({ there: 'yes' });
		const copied = resolve('notInService', { id: 20, detail: '{"by":"Ana","of":1}' });
		expect(await entry({ id: 5 }, copied)).toMatchObject({ there: 'yes' });
		expect(await entry({}, resolve('inService'), resolve('notInService'))).toMatchObject({ there: 'no' });
	});
});

test('Rows of people and the lease are none of those that must be there; rows of runs are. All but the lease are counted', async () => {
	const kinds = ['user', 'run', 'batch', 'hold', 'lease', 'approve', 'resolve', 'access'];
	const ledger = await ledgerFrom(rows(...kinds.map((kind) => ({ kind }))));
	expect([ledger.rows, ledger.notes]).toEqual([4, 3]);
});

test('The last run is that which took the lease last, and the greatest id is of all rows, in whatever order they come', async () => {
	const run = (run_id: string, id: number) => ({ kind: 'run', key: 'run', run_id, id });
	const all = rows(run('r2-x', 4), run('r10-x', 3), { run_id: 'r11-x', id: 5 }, { kind: 'lease', id: 9 });
	for (const some of [all, [...all].reverse()]) {
		const { lastRun, lastId, ids } = await ledgerFrom(some);
		expect([lastRun?.id, lastId, [...ids].sort()]).toEqual([3, 9, [3, 4, 5, 9]]);
	}
});

test('What was told and is no longer so stays settled, in whatever order the rows are read', async () => {
	const told = { kind: 'told', detail: '{"told":["d1"]}' };
	const all = rows({ ...told, state: 'told', since: '2026-03-09' }, { ...told, state: 'settled' });
	for (const some of [all, [...all].reverse()]) expect((await ledgerFrom(some)).told.size).toBe(0);
});
