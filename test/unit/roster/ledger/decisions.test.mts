/** What people decide counts for what it was said of, from when it was said, and no longer than it holds. */
import { Decisions, holdKey } from '../../../../nodes/SchoolPartnerRoster/ledger/decisions.ts';
import { pairDigest } from '../../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import { ledgerRow, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';

const DAY_MS = 24 * 3_600_000;
const REPORTED = Date.parse('2026-03-10T02:00:00.000Z');
const [REMOVED, OTHER] = ['u:north|1', 'u:north|2'];
const CONDITION = 'rosterOlder abc';

const row = (id: number, cells: Partial<StoredRow>): StoredRow => ({ ...ledgerRow(cells), id });

/** A part of the hold "hold-1" that keeps back the removal of these. */
function hold(
	id: number,
	keys: readonly string[],
	part = 1,
	at = new Date(REPORTED).toISOString(),
): StoredRow {
	const changes = keys.map((key) => pairDigest('remove', key));
	const detail = JSON.stringify({ school: 'north', reason: 'Many leave', conditions: [CONDITION], changes });
	return row(id, { kind: 'hold', key: holdKey('hold-1', part), detail, at });
}

/** A hold of which only the key can be read. */
const OTHER_HOLD = row(2, { kind: 'hold', key: holdKey('hold-2', 1), detail: '{"changes":' });

const decision = (id: number, state: string) => row(id, { kind: 'approve', key: 'hold-1', state });
const resolved = (id: number, key: string, state: string) => row(id, { kind: 'resolve', key, state });

function decided(...rows: StoredRow[]): Decisions {
	const decisions = new Decisions();
	for (const one of rows) decisions.take(one);
	return decisions;
}

describe('An approval of a hold', () => {
	const APPROVED = decided(hold(1, [REMOVED]), decision(5, 'approved'));

	test('does not hold for the years by which a clock was ahead in one night', () => {
		const ahead = hold(1, [REMOVED], 1, '2036-01-01T05:00:00.000Z');
		const ten = decided(ahead, hold(2, [REMOVED]), decision(5, 'approved'));
		expect([1, 8].map((days) => ten.isApproved('hold-1', REPORTED + days * DAY_MS))).toEqual([true, false]);
		expect(decided(ahead, decision(5, 'approved')).isApproved('hold-1', REPORTED)).toBe(false);
	});

	test('lets just the changes go that the hold keeps back', () => {
		expect(APPROVED.approvedHold('remove', REMOVED, 0, REPORTED)).toBe('hold-1');
		expect(APPROVED.approvedHold('remove', OTHER, 0, REPORTED)).toBeUndefined();
		expect(APPROVED.approvedHold('create', REMOVED, 0, REPORTED)).toBeUndefined();
	});

	test('lets a change go once: one that was done since is a new one', () => {
		expect(APPROVED.approvedHold('remove', REMOVED, 4, REPORTED)).toBe('hold-1');
		for (const doneIn of [5, 6])
			expect(APPROVED.approvedHold('remove', REMOVED, doneIn, REPORTED)).toBeUndefined();
	});

	test('holds for seven days after the hold was reported last, and not a moment longer', () => {
		expect(APPROVED.isApproved('hold-1', REPORTED + 7 * DAY_MS)).toBe(true);
		expect(APPROVED.isApproved('hold-1', REPORTED + 7 * DAY_MS + 1)).toBe(false);
		expect(APPROVED.approvedHold('remove', REMOVED, 0, REPORTED + 7 * DAY_MS + 1)).toBeUndefined();
	});

	test('holds on as long as runs go on reporting it, in whatever order their rows are read', () => {
		const at = new Date(REPORTED + 5 * DAY_MS).toISOString();
		const run = row(8, { kind: 'run', key: 'run', detail: '{"holds":["hold-1"]}', at });
		const rows = [hold(1, [REMOVED]), decision(5, 'approved'), run];
		for (const some of [rows, [...rows].reverse()])
			expect(decided(...some).isApproved('hold-1', REPORTED + 12 * DAY_MS)).toBe(true);
	});

	test('is taken back by the decision that was written last, in whatever order they are read', () => {
		const rows = [hold(1, [REMOVED]), decision(5, 'approved'), decision(6, 'withdrawn')];
		for (const some of [rows, [...rows].reverse()])
			expect(decided(...some).approvedHold('remove', REMOVED, 0, REPORTED)).toBeUndefined();
	});

	test('counts for all rows of a long hold', () => {
		const { holds } = decided(hold(1, [REMOVED], 1), hold(2, [OTHER], 2));
		expect([...(holds.get('hold-1')?.changes ?? [])]).toEqual(
			[REMOVED, OTHER].map((key) => pairDigest('remove', key)),
		);
		expect(holds.get('hold-1')).toMatchObject({ school: 'north', reason: 'Many leave' });
		expect(holds.get('hold-1')?.rows.map(({ id }) => id)).toEqual([1, 2]);
	});

	test('lets nothing go of a hold that nobody has reported, or of which nobody knows when', () => {
		expect(decided(decision(5, 'approved')).isApproved('hold-1', REPORTED)).toBe(false);
		const undated = decided(hold(1, [REMOVED], 1, 'yesterday'), decision(5, 'approved'));
		expect(undated.isApproved('hold-1', REPORTED)).toBe(false);
	});

	test('lifts the conditions of its hold for as long, and that it once did stays known', () => {
		expect(APPROVED.isLifted(CONDITION, REPORTED)).toBe(true);
		expect(APPROVED.isLifted('another', REPORTED)).toBe(false);
		expect(APPROVED.isLifted(CONDITION, REPORTED + 8 * DAY_MS)).toBe(false);
		expect(APPROVED.wasLifted(CONDITION)).toBe(true);
		expect(APPROVED.wasLifted('another')).toBe(false);
		expect(decided(hold(1, [REMOVED])).wasLifted(CONDITION)).toBe(false);
		const besideAnother = decided(hold(1, [REMOVED]), OTHER_HOLD, decision(5, 'approved'));
		expect(besideAnother.isLifted(CONDITION, REPORTED)).toBe(true);
		expect(besideAnother.wasLifted(CONDITION)).toBe(true);
		expect(decided(hold(1, [REMOVED]), decision(5, 'withdrawn')).wasLifted(CONDITION)).toBe(false);
	});
});

