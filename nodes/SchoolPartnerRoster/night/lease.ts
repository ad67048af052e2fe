/**
 * The lease of a ledger: only the run that holds it sends. It is one row, which only a conditional update changes, so that of several runs one
 * wins. No clocks of two machines are compared:
 * - the holder renews its lease every 10 s, and the number in the row grows by one (`beat`);
 * - no request leaves when the last renewal began more than 40 s ago (the fence);
 * - another run takes over when it has seen the same beat for 75 s: none of the holder's requests is under way then.
 */
import { failed, success } from '../../shared/failure';
import { detailOf } from '../ledger/detail';
import { ledgerRow, LEASE, type LedgerRow, type StoredRow } from '../ledger/row';
import type { LedgerStore, StoreFailure, StoreResult } from '../store/store';

import { RETRY_EVERY_MS, RETRY_FOR_MS, retryStore, type Clock } from './clock';

const RENEW_EVERY_MS = 10_000;
const FENCE_MS = 40_000;
/** A lease is watched at least so long before it is taken over. */
const MIN_WATCH_MS = 75_000;
/** Between the last moment at which a request of a holder can be under way and the first at which another run takes over. */
const MARGIN_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
/** Who did not make the ledger waits so long for its lease row: the maker may have died before it added one. */
const WAIT_FOR_ROW_MS = 10_000;
/** How long a release, or a renewal that is asked for, is tried. */
const UPDATE_MS = 10_000;

/** What a lease row says. */
interface LeaseState {
	/** Id of the run that holds it; '' when it is free. */
	holder: string;
	/** Grows by one with every change of the row, whoever makes it. */
	beat: number;
	/** How many rows of runs the ledger has at least, as the last holder counted them. */
	rows: number;
	/** Milliseconds that a request of the holder may take. */
	timeoutMs: number;
}

/** `at` is for people only. @param wall milliseconds since 1970 */
export function leaseRow({ holder, beat, rows, timeoutMs }: LeaseState, wall: number): LedgerRow {
	const state = holder === '' ? 'free' : 'held';
	const detail = JSON.stringify({ rows, timeout_ms: timeoutMs });
	const at = new Date(wall).toISOString();
	return ledgerRow({ kind: LEASE, key: LEASE, run_id: holder, sequence: String(beat), state, detail, at });
}

/** Damaged cells count as nothing known. */
export function leaseState(row: StoredRow): LeaseState {
	const { rows, timeout_ms: timeoutMs } = detailOf<{ rows: unknown; timeout_ms: unknown }>(row);
	return {
		holder: row.run_id,
		beat: Number(row.sequence) || 0,
		rows: Number(rows) || 0,
		timeoutMs: Number(timeoutMs) || 0,
	};
}

const renewed = (state: LeaseState): LeaseState => ({ ...state, beat: state.beat + 1 });

const released = (state: LeaseState): LeaseState => ({ ...state, holder: '', beat: state.beat + 1 });

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
	/** Aborted when the execution is cancelled: waiting ends. */
	cancel?: AbortSignal;
}

export type Acquired =
	| { kind: 'acquired'; lease: Lease }
	/** Another run is alive. */
	| { kind: 'busy'; holder: string }
	| { kind: 'cancelled' };

/** Acquires the lease, and waits until it is clear whether its holder is alive: 75 s, more where the holder's requests may take over 30 s. */
export async function acquireLease(options: LeaseOptions): Promise<StoreResult<Acquired>> {
	const { store, clock, cancel } = options;
	const watch = new LeaseWatch();
	const startedAt = clock.steady();
	while (!cancel?.aborted) {
		const rows = await retryStore(clock, async () => await store.leaseRows());
		if (!rows.ok) return rows;
		if (rows.value.length === 0) {
			const added = await addLeaseRow(options, clock.steady() - startedAt);
			if (!added.ok) return added;
			continue;
		}
		const seen = watch.look(rows.value, clock.steady());
		if (seen.kind === 'busy') return success(seen);
		if (seen.kind === 'watching') {
			await pause(options);
			continue;
		}
		const taken = await takeLowest(rows.value, options);
		if (!taken.ok) return taken;
		if (taken.value !== undefined) return success({ kind: 'acquired', lease: taken.value });
	}
	return success({ kind: 'cancelled' });
}

