/** Makes a ledger small again: copies of the rows that count take the place of all rows before them. */
import { hasEnded, lastReport, SEEN_TURN, type Decisions, type ReportedHold } from '../ledger/decisions';
import { detailOf } from '../ledger/detail';
import { endsOfBond } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import { isOfRun, type LedgerRow, type StoredRow } from '../ledger/row';
import { toldRows } from '../ledger/told';
import type { LedgerStore } from '../store/store';

import { retryStore, type Clock } from './clock';
import type { Journal } from './journal';
import type { Lease } from './lease';

/** Rows that a small ledger may have beyond its keys. */
const ROWS_TO_SPARE = 5_000;

/** What the details of the rows of runs may take. Bytes. */
const RUN_BYTES_TO_SPARE = 20 * 1024 * 1024;

/** Ids that are removed at once: n8n gives all removed rows back. */
const REMOVED_AT_ONCE = 10_000;

/** Holds that were reported longer ago are forgotten. Trap: what one names and nobody has approved waits also after the holidays of a summer. */
const HOLDS_KEPT_MS = 100 * 24 * 3_600_000;

/** True when more than half of the rows say nothing that counts, or those of the runs, of which one counts, and of forgotten holds take much. */
export function isWorthCompacting({ ids, entries, runBytes, decisions }: Ledger, now: number): boolean {
	const forgotten = [...decisions.holds].filter((hold) => isForgotten(hold, decisions, now));
	const bytes = runBytes + bytesOfHolds(forgotten.map(([, hold]) => hold));
	return ids.size > (entries.size + decisions.access.size) * 2 + ROWS_TO_SPARE || bytes > RUN_BYTES_TO_SPARE;
}

/** What the details of the rows of holds take. Bytes. */
export function bytesOfHolds(holds: Iterable<ReportedHold>): number {
	const rows = [...holds].flatMap((hold) => hold.rows);
	return rows.reduce((sum, { detail }) => sum + detail.length, 0);
}

/**
 * Range by range: adds the copies of what counts in it, says how many rows there must be at least, and only then removes it. So it fits where
 * a ledger fills nearly all that n8n gives to tables. Broken off anywhere, the ledger says the same.
 * @param ledger as it was just read
 */
export async function compactLedger(
	store: LedgerStore,
	journal: Journal,
	lease: Lease,
	ledger: Ledger,
	clock: Clock,
): Promise<void> {
	const copies = copiesOf(ledger, clock.wall());
	// Trap: what is counted before it is written is missed when this is broken off.
	let rowsAtLeast = 0;
	for (const { from, to, rows } of rangesOf(ledger, copies)) {
		if (!lease.isValid()) break;
		await journal.write(rows);
		rowsAtLeast += rows.filter(isOfRun).length;
		journal.count(rowsAtLeast);
		await lease.renewNow();
		await retryStore(clock, async () => await removeKnown(store, lease, ledger, from, to));
	}
	ledger.notes = copies.filter(({ row }) => !isOfRun(row)).length;
	forgetOldHolds(ledger, clock.wall());
}

/** Trap: the rows of one that tonight reports again would be taken for there, and nobody could approve it. */
function forgetOldHolds({ decisions }: Ledger, now: number): void {
	for (const hold of decisions.holds) if (isForgotten(hold, decisions, now)) decisions.holds.delete(hold[0]);
}

/** Trap: held as a whole, a first load or a new year names everything anew each night in which the roster has changed; nobody can approve it after seven days. */
function isForgotten([id, hold]: [string, ReportedHold], { approvals }: Decisions, now: number): boolean {
	const isApproved = approvals.get(id)?.state === 'approved';
	const isOfLongAgo = now - lastReport(hold, now) > HOLDS_KEPT_MS;
	return isOfLongAgo || (hold.conditions.length > 0 && !isApproved && hasEnded(hold, now));
}

