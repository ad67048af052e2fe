/** The ledger that the node's parameters name. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { parameterReader } from '../../shared/actions/parameters';
import { DataTableStore } from '../store/dataTable';
import { PostgresStore } from '../store/postgres';
import type { LedgerStore } from '../store/store';

import { itemText } from './items';

export function storeOf(context: IExecuteFunctions): LedgerStore {
	const kind = context.getNodeParameter('ledger', 0, 'dataTable');
	// Trap: an expression that gives nothing would name a new ledger: "undefined", or what stands around it.
	const read = parameterReader(outspoken(context), context.getInputData(), 'ledgerName', '');
	const name = itemText(read(0));
	return kind === 'postgres' ? new PostgresStore(context, name) : new DataTableStore(context, name);
}
