/** Runs of an operation in n8n, and what can be seen of them: at the service, and behind the node. */
import type { IDataObject, INode } from 'n8n-workflow';

import {
	createWorkflow,
	errorOf,
	itemsOf,
	nodeRun,
	runManually,
	waitForExecution,
	type Execution,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import { nodeWorkflow, TESTED, type Stage } from '../support/stage.mts';

import { isOf, TOKEN_PATH, type Key } from './keys.mts';
import type { OperationCase } from './operations.mts';

export interface RunOptions {
	timeout: number;
	maxRetries: number;
	concurrency: number;
}

/** The items of keys, one after another, each with its number. */
export function rowsOf({ itemsPerKey }: OperationCase, keys: readonly Key[]): IDataObject[] {
	return keys
		.flatMap(({ fields }) => Array.from({ length: itemsPerKey }, () => fields))
		.map((fields, n) => ({ n, ...fields }));
}

/** Start, the rows, and the node with the operation. */
export function workflowOf(
	operation: OperationCase,
	keys: readonly Key[],
	credential: StoredCredential,
	options: RunOptions,
	onError: INode['onError'] = 'continueErrorOutput',
): WorkflowInput {
	const own = operation.parameters.options as IDataObject;
	const parameters = { ...operation.parameters, options: { ...own, ...options } as never };
	return nodeWorkflow({ credential } as Stage, { parameters, rows: rowsOf(operation, keys), onError });
}

/** Saves a workflow and starts it as the editor does. */
export async function start(
	session: Session,
	workflow: WorkflowInput,
): Promise<{ workflow: string; execution: string }> {
	const { id } = await createWorkflow(session, workflow);
	return { workflow: id, execution: await runManually(session, id, { trigger: 'Start' }) };
}

export async function run(session: Session, workflow: WorkflowInput): Promise<Execution> {
	return await waitForExecution(session, (await start(session, workflow)).execution, 120_000);
}

/** Runs an operation for its keys; gives what is to be seen of it. */
export async function seenRunOf(
	session: Session,
	operation: OperationCase,
	keys: readonly Key[],
	credential: StoredCredential,
	options: RunOptions,
): Promise<RunSeen> {
	const ended = await run(session, workflowOf(operation, keys, credential, options));
	return seenRun(ended, rowsOf(operation, keys).length);
}

/** How one item came out of the node. */
export interface ItemSeen {
	item: number;
	outcome: 'success' | 'failure' | 'missing' | 'both';
	/** The failure's text, or ''. */
	message: string;
	/** The failure output has the item's own data beside the failure. */
	keptInput: boolean;
}

export interface RunSeen {
	status: string;
	/** The failure that ended the run, or ''. */
	error: string;
	/** Milliseconds that the node took. */
	nodeMs: number;
	items: ItemSeen[];
}

export function seenRun(execution: Execution, itemCount: number): RunSeen {
	const good = pairsOf(execution, 0);
	const bad = pairsOf(execution, 1);
	const items = Array.from({ length: itemCount }, (_, item): ItemSeen => {
		const succeeded = good.some((each) => each.item === item);
		const failures = bad.filter((each) => each.item === item);
		const outcome =
			succeeded && failures.length > 0
				? 'both'
				: succeeded
					? 'success'
					: failures.length === 1
						? 'failure'
						: 'missing';
		const [failure] = failures;
		return {
			item,
			outcome,
			message: typeof failure?.json.error === 'string' ? failure.json.error : '',
			keptInput: failure?.json.n === item,
		};
	});
	const error = errorOf(execution);
	return {
		status: execution.status,
		error: error === undefined ? '' : `${error.message}\n${String(error.description ?? '')}`,
		nodeMs: nodeRun(execution, TESTED)?.executionTime ?? 0,
		items,
	};
}

function pairsOf(execution: Execution, output: number): Array<{ item: number; json: IDataObject }> {
	return itemsOf(execution, TESTED, output).map(({ json, pairedItem }) => {
		const pair = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
		return { item: typeof pair === 'object' ? pair.item : (pair ?? -1), json };
	});
}

/** What the service received, oldest first, without requests for machine tokens. */
export async function received({ admin }: Sandbox): Promise<LoggedRequest[]> {
	return (await admin.requests()).filter(({ path, body }) => path !== TOKEN_PATH || isOfVisitor(body));
}

function isOfVisitor(body: unknown): boolean {
	return (
		typeof body === 'object' &&
		body !== null &&
		'grant_type' in body &&
		body.grant_type !== 'client_credentials'
	);
}

/** How often the request of each key arrived. */
export async function arrivalsByKey(
	sandbox: Sandbox,
	keys: readonly Key[],
): Promise<Map<string, LoggedRequest[]>> {
	const all = await received(sandbox);
	return new Map(keys.map(({ id, match }) => [id, all.filter((request) => isOf(request, match))]));
}