/** Rows that go together, and the copies that take their place. */
interface Range {
	from: number;
	to: number;
	rows: Array<Partial<LedgerRow>>;
}

/** Each of as many rows as are removed at once. Trap: in PostgreSQL all ledgers have their ids from one sequence, in the millions and with gaps. */
function rangesOf({ ids }: Ledger, copies: readonly Copy[]): Range[] {
	const sorted = [...ids].sort((one, other) => one - other);
	const ranges: Range[] = [];
	for (let start = 0; start < sorted.length; start += REMOVED_AT_ONCE) {
		const last = Math.min(start + REMOVED_AT_ONCE, sorted.length) - 1;
		ranges.push({ from: sorted[start], to: sorted[last], rows: [] });
	}
	for (const { storedId, row } of copies) ranges.find(({ to }) => storedId <= to)?.rows.push(row);
	return ranges;
}

/**
 * Removes the rows with these ids, unless there is one that was not read. Traps: a row may become visible after one with a greater id; a machine
 * that slept meanwhile has lost the lease to another run, which has counted the rows.
 */
async function removeKnown(
	store: LedgerStore,
	lease: Lease,
	{ ids }: Ledger,
	from: number,
	to: number,
): Promise<void> {
	const rows = await store.rowsAfter(from - 1, REMOVED_AT_ONCE);
	const isAnyUnknown = rows.some(({ id }) => id <= to && !ids.has(id));
	if (!isAnyUnknown && lease.isValid()) await store.removeRange(from, to);
}

/** A row in the place of another. */
interface Copy {
	/** Under which the other lies in the store. */
	storedId: number;
	row: Partial<LedgerRow>;
}

/** Copies of the rows that count, each with the id of its original, so that what a person adds meanwhile counts more. */
export function copiesOf(ledger: Ledger, now: number): Copy[] {
	const { entries, decisions, told, lastRun } = ledger;
	const copies = [...entries.values()].map(({ row }) => copyOf(row));
	for (const [id, hold] of decisions.holds) {
		if (isForgotten([id, hold], decisions, now)) continue;
		const last = lastReport(hold, now);
		const at = new Date(last).toISOString();
		for (const row of hold.rows) copies.push(copyOf({ ...row, at }));
		// Trap: without the reports before the last, one that had ended would hold again.
		const approval = decisions.isApproved(id, last) ? decisions.approvals.get(id) : undefined;
		if (approval !== undefined) copies.push(copyOf(approval));
	}
	for (const row of [...resolutionsThatCount(ledger), ...decisions.access.values()]) copies.push(copyOf(row));
	for (const [key, row] of decisions.seen)
		if (key === SEEN_TURN || entries.has(key)) copies.push(copyOf(row));
	// What was told stands in many rows; it is written anew before the first of them goes.
	copies.push(...toldRows(told).map((row) => ({ storedId: 0, row })));
	if (lastRun !== undefined) copies.push(copyOf(lastRun));
	return copies;
}

/** What people have said, but for what was done since. Trap: it counts for bonds too, which may be older than the row of their class or user. */
function resolutionsThatCount({ entries, decisions }: Ledger): StoredRow[] {
	if (decisions.resolutions.size === 0) return [];
	const ofBonds = new Set<string>();
	for (const { kind, key, row } of entries.values())
		if (kind === 'bond' && decisions.resolution(row) !== undefined)
			for (const end of endsOfBond(key)) ofBonds.add(end);
	const counts = ([key]: [string, StoredRow]) => {
		const entry = entries.get(key);
		return entry?.there !== 'yes' || decisions.resolution(entry.row) !== undefined || ofBonds.has(key);
	};
	return [...decisions.resolutions].filter(counts).map(([, row]) => row);
}

function copyOf({ id, storedId = id, ...row }: StoredRow): Copy {
	return { storedId, row: { ...row, detail: JSON.stringify({ ...detailOf(row), of: id }) } };
}
