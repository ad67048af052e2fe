/**
 * `npm run compatibility`: the end-to-end tests in the oldest n8n that is promised. `npm run compatibility -- 2.22.6`: in
 * that version, which is installed below `.cache` and stays there (2.7 GB). `npm run compatibility -- newest`: in the one that npm
 * calls the latest.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_VERSION } from '../playground/installation.mjs';
import { ROOT } from './setup/install.mjs';
import { demand } from './setup/requirements.mjs';

const OLDEST = 'playground/oldest';

// The day of the playground's lockfile. What came later asks for packages that not every registry has.
const RESOLVED_ON = '2026-09-28';

/** The folder that a version is installed from. Its lockfile is made once (about a minute) and is not kept in git. */
function folderOf(version, resolution) {
	const folder = join('.cache', `n8n-${version}`);
	const cwd = join(ROOT, folder);
	if (existsSync(join(cwd, 'package-lock.json'))) return folder;
	const oldest = JSON.parse(readFileSync(join(ROOT, OLDEST, 'package.json'), 'utf8'));
	const manifest = { ...oldest, dependencies: { n8n: version, node: NODE_VERSION } };
	mkdirSync(cwd, { recursive: true });
	writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest, null, 2));
	const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	execFileSync('npm', ['install', ...options, ...resolution], { cwd, stdio: 'inherit' });
	return folder;
}

const newest = () => execFileSync('npm', ['view', 'n8n', 'version'], { encoding: 'utf8' }).trim();

/** The folder for what the command was given. */
function installationFor(version) {
	if (version === undefined) return OLDEST;
	return version === 'newest' ? folderOf(newest(), []) : folderOf(version, [`--before=${RESOLVED_ON}`]);
}

/** @returns {number} the exit code of the tests */
function testIn(version) {
	const isVersion = version === undefined || version === 'newest' || /^\d+\.\d+\.\d+$/.test(version);
	demand([isVersion ? undefined : `"${version}" is no version of n8n: npm run compatibility -- 2.22.6`]);
	const { status } = spawnSync(process.execPath, [join(ROOT, 'tools', 'test.mjs'), 'build', 'e2e'], {
		env: { ...process.env, PLAYGROUND_N8N: installationFor(version) },
		stdio: 'inherit',
	});
	return status ?? 1;
}

try {
	process.exitCode = testIn(process.argv[2]);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
