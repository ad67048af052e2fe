/** What the end-to-end tests of the trigger share: a published workflow that takes deliveries, and what it recorded. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { capabilities } from '../../../playground/capabilities.mts';
import {
	activateWorkflow,
	callWebhook,
	createCredential,
	createWorkflow,
	credentialReference,
	getExecution,
	itemsOf,
	type Execution,
	type ExecutionSummary,
	type Session,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { eventually } from '../../../playground/eventually.mts';

const TRIGGER_NODE = 'n8n-nodes-school-partner.schoolPartnerTrigger';
export const TRIGGER = 'School Partner Trigger';
export const KEY = 'the-key-of-the-aurora-network';

/** n8n keeps its expression sandboxes for those who need one: docs/scaling.md recommends it, and says what it gains. */
export const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** For tests with hundreds of deliveries, of which a busy machine takes ten a second. */
export const LONG_MS = 900_000;

export interface OpenTrigger {
	workflow: StoredWorkflow;
	credential: StoredCredential;
	/** Below the base URL, with `webhook/` or `webhook-test/` in front. */
	path: string;
	url: string;
}

/** The trigger with a node behind each of its outputs. */
export function triggerWorkflow(
	credential: StoredCredential,
	parameters: INodeParameters = {},
): WorkflowInput {
	const after = (id: string, name: string, y: number): INode => ({
		id,
		name,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [220, y],
		parameters: {},
	});
	return {
		name: 'Access events',
		nodes: [
			{
				id: 'trigger',
				name: TRIGGER,
				type: TRIGGER_NODE,
				typeVersion: 2,
				position: [0, 0],
				webhookId: randomUUID(),
				parameters: { events: ['userAccess', 'userAccessRevocation'], options: {}, ...parameters },
				credentials: credentialReference(credential),
			},
			after('a', 'Granted', 0),
			after('b', 'Revoked', 200),
		],
		connections: {
			[TRIGGER]: {
				main: [[{ node: 'Granted', type: 'main', index: 0 }], [{ node: 'Revoked', type: 'main', index: 0 }]],
			},
		},
		settings: { executionOrder: 'v1' },
	};
}

/** Publishes a workflow with the trigger and waits until n8n answers at its address. */
export async function openTrigger(
	session: Session,
	change: (workflow: WorkflowInput) => WorkflowInput = (workflow) => workflow,
): Promise<OpenTrigger> {
	const credential = await createCredential(session, {
		name: `Key ${randomUUID()}`,
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
	const workflow = await createWorkflow(session, change(triggerWorkflow(credential)));
	await activateWorkflow(session, workflow.id);
	const path = `${workflow.nodes[0]?.webhookId}/events`;
	await callWebhook(session.baseUrl, path, { method: 'POST', data: {} });
	return { workflow, credential, path, url: `${session.baseUrl}/webhook/${path}` };
}

/** The workflow with options of the trigger, for {@link openTrigger}. */
export function withOptions(options: INodeParameters): (workflow: WorkflowInput) => WorkflowInput {
	return (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) => ({ ...node, parameters: { ...node.parameters, options } })),
	});
}

const STATUSES = ['new', 'running', 'waiting', 'success', 'error', 'crashed', 'canceled', 'unknown'];

interface Filter {
	workflowId: string;
	status: string[];
	/** ISO 8601. Whatever has not begun is left out then. */
	startedBefore?: string;
}

interface Page {
	results: ExecutionSummary[];
	/** Of all that the filter lets through. */
	count: number;
}

async function pageOf(session: Session, filter: Filter, more: string): Promise<Page> {
	return await session.request<Page>(
		'GET',
		`/executions?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`,
	);
}

/** How many executions of a workflow have each status: thousands are counted in the time of one page of the list. */
async function executionCounts(session: Session, workflowId: string): Promise<Record<string, number>> {
	const counted = STATUSES.map(async (status) => {
		const { count } = await pageOf(session, { workflowId, status: [status] }, '&limit=1');
		return [status, count] as const;
	});
	return Object.fromEntries(await Promise.all(counted));
}

