/** Programs that only the end-to-end tests use. They come from the PATH, or from apt when the tests run as root. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './requirements.mjs';
import { runWithProgress } from './run-command.mjs';

const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

/** Debian keeps `initdb` and `postgres` off the PATH, one folder per version. */
function hasPostgresql(find) {
	if (find('initdb') && find('postgres')) return true;
	if (!existsSync(DEBIAN_POSTGRESQL)) return false;
	return readdirSync(DEBIAN_POSTGRESQL).some((version) =>
		existsSync(join(DEBIAN_POSTGRESQL, version, 'bin', 'initdb')),
	);
}

const PROGRAMS = [
	{ debianPackage: 'redis-server', isThere: (find) => Boolean(find('redis-server')) },
	{ debianPackage: 'postgresql', isThere: hasPostgresql },
	{ debianPackage: 'chromium', isThere: (find) => Boolean(find('chromium') ?? find('chromium-browser')) },
];

/** @returns {string[]} Debian's names of the packages whose programs are missing */
export function missingSystemPackages(find = findOnPath) {
	return PROGRAMS.filter((program) => !program.isThere(find)).map((program) => program.debianPackage);
}

function canUseApt() {
	return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
}

/** What this machine lacks and we cannot install: nothing when all is there, or when we are root and have apt. */
export function systemPackagesProblem() {
	const missing = missingSystemPackages();
	if (missing.length === 0 || canUseApt()) return undefined;
	return `Missing for the end-to-end tests: ${missing.join(', ')}. Install them (Debian's names), e.g. sudo apt-get install ${missing.join(' ')}`;
}

/** Installs what is missing, as root with apt: ask `systemPackagesProblem` before. */
export async function ensureSystemPackages({ beside }) {
	const missing = missingSystemPackages();
	if (missing.length === 0) return;
	const how = { cwd: '/', beside, env: { DEBIAN_FRONTEND: 'noninteractive' } };
	await runWithProgress('apt-get', ['update', '-q'], { ...how, label: "Reading Debian's package lists" });
	await runWithProgress('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], {
		...how,
		label: `Installing ${missing.join(', ')}`,
	});
}
