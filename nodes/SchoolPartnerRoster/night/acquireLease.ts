/** How a run gets the lease of a ledger (lease.ts): it takes one that is free, or one whose holder has stood still for long enough. */
import type { StoredRow } from '../ledger/row';
import type { Turns } from '../roster/turns';
import { passOver, storeResult, StoreError, type LedgerStore } from '../store/store';

import { RETRY_EVERY_MS, RETRY_FOR_MS, retryStore, type Clock } from './clock';
import { readLedger } from './journal';
import { FENCE_MS, Lease, leaseRow, leaseState, moment, released, type LeaseState } from './lease';

/** A lease is watched at least so long before it is taken over. */
const MIN_WATCH_MS = 75_000;
/** Between the last moment at which a request of a holder can be under way and the first at which another run takes over. */
const MARGIN_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
/** Who did not make the ledger waits so long for its lease row: the maker may have died before it added one. */
const WAIT_FOR_ROW_MS = 10_000;

const isTaken = (row: StoredRow) => row.run_id !== '';

export interface LeaseOptions {
	store: LedgerStore;
	/** Whether this run made the ledger, so that it adds the lease row. */
	isMaker: boolean;
	/**
	 * Makes the id of this run from the beat with which it takes the lease. Greater for a greater beat, and never that of another
	 * run, not even for the same beat: by its id a run knows its own row again when the answer to an update was lost.
	 */
	runId: (beat: number) => string;
	/** Milliseconds that one request may take. */
	timeoutMs: number;
	clock: Clock;
	turns: Turns;
	/** Aborted when the execution is cancelled: waiting ends. */
	cancel?: AbortSignal;
}

export type Acquired =
	| { kind: 'acquired'; lease: Lease }
	/** Another run is alive. */
	| { kind: 'busy'; holder: string }
	| { kind: 'cancelled' };

/** Acquires the lease, and waits until it is clear whether its holder is alive: 75 s, more where the holder's requests may take over 30 s. */
export async function acquireLease(options: LeaseOptions): Promise<Acquired> {
	const { store, clock, cancel } = options;
	const watch = new LeaseWatch();
	const startedAt = clock.steady();
	while (!cancel?.aborted) {
		const rows = await retryStore(clock, async () => await store.leaseRows());
		if (rows.length === 0) {
			await addLeaseRow(options, clock.steady() - startedAt);
			continue;
		}
		const seen = watch.look(rows, clock.steady());
		if (seen.kind === 'busy') return seen;
		if (seen.kind === 'watching') {
			await pause(options);
			continue;
		}
		const lease = await takeLowest(rows, options);
		if (lease !== undefined) return { kind: 'acquired', lease };
	}
	return { kind: 'cancelled' };
}

/** Two runs may add one each: both see both rows before they send anything. */
async function addLeaseRow(options: LeaseOptions, waitedMs: number): Promise<void> {
	const { store, isMaker, timeoutMs, clock } = options;
	if (isMaker || waitedMs >= WAIT_FOR_ROW_MS) {
		const before = isMaker ? { beat: 0, rows: 0 } : await lostLease(options);
		const row = leaseRow({ holder: '', ...before, timeoutMs }, clock.wall());
		const added = await storeResult(store.append([row]));
		if (added.ok) return;
		if (!added.failure.isPassing || waitedMs >= RETRY_FOR_MS) throw new StoreError(added.failure);
	}
	// A row whose answer was lost is seen at the next look.
	await clock.sleep(RETRY_EVERY_MS);
}

/**
 * Of a ledger with rows and without a lease, as people make who delete the row that says `held`: the greatest beat of its runs, or nothing new would
 * count beside what they wrote; and one row more than there is, so that a person looks at it.
 */
async function lostLease({ store, clock, turns }: LeaseOptions): Promise<Pick<LeaseState, 'beat' | 'rows'>> {
	const { lastBeat: beat, rows } = await readLedger(store, clock, turns);
	return { beat, rows: rows === 0 ? 0 : rows + 1 };
}

/** Sleeps in pieces, so that a cancelled run ends soon. */
async function pause({ clock, cancel }: LeaseOptions): Promise<void> {
	for (let leftMs = LOOK_EVERY_MS; leftMs > 0 && !cancel?.aborted; leftMs -= RETRY_EVERY_MS)
		await clock.sleep(RETRY_EVERY_MS);
}

