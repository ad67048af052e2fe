/** The journal of a ledger: reads all its rows, and adds those of a run, one insert at a time. */
import { LedgerReader, type Ledger } from '../ledger/ledger';
import { isOfRun, ledgerRow, type LedgerRow, type StoredRow } from '../ledger/row';
import type { Turns } from '../roster/turns';
import { MAX_INSERT_ROWS, PAGE_ROWS, passOver, type LedgerStore } from '../store/store';

import { retryStore, type Clock } from './clock';
import type { Lease } from './lease';

/** So long a write is tried again. Milliseconds. */
const RETRY_WRITE_FOR_MS = 5 * 60_000;

/** @param onRow told of each row, as it was written @param from only rows with greater ids than this */
export async function readLedger(
	store: LedgerStore,
	clock: Clock,
	turns: Turns,
	onRow: (row: StoredRow) => void = () => {},
	from = 0,
): Promise<Ledger> {
	const reader = new LedgerReader();
	for (let last = from; ; ) {
		const after = last;
		const page = await retryStore(clock, async () => await store.rowsAfter(after, PAGE_ROWS));
		await turns.forEach(page, (row) => {
			reader.take(row);
			onRow(row);
			last = Math.max(last, row.id);
		});
		if (page.length < PAGE_ROWS) return await reader.ledger(turns);
	}
}

export class Journal {
	private sequence = 0;

	/** @param rows of runs that the ledger has */
	constructor(
		private readonly store: LedgerStore,
		private readonly lease: Lease,
		private readonly clock: Clock,
		public rows: number,
	) {}

	/** Adds rows, with the run, their place in it and the time. */
	async write(rows: ReadonlyArray<Partial<LedgerRow>>): Promise<void> {
		const numbered = this.numbered(rows);
		for (let start = 0; start < numbered.length; start += MAX_INSERT_ROWS) {
			const part = numbered.slice(start, start + MAX_INSERT_ROWS);
			// Trap: a failure says nothing of whether the rows are there. Written twice, with the same places, they count once.
			const append = async () => await this.store.append(part);
			await retryStore(this.clock, append, RETRY_WRITE_FOR_MS, () => this.lease.isLost);
			this.count(this.rows + part.filter(isOfRun).length);
		}
	}

	/** Adds rows without waiting for them, when nothing that is waited for works any more. The lease does not count them. */
	async handOver(rows: ReadonlyArray<Partial<LedgerRow>>): Promise<void> {
		await this.store.append(this.numbered(rows), false).catch(passOver);
	}

	/** Sets how many rows there must be: the lease says it with its next renewal. */
	count(rows: number): void {
		this.rows = rows;
		this.lease.countRows(rows);
	}

	private numbered(rows: ReadonlyArray<Partial<LedgerRow>>): LedgerRow[] {
		const at = new Date(this.clock.wall()).toISOString();
		return rows.map((row) =>
			// A copy that a compaction makes keeps the run that wrote the original.
			ledgerRow({ run_id: this.lease.runId, sequence: String(this.sequence++), at, ...row }),
		);
	}
}
