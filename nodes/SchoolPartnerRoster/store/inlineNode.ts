/** Runs one of n8n's own nodes inside of this node: they reach Data Tables and PostgreSQL, community nodes do not. */
import type { IDataObject, IExecuteFunctions, INode, INodeParameters, IWorkflowBase } from 'n8n-workflow';

import { LEDGER_COLUMNS, readStoredRow, type LedgerRow, type StoredRow } from '../ledger/row';

import { storeFailureOf, storeErrors } from './failures';
import { StoreError } from './store';

const TRIGGER_TYPE = 'n8n-nodes-base.executeWorkflowTrigger';
const ITEMS_NODE = 'Items';
const LEDGER_NODE = 'Ledger';

/**
 * Trap: a text in `parameters` that begins with "=" is run as an expression. So only texts of our own stand there, and
 * numbers; what comes from rows or parameters travels in the items, where n8n evaluates nothing.
 */
export interface InlineNode {
	type: 'n8n-nodes-base.dataTable' | 'n8n-nodes-base.postgres';
	typeVersion: number;
	parameters: INodeParameters;
	credentials?: INode['credentials'];
}

/**
 * The items that the node gives for these items, at least one. It runs in the project of the workflow, and no execution of it is kept.
 * Throws a {@link StoreError}.
 * @param isWaitedFor false: it gives none, and nobody learns whether it worked. Trap: at n8n's time limit whatever is waited for fails.
 */
export async function runInline(
	context: IExecuteFunctions,
	node: InlineNode,
	items: readonly IDataObject[],
	isWaitedFor = true,
): Promise<IDataObject[]> {
	refuseExcluded(context, node);
	const { id: workflowId } = context.getWorkflow() as { id: string };
	const parentExecution = { executionId: context.getExecutionId(), workflowId };
	const ran = context.executeWorkflow(
		{ code: workflowOf(node) },
		items.map((json) => ({ json })),
		undefined,
		{ parentExecution, doNotWaitToFinish: !isWaitedFor },
	);
	const { data } = await ran.catch((thrown: unknown) => {
		throw new StoreError(storeFailureOf(thrown, context.getExecutionCancelSignal?.()?.aborted));
	});
	return (data?.[0] ?? []).map(({ json }) => json);
}

/** Trap: n8n keeps the execution of an inner workflow that it could not begin, whatever its settings say; so it is asked before. */
function refuseExcluded(context: IExecuteFunctions, { type }: InlineNode): void {
	const known = context.getKnownNodeTypes();
	const missing = [TRIGGER_TYPE, type].find((needed) => !(needed in known));
	if (missing !== undefined) throw new StoreError(storeErrors.nodeExcluded(missing));
}

/** Trap: without `callerPolicy` an n8n whose default is "none" refuses to run it. */
function workflowOf({ type, typeVersion, parameters, credentials }: InlineNode): IWorkflowBase {
	const trigger = { parameters: { inputSource: 'passthrough' }, type: TRIGGER_TYPE, typeVersion: 1.1 };
	return {
		name: 'Ledger of the School Partner Roster',
		active: false,
		nodes: [
			{ ...trigger, id: ITEMS_NODE, name: ITEMS_NODE, position: [0, 0] },
			{ id: LEDGER_NODE, name: LEDGER_NODE, position: [200, 0], type, typeVersion, parameters, credentials },
		],
		connections: { [ITEMS_NODE]: { main: [[{ node: LEDGER_NODE, type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
			callerPolicy: 'workflowsFromSameOwner',
		},
	} as unknown as IWorkflowBase;
}

/** Only what has a column: n8n refuses an item that has anything else. */
export function rowCells(row: LedgerRow): LedgerRow {
	return Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, row[column]])) as LedgerRow;
}

/** Items that a node gave as rows. One that is no row of a ledger is told, and not left out: a page with fewer rows would look like the last. */
export function storedRows(ledger: string, items: readonly IDataObject[]): StoredRow[] {
	return items.map((item) => {
		const row = readStoredRow(item);
		if (row === undefined) throw new StoreError(storeErrors.ledgerForeignRow(ledger, String(item.id)));
		return row;
	});
}
