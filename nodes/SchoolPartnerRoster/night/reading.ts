/** Reads a ledger to its end. */
import { success } from '../../shared/failure';
import { LedgerReader, type Ledger } from '../ledger/ledger';
import type { StoredRow } from '../ledger/row';
import type { Turns } from '../roster/turns';
import type { LedgerStore, StoreResult } from '../store/store';

import { retryStore, type Clock } from './clock';

/** Rows of a page. */
const PAGE = 10_000;

/** @param onRow told of each row, as it was written @param from only rows with greater ids than this */
export async function readLedger(
	store: LedgerStore,
	clock: Clock,
	turns: Turns,
	onRow: (row: StoredRow) => void = () => {},
	from = 0,
): Promise<StoreResult<Ledger>> {
	const reader = new LedgerReader();
	for (let last = from; ; ) {
		const after = last;
		const page = await retryStore(clock, async () => await store.rowsAfter(after, PAGE));
		if (!page.ok) return page;
		for await (const slice of turns.slices(page.value))
			for (const row of slice) {
				reader.take(row);
				onRow(row);
				last = Math.max(last, row.id);
			}
		if (page.value.length < PAGE) return success(await reader.ledger(turns));
	}
}
