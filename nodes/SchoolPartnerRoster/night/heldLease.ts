/** A lease while it is held: it beats in the background, and says whether a request may leave. */
import { failed, success } from '../../shared/failure';
import { BEAT_MS, FENCE_MS, freed, leaseRow, leaseState, type LeaseState } from '../ledger/lease';
import type { LedgerRow, StoredRow } from '../ledger/row';
import type { LedgerStore, StoreResult, StoreFailure } from '../store/store';

import type { Clock } from './clock';
import type { Lease } from './lease';
import { retryStore, RETRY_MS } from './patience';

/** How long a release, or a beat that is asked for, is tried. */
const RELEASE_MS = 10_000;

/** A moment by both clocks. */
export type Moment = Record<'steady' | 'wall', number>;

export function moment(clock: Clock): Moment {
	return { steady: clock.steady(), wall: clock.wall() };
}

const NOT_CHANGED: StoreFailure = {
	origin: 'n8n',
	effect: 'unknown',
	isPassing: true,
	message: 'The lease of the ledger could not be changed: its row changes without us',
	next: 'Nothing has to be done: the next run waits until this lease has stood still for a while, and takes over.',
};

export class HeldLease implements Lease {
	readonly runId: string;

	readonly rowsBefore: number;

	isLost = false;

	private rows: number;

	private isOver = false;

	private beating: Promise<unknown> = Promise.resolve();

	/**
	 * @param row the lease row as this run took it
	 * @param lastBeat when the last beat that arrived *began*: it has arrived later, so whoever watches counts from later
	 */
	constructor(
		private readonly store: LedgerStore,
		private readonly clock: Clock,
		private row: StoredRow,
		private lastBeat: Moment,
		readonly interrupted: string,
	) {
		this.runId = row.run_id;
		this.rowsBefore = leaseState(row).rows;
		this.rows = this.rowsBefore;
		// A store that throws, which it must not, ends the beats: the lease is unsound soon.
		void this.keepBeating().catch(() => undefined);
	}

	isSound(): boolean {
		return !this.isLost && !this.isOver && this.lastBeatAgeMs() <= FENCE_MS;
	}

	countRows(rows: number): void {
		this.rows = rows;
	}

	async beatNow(): Promise<StoreResult<void>> {
		return await retryStore(this.clock, RELEASE_MS, async () => {
			const hasBeaten = await this.beat();
			return hasBeaten || this.isLost ? success(undefined) : failed(NOT_CHANGED);
		});
	}

	async release(): Promise<StoreResult<void>> {
		this.isOver = true;
		await this.beating.catch(() => undefined);
		return await retryStore(this.clock, RELEASE_MS, async () => await this.free());
	}

	/** By the clock that says more: the steady one may stand still while the machine sleeps, the wall clock may be set back. */
	private lastBeatAgeMs(): number {
		const { steady, wall } = moment(this.clock);
		return Math.max(steady - this.lastBeat.steady, wall - this.lastBeat.wall);
	}

	private async keepBeating(): Promise<void> {
		while (!this.isOver && !this.isLost) {
			// A beat that failed is due again at the next second.
			if (this.lastBeatAgeMs() >= BEAT_MS) await this.beat();
			await this.clock.sleep(RETRY_MS);
		}
	}

	/**
	 * One beat after another, whoever asks for it.
	 * @returns whether this very beat arrived: one that was under way before may have had another count of rows
	 */
	private async beat(): Promise<boolean> {
		const beat = this.beating.then(async () => await this.beatOnce());
		this.beating = beat;
		return await beat;
	}

	private async beatOnce(): Promise<boolean> {
		const began = moment(this.clock);
		const state = this.state();
		const isReplaced = await this.replace({ ...state, beat: state.beat + 1 });
		const hasBeaten = isReplaced.ok && isReplaced.value;
		if (hasBeaten) this.lastBeat = began;
		return hasBeaten;
	}

	private async free(): Promise<StoreResult<void>> {
		if (this.isLost) return success(undefined);
		const isReplaced = await this.replace(freed(this.state()));
		if (!isReplaced.ok) return isReplaced;
		return isReplaced.value || this.isLost ? success(undefined) : failed(NOT_CHANGED);
	}

	private state(): LeaseState {
		return { ...leaseState(this.row), rows: this.rows };
	}

	private async replace(state: LeaseState): Promise<StoreResult<boolean>> {
		const after: LedgerRow = leaseRow(state, new Date(this.clock.wall()).toISOString());
		const isReplaced = await this.store.replaceLease(this.row, after);
		if (!isReplaced.ok) return isReplaced;
		if (isReplaced.value) this.row = { ...after, id: this.row.id };
		return isReplaced.value ? isReplaced : await this.readAgain();
	}

	/** The row is not as we knew it. Either a beat of ours arrived whose answer was lost, or somebody has taken over. */
	private async readAgain(): Promise<StoreResult<false>> {
		const rows = await this.store.leaseRows();
		if (!rows.ok) return rows;
		const own = rows.value.find(({ id }) => id === this.row.id);
		if (own?.run_id === this.runId) this.row = own;
		else this.isLost = true;
		return success(false);
	}
}
