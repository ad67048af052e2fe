/** Where deliveries are measured: one n8n, or n8n in queue mode, and a sandbox that sends. */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { signIn, type Session } from '../../playground/n8n-client.mts';
import type { AdminClient } from '../../sandbox/admin-client.mts';
import { startSandbox } from '../../sandbox/start.mts';
import { startQueueCluster } from '../e2e/trigger/queue-cluster.mts';
import { setStage } from '../support/stage.mts';

import { spentBy, WITH_METRICS, type Spent } from './measuring/spent.mts';

const SANDBOX = { students: 200 };

/**
 * n8n's database lies in memory where the system has a folder for that. Trap: on a disk, SQLite waits for the disk at
 * every write, five to ten times per run: then the disk is measured, which is the same for both sides.
 */
export const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : undefined;

export interface Place {
	session: Session;
	admin: AdminClient;
	/** Which n8n takes the deliveries. */
	receiver: string;
	/** Resolves when n8n has nothing left to do for a workflow. */
	settle(workflowId: string): Promise<void>;
	/** What n8n has spent; absent where more than one process does the work. */
	spent?: () => Promise<Spent>;
	end(): Promise<void>;
}

/** One n8n, with these settings. */
export async function oneN8n(env: Record<string, string>): Promise<Place> {
	const stage = await setStage({
		env: { ...env, ...WITH_METRICS },
		temporaryIn: IN_MEMORY,
		sandbox: SANDBOX,
	});
	const { session, sandbox } = stage;
	return {
		session,
		admin: sandbox.admin,
		receiver: session.baseUrl,
		settle: async (workflowId) => await untilNothingRuns(session, workflowId),
		spent: async () => await spentBy(session),
		end: async () => await stage.end(),
	};
}

/**
 * Deliveries are recorded and queued by a webhook process; the runs are a worker's. It stands for one on another machine, and
 * rests while deliveries are timed: on one machine, two cores would be shared out between what is measured and what is not.
 */
export async function oneWebhookProcess(): Promise<Place> {
	const cluster = await startQueueCluster({ webhooks: 1, workers: 1, temporaryIn: IN_MEMORY });
	try {
		const [webhook] = cluster.webhooks;
		const [worker] = cluster.workers;
		if (webhook === undefined || worker === undefined) throw new Error('A process of the cluster is missing');
		const sandbox = await startSandbox(SANDBOX);
		const session = await signIn(cluster.main.baseUrl);
		process.kill(worker.process.pid, 'SIGSTOP');
		return {
			session,
			admin: sandbox.admin,
			receiver: webhook.baseUrl,
			settle: async (workflowId) => {
				process.kill(worker.process.pid, 'SIGCONT');
				await untilNothingRuns(session, workflowId);
				process.kill(worker.process.pid, 'SIGSTOP');
			},
			end: async () => {
				process.kill(worker.process.pid, 'SIGCONT');
				await sandbox.stop();
				await cluster.stop();
			},
		};
	} catch (error) {
		await cluster.stop();
		throw error;
	}
}

/** @param workflowId default: of no workflow */
export async function untilNothingRuns(session: Session, workflowId?: string): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['new', 'running'] }));
	for (;;) {
		const { results } = await session.request<{ results: unknown[] }>(
			'GET',
			`/executions?filter=${filter}&limit=1`,
		);
		if (results.length === 0) return;
		await wait(250);
	}
}
