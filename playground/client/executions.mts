/** Runs: start one as the editor does, wait for its end, read what every node gave. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
	ExecutionStatus,
	INodeExecutionData,
	IRunData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';
import { capabilities } from '../capabilities.mts';
import { eventually } from '../eventually.mts';
import { INSTALLATION } from '../installation.mjs';
import type { Session } from './session.mts';
import { getWorkflow } from './workflows.mts';

// Run data is a graph; n8n writes it with `flatted`, so its own copy reads it.
const requireOfPlayground = createRequire(join(INSTALLATION, 'package.json'));
const flatted = requireOfPlayground('flatted') as { parse(text: string): IRunExecutionData };

const ENDED: ReadonlySet<ExecutionStatus> = new Set(['success', 'error', 'canceled', 'crashed']);

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	/** Also of a run that has not begun. */
	createdAt: string;
	startedAt: string;
	stoppedAt: string | null;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

export interface ManualRun {
	/** Name of the trigger node to start from. */
	trigger: string;
	/** Name of the node to stop after ("Execute step"); default: the whole workflow. */
	destination?: string;
	/** What the nodes gave in an execution before, which the editor keeps: nodes that have it are not run. */
	runData?: IRunData;
}

/**
 * "Execute workflow" of the editor, on the saved draft. Gives the execution's id at once.
 * Rejects when n8n waits for a webhook call instead (the trigger is a webhook).
 */
export async function runManually(session: Session, workflowId: string, run: ManualRun): Promise<string> {
	const answer = await session.request<{ executionId?: string; waitingForWebhook?: boolean }>(
		'POST',
		`/workflows/${workflowId}/run`,
		{
			...(!capabilities.runsTheStoredDraft && { workflowData: await getWorkflow(session, workflowId) }),
			...(run.runData
				? { runData: run.runData, dirtyNodeNames: [] }
				: { triggerToStartFrom: { name: run.trigger } }),
			...(run.destination && { destinationNode: { nodeName: run.destination, mode: 'inclusive' } }),
		},
	);
	if (answer.executionId === undefined)
		throw new Error(`"${run.trigger}" waits for a webhook call: use callWebhook`);
	return answer.executionId;
}

/** The execution as it is now; its data is read only when it has ended. */
export async function getExecution(session: Session, id: string): Promise<Execution> {
	const { data, ...summary } = await session.request<ExecutionSummary & { data: string }>(
		'GET',
		`/executions/${id}`,
	);
	return { ...summary, data: flatted.parse(data) };
}

/** Newest first, at most 100. */
export async function listExecutions(session: Session, workflowId: string): Promise<ExecutionSummary[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await session.request<{ results: ExecutionSummary[] }>(
		'GET',
		`/executions?filter=${filter}&limit=100`,
	);
	return results;
}

/** Waits until `count` executions of the workflow have ended; newest first. */
export async function waitForExecutions(
	session: Session,
	workflowId: string,
	count: number,
	timeoutMs?: number,
): Promise<ExecutionSummary[]> {
	let ended: ExecutionSummary[] = [];
	return await eventually(
		async () => {
			ended = (await listExecutions(session, workflowId)).filter(({ status }) => ENDED.has(status));
			return ended.length >= count ? ended : undefined;
		},
		timeoutMs,
		() => `${ended.length} of ${count} executions of workflow ${workflowId} ended`,
	);
}

/** Waits for the end of one execution and reads it. */
export async function waitForExecution(session: Session, id: string, timeoutMs?: number): Promise<Execution> {
	return await eventually(
		async () => {
			const execution = await getExecution(session, id);
			return ENDED.has(execution.status) ? execution : undefined;
		},
		timeoutMs,
		() => `Execution ${id} did not end`,
	);
}

/**
 * Waits for the end of the first execution of the workflow that was begun after another one.
 * @param after id of that; undefined: the first of all
 */
export async function waitForNextExecution(
	session: Session,
	workflowId: string,
	after: string | undefined,
	timeoutMs?: number,
): Promise<Execution> {
	return await eventually(
		async () => {
			// Trap: n8n lists those that are running before the newer ones that have ended.
			const [next] = (await listExecutions(session, workflowId))
				.filter(({ id }) => Number(id) > Number(after ?? 0))
				.sort((one, other) => Number(one.id) - Number(other.id));
			// Trap: n8n lists a production run before it has saved anything that could be read.
			return next !== undefined && ENDED.has(next.status) ? await getExecution(session, next.id) : undefined;
		},
		timeoutMs,
		() => `The execution of workflow ${workflowId} after ${after ?? 'its import'} did not end`,
	);
}

/** Starts a run and waits for its end. */
export async function runAndWait(
	session: Session,
	workflowId: string,
	run: ManualRun,
	timeoutMs?: number,
): Promise<Execution> {
	return await waitForExecution(session, await runManually(session, workflowId, run), timeoutMs);
}

/** Stops a running execution, as the editor's Stop button does. */
export async function stopExecution(session: Session, id: string): Promise<void> {
	await session.request('POST', `/executions/${id}/stop`, {});
}

/** The last run of a node, undefined when the node was not reached. */
export function nodeRun(execution: Execution, nodeName: string): ITaskData | undefined {
	return execution.data.resultData.runData[nodeName]?.at(-1);
}

/** The items on one output of a node (0 is the first; the failure output comes last). Empty when it was not reached. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	return nodeRun(execution, nodeName)?.data?.main?.[output] ?? [];
}

/** The failure that ended the run, or that of one node. */
export function errorOf(execution: Execution, nodeName?: string) {
	if (nodeName !== undefined) return nodeRun(execution, nodeName)?.error;
	return execution.data.resultData.error;
}
