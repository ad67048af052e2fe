/** A ledger that must be there, for the operations that do not make one; what they note in it, beside any run. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ThrownFailure } from '../../shared/failure';
import type { Ledger } from '../ledger/ledger';
import { ledgerRow, type LedgerRow, type StoredRow } from '../ledger/row';
import { RETRY_FOR_MS, retryStore } from '../night/clock';
import { readLedger } from '../night/journal';
import { Turns } from '../roster/turns';
import { MAX_INSERT_ROWS, type LedgerStore } from '../store/store';

import { CLOCK, HOST } from './clock';
import { ledgerAbsent } from './failures';
import { storeOf } from './openStore';

/** @param retryForMs how long a ledger that cannot be opened is tried again */
export async function openExisting(
	context: IExecuteFunctions,
	retryForMs = RETRY_FOR_MS,
): Promise<LedgerStore> {
	const store = storeOf(context);
	const opened = await retryStore(CLOCK, async () => await store.open(false), retryForMs);
	if (opened === 'absent') throw new ThrownFailure(ledgerAbsent(store.name));
	return store;
}

/** How an operation that a person, or a model, waits for is told of a ledger that cannot be opened: at once. */
export const AT_ONCE = 0;

/** @param onRow told of each row, as it was written */
export async function readExisting(
	context: IExecuteFunctions,
	retryForMs = RETRY_FOR_MS,
	onRow?: (row: StoredRow) => void,
): Promise<{ store: LedgerStore; ledger: Ledger }> {
	const store = await openExisting(context, retryForMs);
	return { store, ledger: await readLedger(store, CLOCK, new Turns(HOST), onRow) };
}

/** Written twice, a row says the same. */
export async function addRows(store: LedgerStore, rows: ReadonlyArray<Partial<LedgerRow>>): Promise<void> {
	const at = new Date(CLOCK.wall()).toISOString();
	for (let start = 0; start < rows.length; start += MAX_INSERT_ROWS) {
		const part = rows.slice(start, start + MAX_INSERT_ROWS).map((row) => ledgerRow({ at, ...row }));
		await retryStore(CLOCK, async () => await store.append(part));
	}
}
