/** Redis and PostgreSQL for n8n's queue mode: on free ports, with their data in a temporary folder. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { freePort } from '../../../playground/child-process.mts';
import { eventually } from '../../../playground/eventually.mts';

const DEBIAN = '/usr/lib/postgresql';
const USER = 'postgres';

export interface QueueServices {
	redisPort: number;
	postgresPort: number;
	/** PostgreSQL ends as in a crash, and is started again after so many milliseconds. Resolves when it takes connections again. */
	crashPostgres(downMs: number): Promise<void>;
	stop(): Promise<void>;
}

/** Who runs PostgreSQL: it refuses to run as root. */
interface Owner {
	uid?: number;
	gid?: number;
}

export async function startQueueServices(temporaryIn = tmpdir()): Promise<QueueServices> {
	const folder = mkdtempSync(join(temporaryIn, 'school-partner-queue-'));
	// The owner of PostgreSQL's data must be able to walk into the folder.
	chmodSync(folder, 0o755);
	const children: ChildProcess[] = [];
	const stop = async () => {
		await Promise.all(children.map(async (child) => await ended(child)));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const [redisPort, postgresPort] = [await freePort(), await freePort()];
		const data = join(folder, 'postgres');
		makeDatabase(data);
		let postgres = startPostgres(data, postgresPort);
		children.push(startRedis(folder, redisPort), postgres);
		const crashPostgres = async (downMs: number) => {
			await ended(postgres, 'SIGQUIT');
			await wait(downMs);
			children.push((postgres = startPostgres(data, postgresPort)));
			await eventually(() => takesConnections(postgresPort));
		};
		await Promise.all([
			eventually(() => isOpen(redisPort)),
			eventually(() => takesConnections(postgresPort)),
		]);
		return { redisPort, postgresPort, crashPostgres, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

function startRedis(folder: string, port: number): ChildProcess {
	const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	return spawn('redis-server', options, { stdio: 'ignore' });
}

function makeDatabase(data: string): void {
	const owner = ownerOfPostgres();
	mkdirSync(data);
	if (owner.uid !== undefined && owner.gid !== undefined) chownSync(data, owner.uid, owner.gid);
	const initdb = ['-D', data, '-U', USER, '--auth=trust', '-E', 'UTF8', '--no-sync'];
	execFileSync(postgresProgram('initdb'), initdb, { ...owner, stdio: 'ignore', cwd: '/' });
}

function startPostgres(data: string, port: number): ChildProcess {
	const owner = ownerOfPostgres();
	const options = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', data];
	return spawn(postgresProgram('postgres'), options, { ...owner, stdio: 'ignore', cwd: '/' });
}

function ownerOfPostgres(): Owner {
	if (process.getuid?.() !== 0) return {};
	const idOf = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Debian keeps the programs off the PATH, one folder per version. */
function postgresProgram(name: string): string {
	const versions = existsSync(DEBIAN)
		? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))
		: [];
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions];
	const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
	if (found === undefined) throw new Error(`${name} was not found. Debian's package is called postgresql.`);
	return found;
}

/** Trap: PostgreSQL listens before it is ready, and refuses whoever comes meanwhile: "the database system is starting up". */
function takesConnections(port: number): true | undefined {
	const asked = spawnSync(postgresProgram('pg_isready'), ['--host=127.0.0.1', `--port=${port}`, '--quiet']);
	return asked.status === 0 ? true : undefined;
}

async function isOpen(port: number): Promise<true | undefined> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(undefined));
	});
}

/** SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its immediate one; Redis saves nothing. */
async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const end = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	await end;
}
