/** The ledger that the node's parameters name. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { DataTableStore } from './dataTable';
import { PostgresStore } from './postgres';
import type { LedgerStore } from './store';

export function storeOf(context: IExecuteFunctions): LedgerStore {
	const kind = context.getNodeParameter('ledger', 0, 'dataTable');
	const given: unknown = context.getNodeParameter('ledgerName', 0);
	// Trap: an expression that gives nothing would name a new ledger "undefined".
	const name = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
	return kind === 'postgres' ? new PostgresStore(context, name) : new DataTableStore(context, name);
}
