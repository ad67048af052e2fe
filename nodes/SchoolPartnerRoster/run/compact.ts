/** Compact Ledger: the short ledger that stands for all rows of the input. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { success, type Outcome } from '../../shared/failure';

import { compact } from '../ledger/compact';

import { itemsOf } from './items';
import { tail } from './plan';
import { HOST } from './roster';

export async function compactLedger(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const items = context.getInputData();
	const rows = await compact(
		items.map(({ json }) => json),
		{ now: HOST.clock, pause: HOST.pause, tail: tail() },
	);
	// A row stands for several: which, is in no relation that n8n could show.
	return rows.ok ? success([itemsOf(rows.value, () => ({ item: 0 }))]) : rows;
}
