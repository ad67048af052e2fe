/** The part of the matrix in which n8n itself ends in the middle of runs: stopped in order, out of patience, killed. */
import { setTimeout as wait } from 'node:timers/promises';

import { getExecution, runManually, waitForExecution, type Execution } from '../../playground/n8n-client.mts';
import { eventually } from '../../playground/eventually.mts';
import type { LastingN8n } from '../support/lasting-n8n.mts';

import type { Cell } from './cell.mts';
import { TOKEN_PATH, type Key } from './keys.mts';
import type { OperationCase } from './operations.mts';
import {
	arrivalsByKey,
	rowsOf,
	seenRun,
	start,
	workflowOf,
	type ItemSeen,
	type RunOptions,
} from './runs.mts';
import type { ChaosStage, Lane } from './stage.mts';

/** A snapshot is five requests and more. */
const keyCount = ({ kind }: OperationCase) => (kind === 'parts' ? 6 : 24);
const OPTIONS: RunOptions = { timeout: 10_000, maxRetries: 3, concurrency: 4 };
/** An answer takes this long, so that a run takes about six times as long. */
const LATENCY_MS = 1_000;
const BEGUN = 2;

/** How n8n ends, and what it is started with so that it does. */
export interface Ending {
	column: string;
	end: (n8n: LastingN8n) => Promise<void>;
	/** n8n waits for the runs that are under way. */
	finishes: boolean;
	/** How a run that was cut is done again: from its start, or from the node with what n8n has kept of the run. */
	again?: 'start' | 'retry';
	env: Record<string, string>;
}

