/** Tells in time that a Data Table has no room for ever. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Finding } from '../roster/finding';

/** What a row takes, measured. */
const BYTES_A_ROW = 215;

/** n8n refuses to write when all Data Tables together are larger, as it comes; 2.4.8 already at 50 MiB. Bytes. */
const LIMIT = 200 * 1024 * 1024;

/** A finding for a ledger that takes half of the room, or more. @param rows of the ledger */
export function largeLedger(context: IExecuteFunctions, rows: number): Finding[] {
	const bytes = rows * BYTES_A_ROW;
	if (bytes < LIMIT / 2 || context.getNodeParameter('ledger', 0) !== 'dataTable') return [];
	return [
		{
			severity: 'warning',
			code: 'ledgerLarge',
			message: `The ledger has ${rows} rows, some ${Math.round(bytes / 1024 / 1024)} MiB: n8n refuses to write when all of its Data Tables together have 200 MiB`,
			what_to_do:
				'Move the ledger to PostgreSQL, or let the administrator of n8n raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
			count: 1,
			places: [],
		},
	];
}
