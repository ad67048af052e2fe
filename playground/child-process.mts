/** Processes that belong to whoever started them: logged to a file, stopped by their own pid, gone with their starter. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PLAYGROUND } from './installation.mjs';

const EXIT_WITH_PARENT = join(PLAYGROUND, 'exit-with-parent.cjs');
/** What Node.js has compiled of n8n is kept for its next start, which is a fifth shorter. Node.js 20 does not know the variable. */
const COMPILED = { NODE_COMPILE_CACHE: join(PLAYGROUND, '..', '.cache', 'compiled') };

export interface ChildOptions {
	/** The Node.js that runs it. */
	node: string;
	/** Arguments of Node.js: the script and what follows. */
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Everything the process writes is appended here. */
	logFile: string;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface Ending {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export interface ChildHandle {
	readonly pid: number;
	readonly logFile: string;
	/** Settles when the process is gone, however it ended. Never rejects. */
	readonly ended: Promise<Ending>;
	/** Undefined while the process runs. */
	ending(): Ending | undefined;
	/** All that was written since this process started. */
	log(): string;
	/** SIGTERM, and SIGKILL for this pid when it has not ended after `patienceMs` (default 20,000). */
	stop(patienceMs?: number): Promise<Ending>;
	/** SIGKILL at once: what a crash looks like. */
	kill(): Promise<Ending>;
}

/** Starts a Node.js process; rejects when it cannot be started at all. */
export async function startChild(options: ChildOptions): Promise<ChildHandle> {
	mkdirSync(dirname(options.logFile), { recursive: true });
	const logFd = openSync(options.logFile, 'a');
	const logStart = readFileSync(options.logFile).length;
	const child = spawn(options.node, ['--require', EXIT_WITH_PARENT, ...options.args], {
		cwd: options.cwd,
		env: { ...COMPILED, ...options.env },
		stdio: ['ignore', logFd, logFd, 'ipc'],
		// A group of its own: Ctrl+C in a terminal reaches the starter only, which then stops its children in order.
		detached: true,
	});
	closeSync(logFd);
	let ending: Ending | undefined;
	const ended = new Promise<Ending>((resolve) => {
		child.once('exit', (code, signal) => {
			ending = { code, signal };
			resolve(ending);
		});
	});
	await new Promise<void>((resolve, reject) => {
		child.once('spawn', resolve);
		child.once('error', reject);
	});
	// The channel only tells the child that we are gone; it must not keep us running.
	child.unref();
	child.channel?.unref();
	return {
		pid: child.pid as number,
		logFile: options.logFile,
		ended,
		ending: () => ending,
		log: () => readFileSync(options.logFile).subarray(logStart).toString('utf8'),
		async stop(patienceMs = 20_000) {
			child.kill('SIGTERM');
			const patience = new AbortController();
			const late = wait(patienceMs, undefined, { signal: patience.signal }).then(
				() => child.kill('SIGKILL'),
				() => false,
			);
			const result = await keepAliveUntil(ended);
			patience.abort();
			await late;
			return result;
		},
		async kill() {
			child.kill('SIGKILL');
			return await keepAliveUntil(ended);
		},
	};
}

/** The child is unreferenced, so something else must keep the event loop running while its end is awaited. */
async function keepAliveUntil<T>(promise: Promise<T>): Promise<T> {
	const timer = setInterval(() => undefined, 1000);
	try {
		return await promise;
	} finally {
		clearInterval(timer);
	}
}

/** A port that was free a moment ago. Trap: one that the system gives may be that of a connection by the time somebody listens there. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(20_000, LOWEST_OF_CONNECTIONS);
		if (await isFree(port)) return port;
	}
}

/** Systems take the ports of connections from here on: Linux by default, others higher up. */
const LOWEST_OF_CONNECTIONS = 32_768;

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/**
 * Asks again until `isReady` says so. Rejects when the process ends before, or when `timeoutMs` have passed; the message
 * carries the end of the log.
 */
export async function untilReady(
	child: ChildHandle,
	what: string,
	timeoutMs: number,
	isReady: () => Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await isReady())) {
		const logTail = () => child.log().trimEnd().split('\n').slice(-25).join('\n');
		if (child.ending() !== undefined) throw new Error(`${what} ended while it was starting.\n${logTail()}`);
		if (Date.now() > deadline) throw new Error(`${what} was not ready after ${timeoutMs} ms.\n${logTail()}`);
		await wait(100);
	}
}
