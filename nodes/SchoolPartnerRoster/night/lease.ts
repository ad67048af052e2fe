/**
 * The lease of a ledger: only the run that holds it sends. It is one row, which only a conditional update changes, so that of several runs one
 * wins. No clocks of two machines are compared:
 * - the holder renews its lease every 10 s, and the number in the row grows by one (`beat`);
 * - no request leaves when the last renewal began more than 40 s ago (the fence);
 * - another run takes over when it has seen the same beat for 75 s: none of the holder's requests is under way then.
 */
import { detailOf } from '../ledger/detail';
import { ledgerRow, LEASE, type LedgerRow, type StoredRow } from '../ledger/row';
import { passOver, StoreError, type LedgerStore, type StoreFailure } from '../store/store';

import { RETRY_EVERY_MS, retryStore, type Clock } from './clock';

const RENEW_EVERY_MS = 10_000;
/** No request leaves when the last renewal began longer ago. */
export const FENCE_MS = 40_000;
/** How long a release, or a renewal that is asked for, is tried. */
const UPDATE_MS = 10_000;

/** What a lease row says. */
export interface LeaseState {
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

export const released = (state: LeaseState): LeaseState => ({ ...state, holder: '', beat: state.beat + 1 });

/** A moment by both clocks. */
export const moment = (clock: Clock) => ({ steady: clock.steady(), wall: clock.wall() });

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
		// Whatever is no failure of the store ends the renewals: the fence closes soon.
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
	async renewNow(): Promise<void> {
		await retryStore(this.clock, async () => await this.update(renewed), UPDATE_MS);
	}

	/**
	 * Ends the renewals and frees the lease, with the rows counted last. To be called when no request is under way any more: another run
	 * may send at once.
	 * @param above the beat of whoever takes it next is greater than this
	 */
	async release(above = 0): Promise<void> {
		this.isReleased = true;
		const freed = (state: LeaseState) => released({ ...state, beat: Math.max(state.beat, above) });
		await retryStore(this.clock, async () => await this.update(freed), UPDATE_MS);
	}

	/** By the clock that says more: the steady one may stand still while the machine sleeps, the wall clock may be set back. */
	private ageMs(): number {
		const { steady, wall } = moment(this.clock);
		return Math.max(steady - this.renewedAt.steady, wall - this.renewedAt.wall);
	}

	private async keepRenewing(): Promise<void> {
		while (!this.isReleased && !this.isLost) {
			// A renewal that failed is due again a second later.
			if (this.ageMs() >= RENEW_EVERY_MS) await this.update(renewed).catch(passOver);
			await this.clock.sleep(RETRY_EVERY_MS);
		}
	}

	private async update(next: (state: LeaseState) => LeaseState): Promise<void> {
		const update = this.lastUpdate.then(async () => await this.updateNow(next));
		this.lastUpdate = update.catch(() => undefined);
		await update;
	}

	private async updateNow(next: (state: LeaseState) => LeaseState): Promise<void> {
		if (this.isLost) return;
		const began = moment(this.clock);
		const after = leaseRow(next({ ...leaseState(this.row), rows: this.rows }), began.wall);
		if (!(await this.store.replaceLease(this.row, after))) return await this.readAgain();
		this.row = { ...after, id: this.row.id };
		this.renewedAt = began;
	}

	/** The row is not as this run knew it. Either an update arrived whose answer was lost, or another run has taken over. */
	private async readAgain(): Promise<void> {
		const rows = await this.store.leaseRows();
		const own = rows.find(({ id }) => id === this.row.id);
		this.isLost = own?.run_id !== this.runId;
		if (own === undefined || this.isLost) return;
		this.row = own;
		throw new StoreError(NOT_UPDATED);
	}
}

const NOT_UPDATED: StoreFailure = {
	origin: 'n8n',
	effect: 'unknown',
	isPassing: true,
	message: 'The lease of the ledger could not be changed: its row changes without us',
	next: 'Nothing has to be done: the next run waits until this lease has stood still for a while, and takes over.',
};