export const ENDINGS: readonly Ending[] = [
	{
		column: 'SIGTERM',
		end: async (n8n) => await n8n.stop(60_000),
		finishes: true,
		env: {},
	},
	{
		column: 'SIGTERM, too long',
		end: async (n8n) => await n8n.stop(60_000),
		finishes: false,
		again: 'start',
		// Seconds that n8n waits for runs at its end; 30 is n8n's own default.
		env: { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' },
	},
	{
		column: 'SIGKILL',
		end: async (n8n) => await n8n.kill(),
		finishes: false,
		again: 'retry',
		env: {},
	},
];

interface UnderWay {
	lane: Lane;
	operation: OperationCase;
	keys: Key[];
	workflow: string;
	execution: string;
}

/** One request for all items leaves nothing to be in the middle of. */
export const hasMiddle = ({ alone }: OperationCase) => alone !== true;

/** Starts a run of every operation, ends n8n in the middle of them, starts it again, and runs what was cut once more. */
export async function performEnding(
	stage: ChaosStage,
	operations: readonly OperationCase[],
	{ column, end, finishes, again, env }: Ending,
): Promise<Cell[]> {
	await stage.n8n.stop();
	await stage.n8n.startAgain(env);
	for (const { sandbox } of stage.lanes) await sandbox.admin.reset();
	const runs: UnderWay[] = [];
	for (const [index, operation] of operations.entries()) {
		const lane = stage.lanes[index % stage.lanes.length];
		const keys = await operation.keys(lane.sandbox, keyCount(operation));
		runs.push({ lane, operation, keys, workflow: '', execution: '' });
	}
	for (const { sandbox } of stage.lanes) {
		await sandbox.admin.clearRequests();
		await sandbox.admin.addFault(
			{ pathPattern: `^(/(?!identity)|${TOKEN_PATH}$)` },
			{ delayMs: LATENCY_MS, afterwards: true },
		);
	}
	await Promise.all(
		runs.map(async (each) => {
			const { lane, operation, keys } = each;
			const workflow = workflowOf(operation, keys, lane.credentials[operation.credential], OPTIONS);
			// "Save execution progress" in the settings of the workflow.
			if (again === 'retry') workflow.settings = { ...workflow.settings, saveExecutionProgress: true };
			Object.assign(each, await start(stage.n8n.session, workflow));
		}),
	);
	await eventually(
		async () => ((await Promise.all(runs.map(begun))).every((count) => count >= BEGUN) ? true : undefined),
		60_000,
	);
	const endedAt = Date.now();
	await end(stage.n8n);
	const endMs = Date.now() - endedAt;
	// What was on its way when n8n ended is done meanwhile.
	await wait(LATENCY_MS + 500);
	for (const { sandbox } of stage.lanes) await sandbox.admin.clearFaults();
	const atTheEnd = await Promise.all(runs.map(arrivals));
	await stage.n8n.startAgain();
	return await Promise.all(
		runs.map(async (each, index) => {
			const sent = atTheEnd[index] ?? [];
			const cell = finishes ? await finishedCell(stage, each, sent) : await cutCell(stage, each, sent, again);
			return { operation: each.operation.name, column, ...cell, details: { endMs, ...cell.details } };
		}),
	);
}

async function arrivals({ lane, keys }: UnderWay): Promise<number[]> {
	const arrived = await arrivalsByKey(lane.sandbox, keys);
	return keys.map(({ id }) => arrived.get(id)?.length ?? 0);
}

const begun = async (each: UnderWay) => (await arrivals(each)).filter((count) => count > 0).length;

type Judged = Pick<Cell, 'short' | 'findings' | 'details'>;

async function finishedCell(stage: ChaosStage, each: UnderWay, sent: number[]): Promise<Judged> {
	const { operation, keys, execution } = each;
	const ended = seenRun(await getExecution(stage.n8n.session, execution), rowsOf(operation, keys).length);
	const findings: string[] = [];
	if (ended.status !== 'success') findings.push(`the run ended as ${ended.status}: ${ended.error}`);
	if (!sent.every((count) => count === 1)) findings.push(`the requests arrived ${sent.join(', ')} times`);
	const lost = ended.items.filter(({ outcome }) => outcome !== 'success').length;
	if (lost > 0) findings.push(`${lost} items did not come out`);
	return { short: 'finished', findings, details: { status: ended.status } };
}

/** What a second run may say of an item that the first has done: it is there already, gone already, spent already. */
const DONE_BEFORE: Record<OperationCase['kind'], RegExp | undefined> = {
	read: undefined,
	parts: undefined,
	change: undefined,
	remove: /\(404\)/,
	create: /\(409\)/,
	redeem: /used before/,
};

async function cutCell(
	stage: ChaosStage,
	each: UnderWay,
	sent: number[],
	by: Ending['again'],
): Promise<Judged> {
	const { operation, keys, lane, execution } = each;
	const findings: string[] = [];
	const cut = await eventually(async () => {
		const now = await getExecution(stage.n8n.session, execution);
		return now.status === 'running' || now.status === 'new' ? undefined : now;
	}, 60_000);
	if (!isTold(cut)) findings.push(`the run that was cut ended as ${cut.status}`);
	if (Math.max(...sent) > 1) findings.push('a request arrived twice');
	const later = await arrivals(each);
	if (later.join() !== sent.join()) findings.push('n8n went on with the run by itself');
	const reached = sent.filter((count) => count > 0).length;
	if (reached === keys.length) findings.push('the run was over before n8n ended: the fault did not strike');

	const again = await waitForExecution(stage.n8n.session, await runAgain(stage, each, by));
	const second = seenRun(again, rowsOf(operation, keys).length);
	const total = await arrivals(each);
	for (const item of second.items) {
		const wasSent = (sent[Math.floor(item.item / operation.itemsPerKey)] ?? 0) > 0;
		findings.push(...secondRunFindings(operation, item, wasSent));
	}
	if (total.some((count, index) => count !== (sent[index] ?? 0) + 1))
		findings.push('the second run sent a request twice');
	const done = await operation.done?.(lane.sandbox.admin, keys);
	const undone = done === undefined ? 0 : keys.filter(({ id }) => !done.has(id)).length;
	if (undone > 0) findings.push(`after the second run, ${undone} of ${keys.length} are not done`);
	const refused = second.items.filter(({ outcome }) => outcome === 'failure').length;
	return {
		short: `${reached} of ${keys.length}, then all`,
		findings,
		details: {
			status: cut.status,
			reached,
			refusedBySecondRun: refused,
			shown: seenRun(cut, keys.length).items.filter(isShown).length,
		},
	};
}

/** "Execute workflow", or "Retry" of the executions list; gives the new execution. */
async function runAgain(
	{ n8n: { session } }: ChaosStage,
	{ workflow, execution }: UnderWay,
	by: Ending['again'],
): Promise<string> {
	if (by !== 'retry') return await runManually(session, workflow, { trigger: 'Start' });
	const retried = await session.request<{ id: string }>('POST', `/executions/${execution}/retry`, {
		loadWorkflow: false,
	});
	return retried.id;
}

const isShown = ({ outcome }: ItemSeen) => outcome !== 'missing';

/** n8n says of the run that it did not come to its end. */
const isTold = ({ status }: Execution) => status === 'crashed' || status === 'error' || status === 'canceled';

function secondRunFindings(
	{ kind }: OperationCase,
	{ item, outcome, message }: ItemSeen,
	wasSent: boolean,
): string[] {
	if (outcome === 'success') return [];
	const isExplained = wasSent && outcome === 'failure' && DONE_BEFORE[kind]?.test(message) === true;
	return isExplained ? [] : [`second run, item ${item}: ${outcome} ${message}`];
}
