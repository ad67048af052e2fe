/** Runs of a stored workflow, timed by n8n itself. */
import { setTimeout as wait } from 'node:timers/promises';

import { isAxiosError } from 'axios';

import {
	getExecution,
	N8nRequestError,
	nodeRun,
	runManually,
	type Execution,
	type ExecutionSummary,
	type Session,
} from '../../../playground/n8n-client.mts';

const LOOK_EVERY_MS = 200;
const START = 'Start';

export interface TimedRun {
	/** Of the measured nodes together, from n8n's run data. */
	nodeMs: number;
	/** Of the whole run, from its start to its end as n8n records them. */
	wholeMs: number;
	/** Items on the first output of the last measured node. */
	items: number;
}

/**
 * Runs a workflow and waits for its end without touching its data: reading it costs n8n time and memory.
 * Rejects when the run is not successful.
 */
export async function runToItsEnd(session: Session, workflowId: string): Promise<string> {
	const id = await runManually(session, workflowId, { trigger: START });
	for (;;) {
		await wait(LOOK_EVERY_MS);
		const status = await statusOf(session, workflowId, id);
		if (status === 'success') return id;
		if (status !== 'running' && status !== 'new')
			throw new Error(`The run ended as ${status}: ${await reason(session, id)}`);
	}
}

async function statusOf(
	session: Session,
	workflowId: string,
	id: string,
): Promise<ExecutionSummary['status']> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	try {
		const { results } = await session.request<{ results: ExecutionSummary[] }>(
			'GET',
			`/executions?filter=${filter}&limit=5`,
		);
		return results.find((run) => run.id === id)?.status ?? 'new';
	} catch (error) {
		// An n8n that is busy with 20,000 requests at once breaks off questions, or takes its own database for lost
		// (503) because it found no time to ask it; the next look tells.
		if (isAxiosError(error) && error.code === 'ECONNRESET') return 'running';
		if (error instanceof N8nRequestError && error.status === 503) return 'running';
		throw error;
	}
}

async function reason(session: Session, id: string): Promise<string> {
	const { data } = await getExecution(session, id);
	return data.resultData.error?.message ?? 'n8n gives no reason';
}

/** Times and items of a run that has ended. */
export async function timesOf(
	session: Session,
	executionId: string,
	nodes: readonly string[],
): Promise<TimedRun> {
	const execution = await getExecution(session, executionId);
	const runs = nodes.map((name) => {
		const run = nodeRun(execution, name);
		if (run === undefined) throw new Error(`The node "${name}" was not reached`);
		return run;
	});
	return {
		nodeMs: runs.reduce((sum, run) => sum + run.executionTime, 0),
		wholeMs: lengthOf(execution),
		items: runs.at(-1)?.data?.main[0]?.length ?? 0,
	};
}

function lengthOf({ startedAt, stoppedAt }: Execution): number {
	return Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt);
}
