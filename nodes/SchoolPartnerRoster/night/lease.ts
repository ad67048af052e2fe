/** Takes and keeps the lease of a ledger, so that never two runs send at once (ROSTER.md section 2, rule 1). */
import type { LedgerStore, StoreResult } from '../store/store';

import type { Clock } from './clock';
import { LeaseTaking } from './leaseTaking';

export interface LeaseOptions {
	/**
	 * Makes the id of this run from the beat with which it takes the lease. Greater for a greater beat, and never that of another
	 * run, not even for the same beat: by its id a run knows its own row again when the answer to a beat was lost.
	 */
	runId: (beat: number) => string;
	/** Milliseconds that one request may take. */
	timeoutMs: number;
	clock: Clock;
	/** Aborted when the execution is cancelled: watching ends. */
	cancel?: AbortSignal;
}

export type Taken =
	| { kind: 'taken'; lease: Lease }
	/** Another run is alive. */
	| { kind: 'busy'; holder: string }
	| { kind: 'cancelled' };

/** A lease that this run holds. It beats by itself from when it is taken until it is released or lost. */
export interface Lease {
	readonly runId: string;
	/** Rows of runs that there must be at least, as the one before counted them. */
	readonly rowsBefore: number;
	/** The run before, when it did not release the lease; '' when it did. */
	readonly interrupted: string;
	/** Whether a request may leave now. To be asked right before it leaves, with nothing awaited in between. */
	isSound(): boolean;
	/** Whether somebody else has taken it. */
	readonly isLost: boolean;
	/** How many rows of runs there are now; the next beat says so. */
	countRows(rows: number): void;
	/** Beats at once, so that the lease row has the count. Succeeds, too, when the lease is lost: to be asked afterwards. */
	beatNow(): Promise<StoreResult<void>>;
	/**
	 * Ends the beats and frees the lease, with the rows counted last. Does nothing when it is lost. To be called when no request is
	 * under way any more: another run may send at once.
	 */
	release(): Promise<StoreResult<void>>;
}

/**
 * Takes the lease, waiting until it is clear whether its holder is alive: 75 s, more where the holder's requests may take longer than 30 s.
 * @param isMaker whether this caller's `open` made the ledger
 */
export async function takeLease(
	store: LedgerStore,
	isMaker: boolean,
	options: LeaseOptions,
): Promise<StoreResult<Taken>> {
	return await new LeaseTaking(store, isMaker, options).take();
}
