/** Installs the tools (repository root) and the pinned n8n (playground/), each only when it is not there yet. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './lockfile.mjs';
import { compilerProblem, demand } from './requirements.mjs';
import { runWithProgress } from './run-command.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const PLAYGROUND = join(ROOT, 'playground');

// Install scripts never run as a whole: n8n's dependency tree holds some that cannot be built everywhere, and n8n does
// not need them. The two that matter are run by name afterwards.
const NPM_CI = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
const NPM_REBUILD = ['rebuild', '--ignore-scripts=false', '--loglevel=error'];

/** The Node.js 24 that comes with the playground, whatever Node.js the machine has. */
export const PLAYGROUND_NODE = join(PLAYGROUND, 'node_modules', '.bin', 'node');

function playgroundNodeWorks() {
	try {
		return execFileSync(PLAYGROUND_NODE, ['--version'], { encoding: 'utf8' }).startsWith('v24.');
	} catch {
		return false;
	}
}

/** The compiled driver is loaded once: a file alone may be of another machine or half written. */
function databaseDriverWorks() {
	const driver = join(PLAYGROUND, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	if (!existsSync(driver)) return false;
	try {
		execFileSync(PLAYGROUND_NODE, ['-e', 'require(process.argv[1])', driver], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

/** Tools, tests and the sandbox: `npm ci` in the repository's root. About a minute the first time. */
export async function ensureRootInstalled() {
	if (isInstalled(ROOT)) return;
	await runWithProgress('npm', NPM_CI, {
		cwd: ROOT,
		label: 'Installing the development tools (about 1 minute)',
	});
}

let knownToBeReady = false;

/** Asked more than once in a start; the two programs are started only until they have worked. */
function isPlaygroundReady() {
	knownToBeReady ||= isInstalled(PLAYGROUND) && playgroundNodeWorks() && databaseDriverWorks();
	return knownToBeReady;
}

/** What this machine lacks for the installation of the playground; nothing is asked for once it is installed. */
export function playgroundProblem() {
	return isPlaygroundReady() ? undefined : compilerProblem();
}

/** n8n 2.40.7 with its own Node.js 24: `npm ci` in playground/, then the two steps that are run by name. */
export async function ensurePlaygroundInstalled() {
	if (isPlaygroundReady()) return;
	demand([playgroundProblem()]);
	if (!isInstalled(PLAYGROUND)) {
		await runWithProgress('npm', NPM_CI, {
			cwd: PLAYGROUND,
			label: 'Installing n8n (2.7 GB, about 3 minutes with a warm npm cache)',
		});
	}
	if (!playgroundNodeWorks()) {
		await runWithProgress('npm', [...NPM_REBUILD, 'node'], {
			cwd: PLAYGROUND,
			label: 'Fetching Node.js 24 for n8n',
		});
	}
	if (!databaseDriverWorks()) {
		await runWithProgress('npm', [...NPM_REBUILD, 'sqlite3'], {
			cwd: PLAYGROUND,
			label: "Compiling n8n's database driver (about 1 minute)",
		});
	}
}
