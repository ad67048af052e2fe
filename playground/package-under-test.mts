/** The package of this repository, put into an n8n the way its installer leaves it there: packed, unpacked, no links. */
import { execFile } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PLAYGROUND } from './installation.mjs';

const ROOT = dirname(PLAYGROUND);
const CACHE = join(ROOT, '.cache');
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'gulpfile.js',
	'tools/bundle.cjs',
	'package.json',
	'tsconfig.json',
	'tsconfig.build.json',
];

interface Manifest {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

const run = promisify(execFile);

export function readManifest(folder: string = ROOT): Manifest {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Time of the newest change under a path in ms; 0 when there is nothing. A folder's own time tells of deletions. */
function newestChange(path: string): number {
	if (!existsSync(path)) return 0;
	const entry = statSync(path);
	if (!entry.isDirectory()) return entry.mtimeMs;
	return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Files that the manifest promises to n8n and that are not there. */
function missingEntryPoints(folder: string): string[] {
	const { nodes, credentials } = readManifest(folder).n8n;
	return [...nodes, ...credentials].filter((file) => !existsSync(join(folder, file)));
}

/** True when `dist/` is missing, incomplete, or older than a source. */
export function isBuildStale(root: string = ROOT): boolean {
	if (missingEntryPoints(root).length > 0) return true;
	return (
		Math.max(...SOURCES.map((name) => newestChange(join(root, name)))) > newestChange(join(root, 'dist'))
	);
}

/** `npm run build`, when it is needed. Rejects with the build's own output. */
export async function ensureBuilt(): Promise<void> {
	if (!isBuildStale()) return;
	try {
		await run('npm', ['run', '--silent', 'build'], { cwd: ROOT });
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: string; stderr?: string };
		throw new Error(`The package could not be built.\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
	}
}

/** `npm pack` into a folder; gives the path of the tarball. */
async function packTo(folder: string): Promise<string> {
	const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
	const { stdout } = await run('npm', ['pack', ...options], { cwd: ROOT });
	const [packed] = JSON.parse(stdout) as Array<{ filename: string }>;
	if (packed === undefined) throw new Error('npm pack named no file');
	return join(folder, packed.filename);
}

/** The tarball of what is built: packed once, because every n8n of the tests wants it and packing takes two seconds. */
async function packedOnce(): Promise<string> {
	await ensureBuilt();
	const newest = Math.max(...['dist', 'README.md', 'LICENSE'].map((name) => newestChange(join(ROOT, name))));
	const tarball = join(CACHE, `packed-${newest}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(CACHE, { recursive: true });
	const folder = mkdtempSync(join(CACHE, 'pack-'));
	try {
		renameSync(await packTo(folder), tarball);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return tarball;
}

/** Where n8n's installer leaves the package. */
export function installedIn(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', readManifest().name);
}

/**
 * Takes the tarball that `TARBALL` names, or builds when needed and packs; and unpacks to `<userFolder>/.n8n/nodes/node_modules/<name>`. What an earlier version left
 * there is removed. n8n loads it at its next start; node types are then `<name>.<node>`.
 * @returns the version that was installed
 */
export async function installPackage(userFolder: string): Promise<string> {
	const tarball = process.env.TARBALL ?? (await packedOnce());
	const { version } = readManifest();
	const target = installedIn(userFolder);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	const missing = missingEntryPoints(target);
	// A build that runs at the same time empties dist/ first; n8n would only say that a node type is unknown.
	if (missing.length > 0) throw new Error(`The packed package lacks ${missing.join(', ')}. Build it again.`);
	return version;
}
