/** A ledger without its past: what is there, what is tried, what is uncertain. It changes no later plan. */
import { failed, success, type Outcome } from '../../shared/failure';

import { joined, shortDigestOf } from './digest';
import type { Folded } from './fold';
import { readLedger, type Ledger } from './ledger';
import { compared, ownRow, type LedgerRow } from './row';
import { compactionId } from './runId';
import type { BatchDetail, CompactionDetail, Scope } from './runs';
import { ledgerStop, NOTHING_COUNTS } from './stop';
import { Turns, type Host } from '../roster/turns';

export interface CompactMeans {
	now: Host['clock'];
	pause: Host['pause'];
	/** Random, so that the ids of two compactions differ. */
	tail: string;
}

/** Short digests in one row at most, so that a cell stays below 5,000 characters. */
const DIGESTS_IN_A_ROW = 500;

/**
 * The rows that stand for all rows of a ledger, to be added to it; then rows with smaller run ids than the first one's may be deleted.
 * Each journal has a run id of its own, the smallest first: one for all would stand above a run of another school that has no rows yet.
 * Nothing for a ledger without rows.
 */
export async function compact(
	items: readonly unknown[],
	{ now, pause, tail }: CompactMeans,
): Promise<Outcome<LedgerRow[]>> {
	const all: Folded[] = [];
	const turns = new Turns({ pause, clock: now });
	const read = await readLedger(items, 'asWritten', turns, (folded) => all.push(folded));
	if (!read.ok) return read;
	const ledger = read.value;
	const scopes = [...ledger.scopes.values()];
	if (scopes.some(({ isInterrupted, isDoubled }) => isInterrupted || isDoubled)) return failed(UNFINISHED);
	// Rows that stand for nothing would make a ledger that looks whole, and knows nothing.
	if (scopes.some(({ rows }) => rows === 0)) return failed(NOTHING_COUNTS);
	const kept = await keptRows(ledger, all, turns);
	const moment = now();
	const parts = scopes
		.map((scope) => ({ scope, runId: compactionId(moment, tail, scope.greatest) }))
		.sort((one, other) => compared(one.runId, other.runId));
	const compacted: LedgerRow[] = [];
	for (const { scope, runId } of parts) {
		// A clock that went back must not make rows look as if they had been written later.
		const at = new Date(Math.max(moment, scope.newest)).toISOString();
		const follow = kept.get(scope.school) ?? [];
		compacted.push({ ...headOf(scope, follow.length), run_id: runId, sequence: '0', at });
		for (const [place, row] of follow.entries()) {
			if (turns.areDue()) await turns.give();
			compacted.push({ ...row, run_id: runId, sequence: String(place + 1), at: row.at || at });
		}
	}
	return success(compacted);
}

/** What must not be forgotten, by journal; of one key in the order in which it counts. */
async function keptRows(
	ledger: Ledger,
	all: readonly Folded[],
	turns: Turns,
): Promise<Map<string, LedgerRow[]>> {
	const kept = new Map<string, LedgerRow[]>([...ledger.scopes.keys()].map((school) => [school, []]));
	const whole = kept.get('');
	// What is uncertain of records with rows of their own stands in these rows.
	const told = new Set<string>();
	for (const folded of all) {
		if (turns.areDue()) await turns.give();
		const rows = whole ?? kept.get(folded.newest.school_external_id);
		rows?.push(...rowsOf(folded));
		if (ledger.uncertain.size > 0) told.add(shortDigestOf(folded.entry.key));
	}
	for (const scope of ledger.scopes.values()) {
		const digests = new Set(
			scope.uncertain.flatMap((run) => run.digests).filter((digest) => !told.has(digest)),
		);
		kept.get(scope.school)?.unshift(...digestRows(scope.school, [...digests].sort()));
	}
	return kept;
}

/** The newest row that says whether it is there, the one that counts its absence, and the newest of all. */
function rowsOf({ basis, missing, newest, entry }: Folded): LedgerRow[] {
	const told = basis?.state === 'applied' ? { ...basis, service_id: entry.serviceId } : basis;
	const rows = told === undefined ? [] : [told];
	if (missing !== undefined) rows.push(missing);
	if (newest !== basis && newest !== missing) rows.push(newest);
	return rows;
}

function digestRows(school: string, digests: readonly string[]): LedgerRow[] {
	const rows: LedgerRow[] = [];
	for (let at = 0; at < digests.length; at += DIGESTS_IN_A_ROW) {
		const detail: BatchDetail = { create: joined(digests.slice(at, at + DIGESTS_IN_A_ROW)) };
		rows.push(ownRow('batch', `batch:${rows.length + 1}`, school, detail));
	}
	return rows;
}

function headOf(scope: Scope, follow: number): LedgerRow {
	const detail: CompactionDetail = { read: scope.rows, follow, last: scope.last?.detail };
	return ownRow('compaction', 'compaction', scope.school, detail);
}

const UNFINISHED = ledgerStop(
	'ledgerUnfinished',
	'The last run did not come to its end, or another one ran beside it: the ledger cannot be compacted now',
	'If a run is under way, wait for its end. Otherwise run Plan Changes first, which says what is uncertain, and compact when a run has come to its end.',
);
