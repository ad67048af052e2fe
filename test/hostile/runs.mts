/** Runs of the node under attack: the workflow that a user would build, and what is to be seen of its execution. */
import type { IDataObject, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import {
	errorOf,
	itemsOf,
	nodeRun,
	type Execution,
	type StoredCredential,
} from '../../playground/n8n-client.mts';
import { nodeWorkflow, TESTED, type Stage } from '../support/stage.mts';

export interface SeenItem {
	/** Number of the input item, as n8n pairs them. */
	item: number;
	json: IDataObject;
}

export interface Seen {
	id: string;
	/** As n8n tells it; `hangs` when it had to be stopped. */
	status: string;
	/** Message and description of what ended the run, or ''. */
	error: string;
	/** Milliseconds that the node took. */
	nodeMs: number;
	success: SeenItem[];
	failure: SeenItem[];
	/** Everything that n8n shows of the execution. */
	text: string;
}

export interface Run {
	parameters: INodeParameters;
	rows?: readonly object[];
	/** Instead of rows: the code that makes the items. */
	code?: string;
	/** Undefined: the node has none. */
	credential?: StoredCredential;
	onError?: INode['onError'];
	patienceMs?: number;
}

const NONE: StoredCredential = { id: '', name: '', type: 'schoolPartnerOAuth2Api' };

export function workflowOf({
	parameters,
	rows = [{}],
	code,
	credential,
	onError = 'continueErrorOutput',
}: Run) {
	const workflow = nodeWorkflow({ credential: credential ?? NONE } as Stage, {
		parameters,
		rows: rows as IDataObject[],
		onError,
	});
	for (const node of workflow.nodes) {
		if (node.name === 'Rows' && code !== undefined) node.parameters = { jsCode: code };
		if (node.name === TESTED && credential === undefined) delete node.credentials;
	}
	return { ...workflow, settings: { ...workflow.settings, ...SAVED } };
}

/** So that what is looked through at the end is there. */
const SAVED: IWorkflowSettings = { saveManualExecutions: true, saveDataErrorExecution: 'all' };

/** What is to be seen of an execution that has ended. */
export function seenOf(execution: Execution): Seen {
	const error = errorOf(execution);
	const itemsAt = (output: number): SeenItem[] =>
		itemsOf(execution, TESTED, output).map(({ json, pairedItem }) => {
			const pair = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
			return { item: typeof pair === 'object' ? pair.item : (pair ?? -1), json };
		});
	return {
		id: execution.id,
		status: execution.status,
		error: error === undefined ? '' : `${error.message}\n${String(error.description ?? '')}`,
		nodeMs: nodeRun(execution, TESTED)?.executionTime ?? 0,
		success: itemsAt(0),
		failure: itemsAt(1),
		text: JSON.stringify(execution.data),
	};
}
