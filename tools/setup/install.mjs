/** Installs the tools (repository root) and the n8n of the playground, each only when it is not there yet. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLATION, INSTALLED_NODE, N8N_VERSION, NODE_VERSION } from '../../playground/installation.mjs';
import { isInstalled } from './lockfile.mjs';
import { compilerProblem, demand } from './requirements.mjs';
import { runWithProgress } from './run-command.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

// Install scripts never run as a whole: n8n's dependency tree holds some that cannot be built everywhere, and n8n does
// not need them. The two that matter are run by name afterwards.
const NPM_CI = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
const NPM_REBUILD = ['rebuild', '--ignore-scripts=false', '--loglevel=error'];

function nodeWorks() {
	try {
		return execFileSync(INSTALLED_NODE, ['--version'], { encoding: 'utf8' }).trim() === `v${NODE_VERSION}`;
	} catch {
		return false;
	}
}

/** The compiled driver is loaded once: a file alone may be of another machine or half written. */
function databaseDriverWorks() {
	const driver = join(INSTALLATION, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	if (!existsSync(driver)) return false;
	try {
		execFileSync(INSTALLED_NODE, ['-e', 'require(process.argv[1])', driver], { stdio: 'ignore' });
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
	knownToBeReady ||= isInstalled(INSTALLATION) && nodeWorks() && databaseDriverWorks();
	return knownToBeReady;
}

/** What this machine lacks for the installation of the playground; nothing is asked for once it is installed. */
export function playgroundProblem() {
	return isPlaygroundReady() ? undefined : compilerProblem();
}

/** n8n with its own Node.js: `npm ci` in its folder, then the two steps that are run by name. */
async function ensurePlaygroundInstalled({ beside }) {
	if (isPlaygroundReady()) return;
	if (!isInstalled(INSTALLATION)) {
		await runWithProgress('npm', NPM_CI, {
			cwd: INSTALLATION,
			beside,
			label: `Installing n8n ${N8N_VERSION} (2.7 GB, about 3 minutes with a warm npm cache)`,
		});
	}
	if (!nodeWorks()) {
		await runWithProgress('npm', [...NPM_REBUILD, 'node'], {
			cwd: INSTALLATION,
			beside,
			label: `Fetching Node.js ${NODE_VERSION} for n8n`,
		});
	}
	if (!databaseDriverWorks()) {
		await runWithProgress('npm', [...NPM_REBUILD, 'sqlite3'], {
			cwd: INSTALLATION,
			// What SQLite asks for (-O3) takes three times as long, and no test or demo waits for its database.
			env: { CFLAGS: '-O1' },
			beside,
			label: "Compiling n8n's database driver (up to a minute)",
		});
	}
}

/**
 * Everything that runs in n8n needs this. What the machine lacks is said before anything is installed.
 * @param {{ problems?: Array<string | undefined>, programs?: (how: { beside: boolean }) => Promise<void>, beside?: boolean }} more
 * `problems` are said with ours; `programs` installs what comes from the system, before the minutes that n8n takes; `beside`:
 * something else runs meanwhile
 */
export async function setUpN8n({ problems = [], programs, beside = false } = {}) {
	demand([...problems, playgroundProblem()]);
	await ensureRootInstalled();
	await programs?.({ beside });
	await ensurePlaygroundInstalled({ beside });
}
