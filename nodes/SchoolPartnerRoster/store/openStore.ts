/** The ledger that the node's parameters name. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { DataTableStore } from './dataTable';
import { PostgresStore } from './postgres';
import type { LedgerStore } from './store';

export function storeOf(context: IExecuteFunctions): LedgerStore {
	const kind = context.getNodeParameter('ledger', 0, 'dataTable');
	const name = String(context.getNodeParameter('ledgerName', 0)).trim();
	return kind === 'postgres' ? new PostgresStore(context, name) : new DataTableStore(context, name);
}