/** Sees by the beats alone, in the time of this process, whether a holder is alive. */
class LeaseWatch {
	private readonly seen = new Map<number, { holder: string; beat: string; unchangedMs: number }>();

	private lookedAt: number | undefined;

	/**
	 * @param rows all lease rows
	 * @param now when the answer with them had come: a beat may have arrived while it was on its way
	 */
	look(
		rows: readonly StoredRow[],
		now: number,
	): { kind: 'busy'; holder: string } | { kind: 'watching' } | { kind: 'available' } {
		// A process that slept has not watched.
		const passedMs = Math.min(now - (this.lookedAt ?? now), 2 * LOOK_EVERY_MS);
		this.lookedAt = now;
		for (const { id, run_id: holder, sequence: beat } of rows) {
			const before = this.seen.get(id);
			const isUnchanged = before?.holder === holder && before.beat === beat;
			if (before !== undefined && !isUnchanged && holder !== '') return { kind: 'busy', holder };
			this.seen.set(id, { holder, beat, unchangedMs: isUnchanged ? before.unchangedMs + passedMs : 0 });
		}
		return { kind: rows.every((row) => this.isAvailable(row)) ? 'available' : 'watching' };
	}

	/** By then no request of its holder is under way. */
	private isAvailable(row: StoredRow): boolean {
		const watchMs = Math.max(MIN_WATCH_MS, FENCE_MS + MARGIN_MS + leaseState(row).timeoutMs);
		return !isTaken(row) || (this.seen.get(row.id)?.unchangedMs ?? 0) >= watchMs;
	}
}

/** Takes the lease row; undefined when another run was faster. */
async function takeLowest(rows: readonly StoredRow[], options: LeaseOptions): Promise<Lease | undefined> {
	const { store, clock, runId, timeoutMs } = options;
	const [lowest, ...others] = rows;
	for (const row of others.filter(isTaken)) {
		// Trap: its holder may only be frozen. It renews no more when its row has changed.
		const freed = await replace(row, released(leaseState(row)), options);
		if (freed?.run_id !== '') return undefined;
	}
	// Who takes a lease goes on above the greatest beat of all rows: that one says what the last holder knew.
	const last = rows.map(leaseState).reduce((latest, state) => (state.beat > latest.beat ? state : latest));
	const beat = last.beat + 1;
	const holder = runId(beat);
	const began = moment(clock);
	const own = await replace(lowest, { holder, beat, rows: last.rows, timeoutMs }, options);
	if (own?.run_id !== holder) return undefined;
	const lease = new Lease(store, clock, own, began);
	const isAlone = await storeResult(removeOthers(own, options));
	if (isAlone.ok && isAlone.value) return lease;
	const isReleased = await storeResult(lease.release());
	for (const result of [isAlone, isReleased]) if (!result.ok) throw new StoreError(result.failure);
	return undefined;
}

/**
 * Reads the rows once more: somebody may have taken another one meanwhile, or one with a lower id, which is the lease, may have become visible. Of
 * two runs at it, whoever took later sees the earlier. False: the row must be given back.
 */
async function removeOthers(own: StoredRow, { store, clock }: LeaseOptions): Promise<boolean> {
	const rows = await retryStore(clock, async () => await store.leaseRows());
	const others = rows.filter(({ id }) => id !== own.id);
	const isOvertaken = rows.some(({ id, run_id: holder }) => id === own.id && holder !== own.run_id);
	if (isOvertaken || others.some((row) => row.id < own.id || isTaken(row))) return false;
	// One that cannot be removed now is removed by a later run.
	for (const { id } of others) await store.removeLease(id).catch(passOver);
	return true;
}

/** A conditional update. Gives the row as it is afterwards, so that an update is known by what it wrote although its answer was lost. */
async function replace(
	before: StoredRow,
	state: LeaseState,
	{ store, clock }: LeaseOptions,
): Promise<StoredRow | undefined> {
	const after = leaseRow(state, clock.wall());
	return await retryStore(clock, async () => {
		if (await store.replaceLease(before, after)) return { ...after, id: before.id };
		const rows = await store.leaseRows();
		return rows.find(({ id }) => id === before.id);
	});
}
