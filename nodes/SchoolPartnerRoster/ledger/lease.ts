/** Who may send: one row of the ledger that only a conditional update changes. Here what it says; night/lease.ts takes and keeps it. */
import { detailOf } from './detail';
import { ledgerRow, LEASE, type LedgerRow, type StoredRow } from './row';

export interface LeaseState {
	/** Run that holds it; '' when it is free. */
	holder: string;
	/** Grows by one with every change of the row, whoever makes it. */
	beat: number;
	/** How many rows of runs the ledger has at least, as the last holder counted them. */
	rows: number;
	/** Milliseconds that a request of the holder may take. */
	timeoutMs: number;
}

/** A row for the table. `at` is for people only: no clocks are compared. */
export function leaseRow({ holder, beat, rows, timeoutMs }: LeaseState, at: string): LedgerRow {
	const state = holder === '' ? 'free' : 'held';
	const detail = JSON.stringify({ rows, timeout_ms: timeoutMs });
	return ledgerRow({ kind: LEASE, key: LEASE, run_id: holder, sequence: String(beat), state, detail, at });
}

/** What a lease row says; damaged details count as nothing known. */
export function leaseState(row: StoredRow): LeaseState {
	const { run_id: holder, sequence } = row;
	const { rows, timeout_ms: timeoutMs } = detailOf<{ rows: unknown; timeout_ms: unknown }>(row);
	return { holder, beat: Number(sequence) || 0, rows: Number(rows) || 0, timeoutMs: Number(timeoutMs) || 0 };
}

/** How often the holder changes the row. */
export const BEAT_MS = 10_000;

/** No request leaves when the last beat began longer ago than this. */
export const FENCE_MS = 40_000;

/** Between the last moment at which a request of a holder can be under way and the first at which another run takes over. */
const MARGIN_MS = 5_000;

/** A lease is watched at least so long before it is taken over. */
const LEAST_WATCH_MS = 75_000;

/** How long a lease must stand still before its holder counts as interrupted: by then none of its requests is under way. */
export function watchMs({ timeoutMs }: LeaseState): number {
	return Math.max(LEAST_WATCH_MS, FENCE_MS + MARGIN_MS + timeoutMs);
}

export function isHeld(row: StoredRow): boolean {
	return row.run_id !== '';
}

/** What the last holder wrote. Of several lease rows, the one with the greatest beat: who takes a lease beats above all of them. */
export function latestState(rows: readonly StoredRow[]): LeaseState {
	return rows.map(leaseState).reduce((latest, state) => (state.beat > latest.beat ? state : latest));
}

export function freed(state: LeaseState): LeaseState {
	return { ...state, holder: '', beat: state.beat + 1 };
}

/**
 * Whether a run that has just taken a row must give it back: another row is held, or is the lease because its id is lower.
 * It asks after taking, as the other one does: whoever of the two took later sees the earlier.
 */
export function mustGiveBack(rows: readonly StoredRow[], own: StoredRow): boolean {
	return rows.some((row) => (row.id === own.id ? row.run_id !== own.run_id : row.id < own.id || isHeld(row)));
}
