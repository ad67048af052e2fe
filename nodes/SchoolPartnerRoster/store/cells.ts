/** Between rows of the ledger and items of n8n's nodes. */
import type { IDataObject } from 'n8n-workflow';

import { failed, success } from '../../shared/failure';
import { COLUMNS, readRow, type LedgerRow, type StoredRow } from '../ledger/row';

import { foreignRow } from './failures';
import type { Stored } from './store';

/** Only what has a column: n8n refuses an item that has anything else. */
export function cellsOf(row: LedgerRow): LedgerRow {
	return Object.fromEntries(COLUMNS.map((column) => [column, row[column]])) as LedgerRow;
}

/** Items that a node gave as rows. One that is no row of a ledger is told, and not left out: a page with fewer rows would look like the last. */
export function storedRows(ledger: string, items: readonly IDataObject[]): Stored<StoredRow[]> {
	const rows: StoredRow[] = [];
	for (const item of items) {
		const row = readRow(item);
		if (row === undefined) return failed(foreignRow(ledger, String(item.id)));
		rows.push(row);
	}
	return success(rows);
}
