/** How a run comes to hold the lease: it waits for whoever holds it, takes the row, and makes sure that it is the only one. */
import { success } from '../../shared/failure';
import { freed, latestState, leaseRow, leaseState, mustGiveBack, type LeaseState } from '../ledger/lease';
import { LeaseWatch, LOOK_MS, type Watched } from '../ledger/leaseWatch';
import type { LedgerRow, StoredRow } from '../ledger/row';
import type { LedgerStore, StoreResult } from '../store/store';

import { HeldLease, moment } from './heldLease';
import type { LeaseOptions, Taken } from './lease';
import { retryStore, RETRY_MS } from './patience';

/** How long a store that fails is asked again. */
const PATIENCE_MS = 30_000;

/** Who did not make the ledger waits so long for its lease row: the maker may have died before it added one. */
const WAIT_FOR_ROW_MS = 10_000;

/** Not taken, and nothing speaks against another try. */
const AGAIN = success(undefined);

export class LeaseTaking {
	private readonly watch = new LeaseWatch();

	private readonly began: number;

	constructor(
		private readonly store: LedgerStore,
		private readonly isMaker: boolean,
		private readonly options: LeaseOptions,
	) {
		this.began = options.clock.steady();
	}

	async take(): Promise<StoreResult<Taken>> {
		for (;;) {
			if (this.options.cancel?.aborted) return success({ kind: 'cancelled' });
			const rows = await this.leaseRows();
			if (!rows.ok) return rows;
			const taken = rows.value.length === 0 ? await this.addRow() : await this.takeOneOf(rows.value);
			if (!taken.ok) return taken;
			if (taken.value) return success(taken.value);
		}
	}

	/** Two runs may add one each: both see both rows before they send anything. */
	private async addRow(): Promise<StoreResult<undefined>> {
		const waitedMs = this.options.clock.steady() - this.began;
		if (this.isMaker || waitedMs >= WAIT_FOR_ROW_MS) {
			const added = await this.store.append([this.row({ holder: '', beat: 0, rows: 0 })]);
			if (added.ok) return AGAIN;
			// A row whose answer was lost is seen at the next look; a second one does no harm.
			if (!added.failure.isPassing || waitedMs >= WAIT_FOR_ROW_MS + PATIENCE_MS) return added;
		}
		await this.pause(RETRY_MS);
		return AGAIN;
	}

	private async takeOneOf(rows: readonly StoredRow[]): Promise<StoreResult<Taken | undefined>> {
		const watched = this.watch.look(rows, this.options.clock.steady());
		switch (watched.kind) {
			case 'busy':
				return success(watched);
			case 'watching':
				await this.pause(LOOK_MS);
				return AGAIN;
			case 'available':
				return await this.takeLowest(rows, watched);
		}
	}

	private async takeLowest(
		rows: readonly StoredRow[],
		{ interrupted }: Extract<Watched, { kind: 'available' }>,
	): Promise<StoreResult<Taken | undefined>> {
		const [lowest, ...others] = rows;
		for (const row of others.filter(({ id }) => interrupted.some((one) => one.id === id))) {
			// Its holder may only be frozen: changing its row makes sure that it beats no more.
			const isFreed = await this.replace(row, this.row(freed(leaseState(row))));
			if (!isFreed.ok || isFreed.value?.run_id !== '') return isFreed.ok ? AGAIN : isFreed;
		}
		const { beat, rows: counted } = latestState(rows);
		const runId = this.options.runId(beat + 1);
		const began = moment(this.options.clock);
		const taken = await this.replace(lowest, this.row({ holder: runId, beat: beat + 1, rows: counted }));
		if (!taken.ok) return taken;
		if (taken.value?.run_id !== runId) return AGAIN;
		const { store, options } = this;
		const before = interrupted.length > 0 ? latestState(interrupted).holder : '';
		return await this.confirm(new HeldLease(store, options.clock, taken.value, began, before), taken.value);
	}

	/** Asks for the rows once more: somebody may have taken another one meanwhile, or one with a lower id may have become visible. */
	private async confirm(lease: HeldLease, own: StoredRow): Promise<StoreResult<Taken | undefined>> {
		const rows = await this.leaseRows();
		if (!rows.ok || mustGiveBack(rows.value, own)) {
			const released = await lease.release();
			if (!rows.ok) return rows;
			return released.ok ? AGAIN : released;
		}
		// All others are free and above ours. One that cannot be removed now is removed by a later run.
		for (const { id } of rows.value.filter((row) => row.id !== own.id)) await this.store.removeLease(id);
		return success({ kind: 'taken', lease });
	}

	private row(state: Omit<LeaseState, 'timeoutMs'>): LedgerRow {
		const { clock, timeoutMs } = this.options;
		return leaseRow({ ...state, timeoutMs }, new Date(clock.wall()).toISOString());
	}

	private async leaseRows(): Promise<StoreResult<StoredRow[]>> {
		return await retryStore(this.options.clock, PATIENCE_MS, async () => await this.store.leaseRows());
	}

	/** A conditional update. Gives the row as it is afterwards, so that an update is known by what it wrote although its answer was lost. */
	private async replace(before: StoredRow, after: LedgerRow): Promise<StoreResult<StoredRow | undefined>> {
		return await retryStore(this.options.clock, PATIENCE_MS, async () => {
			const isReplaced = await this.store.replaceLease(before, after);
			if (!isReplaced.ok) return isReplaced;
			if (isReplaced.value) return success({ ...after, id: before.id });
			const rows = await this.store.leaseRows();
			return rows.ok ? success(rows.value.find(({ id }) => id === before.id)) : rows;
		});
	}

	/** Sleeps in pieces, so that a cancelled run does not linger. */
	private async pause(milliseconds: number): Promise<void> {
		const { clock, cancel } = this.options;
		for (let left = milliseconds; left > 0 && !cancel?.aborted; left -= RETRY_MS)
			await clock.sleep(Math.min(left, RETRY_MS));
	}
}
