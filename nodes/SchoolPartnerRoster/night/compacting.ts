/** Makes a ledger small again, while nobody else writes into it. */
import { success } from '../../shared/failure';
import { copiesOf } from '../ledger/compaction';
import type { Ledger } from '../ledger/ledger';
import { isOfRun } from '../ledger/row';
import type { LedgerStore, StoreResult } from '../store/store';

import { retryStore, type Clock } from './clock';
import type { Journal } from './journal';
import type { Lease } from './lease';

/** Ids that are removed at once: n8n gives all removed rows back. */
const RANGE = 10_000;

/**
 * Adds copies of what counts, says how many rows there must be from now on, and only then removes the originals. Broken off anywhere, the ledger says
 * the same. Trap: a row with a lower id can become visible late, so that each range is read again first, and left alone where it has grown.
 * @param ledger as it was just read
 */
export async function compactLedger(
	store: LedgerStore,
	journal: Journal,
	lease: Lease,
	ledger: Ledger,
	clock: Clock,
): Promise<StoreResult<void>> {
	const copies = copiesOf(ledger, clock.wall());
	const written = await journal.write(copies);
	if (!written.ok) return written;
	journal.count(copies.filter(isOfRun).length);
	const counted = await lease.renewNow();
	if (!counted.ok) return counted;
	for (let from = 1; from <= ledger.lastId; from += RANGE) {
		if (!lease.isValid()) return success(undefined);
		const to = Math.min(from + RANGE - 1, ledger.lastId);
		const rows = await retryStore(clock, async () => await store.rowsAfter(from - 1, RANGE));
		if (!rows.ok) return rows;
		if (rows.value.some(({ id }) => id <= to && !ledger.ids.has(id))) continue;
		const removed = await retryStore(clock, async () => await store.removeRange(from, to));
		if (!removed.ok) return removed;
	}
	return success(undefined);
}