/** Every execution of a workflow, once their counts by status are as they have to be, and do not change any more within `quietMs`. */
export async function settledExecutions(
	session: Session,
	workflowId: string,
	isEnd: (counts: Record<string, number>) => boolean,
	quietMs = 1_500,
): Promise<ExecutionSummary[]> {
	let before = '';
	return await eventually(async () => {
		const counts = await executionCounts(session, workflowId);
		const now = JSON.stringify(counts);
		if (isEnd(counts) && now === before) return await allExecutions(session, workflowId);
		before = now;
		await wait(quietMs);
		return undefined;
	});
}

const byId = (one: ExecutionSummary, other: ExecutionSummary) => Number(one.id) - Number(other.id);

/**
 * Every execution of a workflow, oldest first. Traps: without a choice of statuses n8n puts the running ones onto every page; and it
 * pages by id what it orders by the start (always from 2.41.1 on), so that those that began late are left out of all pages. Therefore
 * the next page begins in the middle of this one, or at the start of its last.
 */
export async function allExecutions(session: Session, workflowId: string): Promise<ExecutionSummary[]> {
	const found = new Map<string, ExecutionSummary>();
	let filter: Filter = { workflowId, status: STATUSES };
	let more = '&limit=100';
	if (capabilities.pagesByCursor) {
		// What has not begun has no start to go on from.
		const waiting = await pageOf(session, { workflowId, status: ['new'] }, more);
		for (const execution of waiting.results) found.set(execution.id, execution);
		filter = { workflowId, status: STATUSES.filter((status) => status !== 'new') };
	}
	for (;;) {
		const { results } = await pageOf(session, filter, more);
		for (const execution of results) found.set(execution.id, execution);
		if (results.length < 100) return [...found.values()].sort(byId);
		if (capabilities.pagesByCursor)
			filter = { ...filter, startedBefore: results.map(({ startedAt }) => startedAt).sort()[0] };
		else more = `&limit=100&lastId=${results.sort(byId)[50].id}`;
	}
}

/** Runs `work` for every entry, `atOnce` at a time; results in the order of the entries. */
export async function inParallel<T, R>(
	entries: readonly T[],
	atOnce: number,
	work: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = entries.entries();
	const worker = async () => {
		for (const [index, entry] of queue) results[index] = await work(entry, index);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}

/** What an execution was started with: the item of whichever output of the trigger has one. */
export async function startedWith(session: Session, executionId: string): Promise<IDataObject | undefined> {
	const execution = await getExecution(session, executionId);
	const ran = [0, 1, 2].flatMap((output) => itemsOf(execution, TRIGGER, output))[0];
	// After a crash n8n puts a stand-in where the result of a node was only in memory.
	const isThere = ran !== undefined && ran.json.isArtificialRecoveredEventItem !== true;
	return (isThere ? ran : recordedWith(execution))?.json;
}

/** The item with which the run was recorded, before any node ran: it stands before the trigger. */
function recordedWith({ data }: Execution): INodeExecutionData | undefined {
	const waiting = data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
	return waiting.flatMap((items) => items ?? [])[0];
}

/** Counts entries by the text that `name` gives for each. */
export function tally<T>(entries: Iterable<T>, name: (entry: T) => string): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const entry of entries) counts[name(entry)] = (counts[name(entry)] ?? 0) + 1;
	return counts;
}

/**
 * The same workflow with a pause of one second behind every output, so that runs are under way when something
 * ends. "Save execution progress" stays off, as n8n comes: a run that was started by an event can be retried all the same.
 */
export function withPauses(workflow: WorkflowInput): WorkflowInput {
	const pause = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 1, unit: 'seconds' } };
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => (node.type === 'n8n-nodes-base.noOp' ? { ...node, ...pause } : node)),
	};
}

/** Of a run that was retried: the new one goes on with what the first was started with, to its end. */
export async function expectResumed(session: Session, first: string, retried: string): Promise<void> {
	const execution = await eventually(async () => {
		const now = await getExecution(session, retried);
		// Trap: a run that was stopped before it began keeps the stop's message when it is retried, and ends as
		// "error" although every node ran.
		return ['success', 'error'].includes(now.status) ? now : undefined;
	});
	const [resumed] = ['Granted', 'Revoked'].flatMap((node) => itemsOf(execution, node));
	expect(resumed?.json).toEqual(await startedWith(session, first));
}
