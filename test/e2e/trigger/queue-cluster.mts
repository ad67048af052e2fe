/** n8n in queue mode, as docs/scaling.md describes it: one main, webhook processes and workers, each with the package. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, startChild, untilReady, type ChildHandle } from '../../../playground/child-process.mts';
import { INSTALLED_NODE, N8N_BIN } from '../../../playground/installation.mjs';
import { startN8n, type RunningN8n } from '../../../playground/n8n.mts';
import { installPackage } from '../../../playground/package-under-test.mts';
import { DAYTIME } from '../../support/daytime.mts';
import { isReady } from './ready.mts';
import { startQueueServices, type QueueServices } from './queue-services.mts';

const START_MS = 300_000;

export interface QueueProcess {
	/** Where it listens: webhook processes for deliveries, workers for health checks. */
	baseUrl: string;
	process: ChildHandle;
}

export interface QueueCluster {
	main: RunningN8n;
	webhooks: QueueProcess[];
	workers: QueueProcess[];
	services: QueueServices;
	/** Starts one more worker, as a supervisor does for one that has died. @param env of this one */
	addWorker(env?: Record<string, string>): Promise<void>;
	stop(): Promise<void>;
}

/** What every process has in common. */
export function queueEnvironment({
	redisPort,
	postgresPort,
}: Pick<QueueServices, 'redisPort' | 'postgresPort'>): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		// Trap: n8n gives up the runs of a killed worker as soon as it notices, and overwrites what they were started
		// with. Without the check they stay as they are, to be resumed by hand (docs/scaling.md).
		QUEUE_WORKER_STALLED_INTERVAL: '0',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_POOL_SIZE: '5',
		DB_POSTGRESDB_USER: 'postgres',
		DB_POSTGRESDB_DATABASE: 'postgres',
		N8N_ENCRYPTION_KEY: 'one-and-the-same-for-every-process',
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}

/** What only the main process needs: runs from the editor go to the workers. */
export const MAIN_ENVIRONMENT = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** Starts everything; about 30 s on two cores. */
export async function startQueueCluster(counts: {
	webhooks: number;
	workers: number;
	/** Where the folders are made, PostgreSQL's data in them; default: the system's folder for temporary ones. */
	temporaryIn?: string;
	/** More environment variables, the same for every process. */
	env?: Record<string, string>;
	/** Of the main process; default: one that is free. */
	port?: number;
}): Promise<QueueCluster> {
	const temporaryIn = counts.temporaryIn ?? tmpdir();
	const folder = mkdtempSync(join(temporaryIn, 'school-partner-cluster-'));
	const services = await startQueueServices(temporaryIn);
	const env = { ...DAYTIME, ...queueEnvironment(services), ...counts.env };
	const children: ChildHandle[] = [];
	let main: RunningN8n | undefined;
	const stop = async () => {
		await Promise.all(children.map(async (child) => await child.stop(5_000)));
		await main?.stop();
		await services.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	const start = async (command: string, index: number, own: Record<string, string> = {}) => {
		const started = await startProcess(command, join(folder, `${command}-${index}`), { ...env, ...own });
		children.push(started.process);
		return started;
	};
	try {
		main = await startN8n({
			userFolder: join(folder, 'main'),
			port: counts.port,
			editor: false,
			env: { ...env, ...MAIN_ENVIRONMENT },
			prepare: async (userFolder) => void (await installPackage(userFolder)),
		});
		const many = async (command: string, count: number) =>
			await Promise.all(Array.from({ length: count }, async (_, index) => await start(command, index)));
		const [webhooks, workers] = await Promise.all([
			many('webhook', counts.webhooks),
			many('worker', counts.workers),
		]);
		const addWorker = async (own?: Record<string, string>) =>
			void workers.push(await start('worker', workers.length, own));
		return { main, webhooks, workers, services, addWorker, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startProcess(
	command: string,
	userFolder: string,
	env: Record<string, string>,
): Promise<QueueProcess> {
	await installPackage(userFolder);
	const port = String(await freePort());
	const own = {
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: port,
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: port,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_DIAGNOSTICS_ENABLED: 'false',
	};
	const child = await startChild({
		node: INSTALLED_NODE,
		args: [N8N_BIN, command, ...(command === 'worker' ? ['--concurrency=30'] : [])],
		cwd: userFolder,
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...own },
		logFile: join(userFolder, 'n8n.log'),
	});
	const baseUrl = `http://127.0.0.1:${port}`;
	await untilReady(child, `n8n ${command}`, START_MS, async () => await isReady(baseUrl));
	return { baseUrl, process: child };
}