test('A row of a run or of a hold that says nothing, or that somebody damaged, holds nothing back', () => {
	expect(decided(row(1, { kind: 'run', key: 'run' })).holds.size).toBe(0);
	const nothing = { school: '', reason: '', conditions: [], changes: new Set() };
	expect(decided(OTHER_HOLD).holds.get('hold-2')).toMatchObject(nothing);
	const run = row(1, { kind: 'run', key: 'run', detail: '{"holds":["hold-3"]}' });
	expect(decided(run).holds.get('hold-3')).toMatchObject({ ...nothing, rows: [] });
});

describe('What a person has found out about a record', () => {
	const BOND = 'b:north|5A|1|student';
	const bond = row(3, { kind: 'bond', key: BOND });

	test.each(['c:north|5A', 'u:north|1', 'u:1'])('there is no bond without %s', (key) => {
		expect(decided(resolved(4, key, 'notInService')).resolution(bond)).toBe('notInService');
		expect(decided(resolved(4, key, 'inService')).resolution(bond)).toBeUndefined();
	});

	test('of the bond itself counts before what was said of its class', () => {
		const decisions = decided(resolved(4, 'c:north|5A', 'notInService'), resolved(5, BOND, 'inService'));
		expect(decisions.resolution(bond)).toBe('inService');
	});

	test.each(['c:north|5A', 'u:north|1', 'u:1'])(
		'of %s counts before what was said earlier of its bond',
		(key) => {
			const rows = [resolved(4, BOND, 'inService'), resolved(5, key, 'notInService')];
			for (const some of [rows, [...rows].reverse()])
				expect(decided(...some).resolution(bond)).toBe('notInService');
		},
	);

	test('of the bond counts on when its class is said to be there later', () => {
		const decisions = decided(resolved(4, BOND, 'notInService'), resolved(5, 'c:north|5A', 'inService'));
		expect(decisions.resolution(bond)).toBe('notInService');
	});

	test('says nothing of people who are in that class, and nothing of what was written since', () => {
		const decisions = decided(resolved(4, 'c:north|5A', 'notInService'));
		expect(decisions.resolution(row(3, { kind: 'user', key: 'u:north|1' }))).toBeUndefined();
		expect(decisions.resolution(row(3, { kind: 'user', key: 'u:north|5A' }))).toBeUndefined();
		expect(decisions.resolution(row(4, { kind: 'class', key: 'c:north|5A' }))).toBeUndefined();
		expect(decisions.resolution({ ...bond, id: 4 })).toBeUndefined();
	});
});

test('What Verify saw of a record counts until the record is written again', () => {
	const seen = row(7, { kind: 'seen', key: REMOVED, detail: '{"seen":{"grade":"h1"}}' });
	const decisions = decided(seen);
	expect(decisions.seenOf(row(6, { key: REMOVED }))).toEqual({ grade: 'h1' });
	expect(decisions.seenOf(row(7, { key: REMOVED }))).toBeUndefined();
	expect(decisions.seenOf(row(6, { key: OTHER }))).toBeUndefined();
	const later = row(9, { ...seen, detail: '{"seen":{"grade":"h2"}}' });
	expect(decided(later, seen).seenOf(row(6, { key: REMOVED }))).toEqual({ grade: 'h2' });
});

test('What was written twice because an answer was lost counts from the first on, said again from then on', () => {
	const first = row(4, {
		kind: 'resolve',
		key: REMOVED,
		state: 'notInService',
		at: '2026-03-02T02:00:00.000Z',
	});
	const [repeated, again] = [
		{ ...first, id: 8 },
		{ ...first, id: 8, at: '2026-03-03T02:00:00.000Z' },
	];
	const between = row(6, { key: REMOVED });
	for (const some of [
		[first, repeated],
		[repeated, first],
	])
		expect(decided(...some).resolution(between)).toBeUndefined();
	expect(decided(first, again).resolution(between)).toBe('notInService');
});
