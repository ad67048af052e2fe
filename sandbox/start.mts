import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AdminClient } from './admin-client.mts';
import type { Settings } from './settings-types.mts';
import type { StrictPart } from './strict.mts';

export interface StartOptions extends Partial<StartSettings> {
	/** Default 0: any free one. */
	port?: number;
	host?: string;
	publicUrl?: string;
	seed?: number;
	students?: number;
	schools?: number;
	/** Only the schools, and nobody in them. */
	empty?: boolean;
	/** HTTPS; `certificate` of the started sandbox is what its client must trust. */
	tls?: boolean;
	/** true: everything that the document does not show is refused. */
	strict?: boolean | StrictPart[];
	/** Folder of the repository; default: the working directory, or a folder above it. */
	root?: string;
}

/** The settings that can be given at the start; the others are the admin's to change. */
type StartSettings = Omit<Settings, 'strict' | 'codeLifetime' | 'rotateRefreshTokens'>;

export interface Sandbox {
	readonly baseUrl: string;
	readonly issuerUrl: string;
	readonly testIssuerUrl: string;
	readonly adminUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
	/** PEM of the certificate, when it was started with `tls`: the text for NODE_EXTRA_CA_CERTS or an agent's `ca`. */
	readonly certificate?: string;
	readonly admin: AdminClient;
	/** What the sandbox printed so far, errors included. */
	output(): string;
	/** Stops the process and waits for its end. May be called twice. */
	stop(): Promise<void>;
}

type Ready = Pick<
	Sandbox,
	'baseUrl' | 'issuerUrl' | 'testIssuerUrl' | 'adminUrl' | 'clientId' | 'clientSecret' | 'certificate'
>;

const READY = /^sandbox ready (\{.*\})$/m;
const STOP_MS = 3_000;

/**
 * Starts a sandbox in a process of its own and waits until it listens. It ends with the process that
 * started it. Rejects with what the sandbox printed when it does not start.
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
	const root = options.root ?? findRoot(process.cwd());
	// Through tsx's loader and not its command: the sandbox is then the child itself, and signals reach it.
	const loader = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href;
	const args = [
		'--import',
		loader,
		join(root, 'sandbox', 'main.mts'),
		'--stop-on-stdin-end',
		...argumentsOf(options),
	];
	const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
	let output = '';
	const collect = (chunk: Buffer): void => {
		output += chunk.toString();
	};
	child.stdout.on('data', collect);
	child.stderr.on('data', collect);
	const ready = await waitUntilReady(child, () => output);
	const admin = new AdminClient(ready.adminUrl, ready.certificate);
	return {
		...ready,
		admin,
		output: () => output,
		stop: async () => {
			admin.close();
			await stopChild(child);
		},
	};
}

function argumentsOf(options: StartOptions): string[] {
	const { rate, capacity, strict, variants } = options;
	const named = {
		port: options.port ?? 0,
		host: options.host,
		'public-url': options.publicUrl,
		seed: options.seed,
		students: options.students,
		schools: options.schools,
		'token-lifetime': options.tokenLifetime,
		latency: options.latencyMs,
		'connection-latency': options.connectionLatencyMs,
		rate: rate?.perSecond,
		burst: rate?.burst,
		'retry-after': rate?.retryAfter === null ? 'none' : rate?.retryAfter,
		capacity: capacity?.atOnce,
		work: capacity?.workMs,
		queue: capacity?.queue,
		duplicates: options.duplicates,
		authorization: options.authorization,
		strict: strict === true ? 'all' : strict === false ? undefined : strict?.join(',') || undefined,
		variant: variants?.join(',') || undefined,
	};
	const flags = {
		empty: options.empty === true,
		tls: options.tls === true,
		'no-deviations': options.deviations === false,
	};
	return [
		...Object.entries(named).flatMap(([name, value]) =>
			value === undefined ? [] : [`--${name}=${String(value)}`],
		),
		...Object.entries(flags).flatMap(([name, isGiven]) => (isGiven ? [`--${name}`] : [])),
	];
}

/** Neither `import.meta` nor `__dirname` exists both under tsx and under jest: the folder is looked for. */
function findRoot(from: string): string {
	if (existsSync(join(from, 'sandbox', 'main.mts'))) return from;
	const above = join(from, '..');
	if (above === from)
		throw new Error('There is no sandbox/main.mts here or above. Give the folder as `root`.');
	return findRoot(above);
}

async function waitUntilReady(child: ChildProcess, output: () => string): Promise<Ready> {
	return await new Promise((resolve, reject) => {
		const look = (): void => {
			const found = READY.exec(output());
			if (!found) return;
			child.stdout?.off('data', look);
			resolve(JSON.parse(found[1]) as Ready);
		};
		child.stdout?.on('data', look);
		child.once('error', reject);
		child.once('exit', (code) =>
			reject(new Error(`The sandbox did not start (exit ${code}): ${output().trim()}`)),
		);
	});
}

async function stopChild(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	const last = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
	await ended;
	clearTimeout(last);
}
