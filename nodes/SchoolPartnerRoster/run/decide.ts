/** What people have decided becomes rows, at any time and beside any run. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureItem } from '../../shared/actions/nodeFailure';
import { failureOfItem, ThrownFailure, type Outcome } from '../../shared/failure';
import type { DecisionDetail } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';

import { addRows, AT_ONCE, readExisting } from './existingLedger';
import { maybeNoted } from './failures';
import { itemText } from './items';

/** What an item becomes: the answer of the node, and a row, unless the item decides nothing. */
export type Decision = Outcome<{ row?: Partial<LedgerRow>; answer: IDataObject }>;

export async function decide(
	context: IExecuteFunctions,
	decisionOf: (item: IDataObject, ledger: Ledger) => Decision,
): Promise<INodeExecutionData[][]> {
	const { store, ledger } = await readExisting(context, AT_ONCE);
	const rows: Array<Partial<LedgerRow>> = [];
	const given: INodeExecutionData[] = [];
	for (const [item, input] of context.getInputData().entries()) {
		const decision = decisionOf(input.json, ledger);
		if (decision.ok) {
			const { row, answer } = decision.value;
			const detail = JSON.stringify({ by: itemText(input.json.by) } satisfies DecisionDetail);
			if (row !== undefined) rows.push({ ...row, detail });
			given.push({ json: answer, pairedItem: { item } });
		} else if (context.continueOnFail()) given.push(failureItem(context, input, decision.failure, item));
		else throw new ThrownFailure(failureOfItem(decision.failure, item));
	}
	await addRows(store, rows).catch(maybeNoted);
	return [given];
}

export const START_SYNC = 'The next Sync goes by it: start it again.';
