/** What npm's own configured registry knows, and whether a version of n8n can be had from it. Nothing is installed here. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dayAfterwards, nodeInTheWay } from './candidates.mjs';
import { whatIsInTheWay } from './npm-errors.mjs';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;
const RESOLVE = [
	'install',
	'--package-lock-only',
	'--ignore-scripts',
	'--omit-lockfile-registry-resolved',
	'--no-audit',
	'--no-fund',
	'--json',
	'--loglevel=error',
];
// npm writes a lockfile although the registry lacks an optional package, and then refuses to install from it.
const CHECK = ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** @returns {Promise<{ versions: string[], time: Record<string, string> }>} rejects when the registry does not answer */
export async function askRegistry() {
	try {
		const { stdout } = await run('npm', ['view', 'n8n', 'versions', 'time', '--json'], {
			maxBuffer: MAX_OUTPUT,
		});
		return JSON.parse(stdout);
	} catch (error) {
		const reason = whatIsInTheWay(error.stdout ?? '', error.stderr ?? error.message);
		throw new Error(`The registry could not be asked about n8n: ${reason}.`, { cause: error });
	}
}

/** @returns {Promise<string | undefined>} what is in the way */
async function npm(args, folder) {
	try {
		await run('npm', args, { cwd: folder, maxBuffer: MAX_OUTPUT });
		return undefined;
	} catch (error) {
		return whatIsInTheWay(error.stdout ?? '', error.stderr ?? error.message);
	}
}

async function resolveOnce(folder, more) {
	return (await npm([...RESOLVE, ...more], folder)) ?? (await npm(CHECK, folder));
}

/**
 * Makes a package.json for a version and lets npm resolve it into a lockfile in `folder`: with all that the registry has
 * now, and if that does not work, with what it had two days after the version was published. Some minutes each.
 * @param {{ folder: string, manifest: object, version: string, publishedAt: string }} request `manifest`: the playground's
 * @returns {Promise<{ problems: string[], before?: string, packages?: Record<string, string> }>} `problems`: one for each
 * try that failed; `packages`: what belongs to n8n and is used elsewhere in the repository
 */
export async function resolve({ folder, manifest, version, publishedAt }) {
	const wanted = { ...manifest, dependencies: { ...manifest.dependencies, n8n: version } };
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(wanted, null, 2)}\n`);
	const problems = [];
	for (const before of [undefined, dayAfterwards(publishedAt)]) {
		const problem = await resolveOnce(folder, before ? [`--before=${before}`] : []);
		if (problem === undefined) return { ...readLockfile(folder, manifest), before };
		problems.push(before ? `${problem} (with what the registry had on ${before})` : problem);
	}
	return { problems };
}

function readLockfile(folder, manifest) {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const installed = (name) => packages[`node_modules/${name}`];
	const problem = nodeInTheWay(installed('n8n').engines?.node, manifest.dependencies.node);
	return {
		problems: problem === undefined ? [] : [problem],
		packages: Object.fromEntries(
			['n8n-core', 'n8n-workflow'].map((name) => [name, installed(name)?.version]),
		),
	};
}