/** Two runs may add one each: both see both rows before they send anything. */
async function addLeaseRow(options: LeaseOptions, waitedMs: number): Promise<StoreResult<void>> {
	const { store, isMaker, timeoutMs, clock } = options;
	if (isMaker || waitedMs >= WAIT_FOR_ROW_MS) {
		const row = leaseRow({ holder: '', beat: 0, rows: 0, timeoutMs }, clock.wall());
		const added = await store.append([row]);
		if (added.ok || !added.failure.isPassing || waitedMs >= RETRY_FOR_MS) return added;
	}
	// A row whose answer was lost is seen at the next look.
	await clock.sleep(RETRY_EVERY_MS);
	return success(undefined);
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
async function takeLowest(
	rows: readonly StoredRow[],
	options: LeaseOptions,
): Promise<StoreResult<Lease | undefined>> {
	const { store, clock, runId, timeoutMs } = options;
	const [lowest, ...others] = rows;
	for (const row of others.filter(isTaken)) {
		// Trap: its holder may only be frozen. It renews no more when its row has changed.
		const freed = await replace(row, released(leaseState(row)), options);
		if (!freed.ok) return freed;
		if (freed.value?.run_id !== '') return success(undefined);
	}
	// Who takes a lease goes on above the greatest beat of all rows: that one says what the last holder knew.
	const last = rows.map(leaseState).reduce((latest, state) => (state.beat > latest.beat ? state : latest));
	const beat = last.beat + 1;
	const holder = runId(beat);
	const began = moment(clock);
	const own = await replace(lowest, { holder, beat, rows: last.rows, timeoutMs }, options);
	if (!own.ok) return own;
	if (own.value?.run_id !== holder) return success(undefined);
	const lease = new Lease(store, clock, own.value, began);
	const isAlone = await removeOthers(own.value, options);
	if (isAlone.ok && isAlone.value) return success(lease);
	const isReleased = await lease.release();
	if (!isAlone.ok) return isAlone;
	return isReleased.ok ? success(undefined) : isReleased;
}

/**
 * Reads the rows once more: somebody may have taken another one meanwhile, or one with a lower id, which is the lease, may have become visible. Of
 * two runs at it, whoever took later sees the earlier. False: the row must be given back.
 */
async function removeOthers(own: StoredRow, { store, clock }: LeaseOptions): Promise<StoreResult<boolean>> {
	const rows = await retryStore(clock, async () => await store.leaseRows());
	if (!rows.ok) return rows;
	const others = rows.value.filter(({ id }) => id !== own.id);
	const isOvertaken = rows.value.some(({ id, run_id: holder }) => id === own.id && holder !== own.run_id);
	if (isOvertaken || others.some((row) => row.id < own.id || isTaken(row))) return success(false);
	// One that cannot be removed now is removed by a later run.
	for (const { id } of others) await store.removeLease(id);
	return success(true);
}

/** A conditional update. Gives the row as it is afterwards, so that an update is known by what it wrote although its answer was lost. */
async function replace(
	before: StoredRow,
	state: LeaseState,
	{ store, clock }: LeaseOptions,
): Promise<StoreResult<StoredRow | undefined>> {
	const after = leaseRow(state, clock.wall());
	return await retryStore(clock, async () => {
		const isReplaced = await store.replaceLease(before, after);
		if (!isReplaced.ok) return isReplaced;
		if (isReplaced.value) return success({ ...after, id: before.id });
		const rows = await store.leaseRows();
		return rows.ok ? success(rows.value.find(({ id }) => id === before.id)) : rows;
	});
}

/** A moment by both clocks. */
const moment = (clock: Clock) => ({ steady: clock.steady(), wall: clock.wall() });

/** A lease that a run holds. It renews itself until it is released or lost. */
export class Lease {
	readonly runId: string;

	/** Rows of runs that there must be at least, as the run before counted them. */
	readonly rowsBefore: number;

	/** Whether another run has taken over. */
	isLost = false;

	private isReleased = false;

	private rows: number;

	/** Updates of the row come one after another. */
	private lastUpdate: Promise<unknown> = Promise.resolve();

	/**
	 * @param row the lease row as this run took it
	 * @param renewedAt when the last update that succeeded *began*: it arrived later, so whoever watches counts from later
	 */
	constructor(
		private readonly store: LedgerStore,
		private readonly clock: Clock,
		private row: StoredRow,
		private renewedAt: ReturnType<typeof moment>,
	) {
		this.runId = row.run_id;
		this.rowsBefore = this.rows = leaseState(row).rows;
		// A store that throws, which it must not, ends the renewals: the fence closes soon.
		void this.keepRenewing().catch(() => undefined);
	}

	/** The fence: whether a request may leave now. To be asked right before it leaves, with nothing awaited in between. */
	isValid(): boolean {
		return !this.isLost && !this.isReleased && this.ageMs() <= FENCE_MS;
	}

	/** How many rows of runs there are now; the next renewal says so. */
	countRows(rows: number): void {
		this.rows = rows;
	}

	/** Renews at once, so that the lease row has the count. Succeeds, too, when the lease is lost: to be asked afterwards. */
	async renewNow(): Promise<StoreResult<void>> {
		return await retryStore(this.clock, async () => await this.update(renewed), UPDATE_MS);
	}

	/**
	 * Ends the renewals and frees the lease, with the rows counted last. To be called when no request is under way any more: another run
	 * may send at once.
	 */
	async release(): Promise<StoreResult<void>> {
		this.isReleased = true;
		return await retryStore(this.clock, async () => await this.update(released), UPDATE_MS);
	}

	/** By the clock that says more: the steady one may stand still while the machine sleeps, the wall clock may be set back. */
	private ageMs(): number {
		const { steady, wall } = moment(this.clock);
		return Math.max(steady - this.renewedAt.steady, wall - this.renewedAt.wall);
	}

	private async keepRenewing(): Promise<void> {
		while (!this.isReleased && !this.isLost) {
			// A renewal that failed is due again a second later.
			if (this.ageMs() >= RENEW_EVERY_MS) await this.update(renewed);
			await this.clock.sleep(RETRY_EVERY_MS);
		}
	}

	private async update(next: (state: LeaseState) => LeaseState): Promise<StoreResult<void>> {
		const update = this.lastUpdate.then(async () => await this.updateNow(next));
		this.lastUpdate = update.catch(() => undefined);
		return await update;
	}

	private async updateNow(next: (state: LeaseState) => LeaseState): Promise<StoreResult<void>> {
		if (this.isLost) return success(undefined);
		const began = moment(this.clock);
		const after = leaseRow(next({ ...leaseState(this.row), rows: this.rows }), began.wall);
		const isUpdated = await this.store.replaceLease(this.row, after);
		if (!isUpdated.ok) return isUpdated;
		if (!isUpdated.value) return await this.readAgain();
		this.row = { ...after, id: this.row.id };
		this.renewedAt = began;
		return success(undefined);
	}

	/** The row is not as this run knew it. Either an update arrived whose answer was lost, or another run has taken over. */
	private async readAgain(): Promise<StoreResult<void>> {
		const rows = await this.store.leaseRows();
		if (!rows.ok) return rows;
		const own = rows.value.find(({ id }) => id === this.row.id);
		this.isLost = own?.run_id !== this.runId;
		if (own === undefined || this.isLost) return success(undefined);
		this.row = own;
		return failed(NOT_UPDATED);
	}
}

const NOT_UPDATED: StoreFailure = {
	origin: 'n8n',
	effect: 'unknown',
	isPassing: true,
	message: 'The lease of the ledger could not be changed: its row changes without us',
	next: 'Nothing has to be done: the next run waits until this lease has stood still for a while, and takes over.',
};
