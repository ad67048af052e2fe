/** Starts and stops a real n8n: the one that installation.mjs names. */
import axios from 'axios';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startChild, untilReady } from './child-process.mts';
import type { ChildHandle, Ending } from './child-process.mts';
import { INSTALLED_NODE, N8N_BIN } from './installation.mjs';

const START_TIMEOUT_MS = 300_000;

export interface N8nOptions {
	/** n8n's user folder (it makes `.n8n` in there); without it a new temporary one, removed by `stop`. */
	userFolder?: string;
	/** Where the temporary user folder is made; default: the system's folder for such. */
	temporaryIn?: string;
	/** Default: one that is free. */
	port?: number;
	/** More environment variables, e.g. `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true'`. */
	env?: Record<string, string>;
	/** False: n8n serves no editor, which it copies to the user folder at every start (3 s of a processor). */
	editor?: boolean;
	/** Called with the user folder before n8n starts: the place to install the package. */
	prepare?: (userFolder: string) => Promise<void> | void;
	startTimeoutMs?: number;
}

export interface RunningN8n {
	/** `http://127.0.0.1:<port>`, without a trailing slash. */
	readonly baseUrl: string;
	readonly port: number;
	readonly userFolder: string;
	readonly process: ChildHandle;
	/** SIGTERM, then SIGKILL; a temporary user folder is removed. */
	stop(): Promise<Ending>;
	/** SIGKILL, as in a crash. The user folder stays, so that another n8n can be started on it. */
	kill(): Promise<Ending>;
}

/** Nothing of the starter's own n8n settings leaks in, and npm's variables stay out. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
	const foreign = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|GENERIC_TIMEZONE$|npm_|NODE_OPTIONS$|NODE_ENV$|JEST_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

function environment(
	{ env, editor = true }: N8nOptions,
	userFolder: string,
	port: number,
	brokerPort: number,
) {
	return {
		...inheritedEnvironment(),
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// The addresses n8n shows and sends (webhooks, sign-on callbacks) are then the ones printed here.
		N8N_HOST: '127.0.0.1',
		// Two n8n on one machine would otherwise fight for port 5679.
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DISABLE_UI: String(!editor),
		...env,
	};
}

/** `/healthz` answers first, then `/rest` answers "n8n is starting up", then 404, and only then asks who is there. */
async function answersAsReady(baseUrl: string): Promise<boolean> {
	try {
		const statusOf = async (path: string) =>
			(await axios.get(baseUrl + path, { timeout: 2000, validateStatus: () => true })).status;
		return (await statusOf('/healthz/readiness')) === 200 && (await statusOf('/rest/login')) === 401;
	} catch {
		return false;
	}
}

/**
 * Starts n8n and waits until it answers. About 8 s with a new user folder (its database is made), less with a used one.
 * Rejects with the end of n8n's log when it does not come up. The log is `<userFolder>/n8n.log`.
 */
export async function startN8n(options: N8nOptions = {}): Promise<RunningN8n> {
	const temporary = options.userFolder === undefined;
	const userFolder =
		options.userFolder ?? mkdtempSync(join(options.temporaryIn ?? tmpdir(), 'school-partner-n8n-'));
	const removeTemporary = () => {
		if (temporary) rmSync(userFolder, { recursive: true, force: true });
	};
	await options.prepare?.(userFolder);
	const { child, port } = await startOnFreePorts(options, userFolder).catch((error: unknown) => {
		removeTemporary();
		throw error;
	});
	const baseUrl = `http://127.0.0.1:${port}`;
	return {
		baseUrl,
		port,
		userFolder,
		process: child,
		async stop() {
			const ending = await child.stop();
			removeTemporary();
			return ending;
		},
		kill: async () => await child.kill(),
	};
}

/** Trap: between the choice of a port and its use another n8n may take it. */
async function startOnFreePorts(
	options: N8nOptions,
	userFolder: string,
): Promise<{ child: ChildHandle; port: number }> {
	const taken = new RegExp(`${options.port === undefined ? '' : "Broker's "}port \\d+ is already in use`);
	for (let tries = 1; ; tries++) {
		const port = options.port ?? (await freePort());
		const child = await startChild({
			node: INSTALLED_NODE,
			args: [N8N_BIN, 'start'],
			// n8n reads a .env file of its working directory: the user folder has none.
			cwd: userFolder,
			env: environment(options, userFolder, port, await freePort()),
			logFile: join(userFolder, 'n8n.log'),
		});
		const isReady = async () => await answersAsReady(`http://127.0.0.1:${port}`);
		try {
			await untilReady(child, 'n8n', options.startTimeoutMs ?? START_TIMEOUT_MS, isReady);
			return { child, port };
		} catch (error) {
			await child.kill();
			if (tries === 3 || !taken.test(child.log())) throw error;
		}
	}
}
