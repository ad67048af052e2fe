/**
 * What a machine must have before anything is installed. Plain JavaScript without dependencies: this file runs
 * before `npm ci`. Every check gives `undefined` when all is well, or one message that says what is missing and
 * what to do.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { MINIMUM_NODE, isOlderThan } from './node-version.mjs';

const COMPILERS = ['c++', 'g++', 'clang++'];

/** @returns {string | undefined} the first place on the PATH that holds a program of this name */
export function findOnPath(name, path = process.env.PATH ?? '') {
	const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
	return path
		.split(delimiter)
		.filter((folder) => folder !== '')
		.flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
		.find((candidate) => existsSync(candidate));
}

/** The Node.js that runs this must be new enough for the tools; n8n itself brings its own from npm. */
export function nodeProblem(version = process.versions.node) {
	if (!isOlderThan(version, MINIMUM_NODE)) return undefined;
	return `Node.js ${version} is too old: version ${MINIMUM_NODE} or newer is needed. Install it from https://nodejs.org and start again.`;
}

/** sqlite3 is compiled on the machine, with node-gyp: Python 3, make and a C++ compiler. */
export function compilerProblem(find = findOnPath) {
	const missing = [];
	if (!find('python3')) missing.push('python3');
	if (process.platform !== 'win32' && !find('make')) missing.push('make');
	if (!COMPILERS.some((name) => find(name))) missing.push('a C++ compiler (g++ or clang++)');
	if (missing.length === 0) return undefined;
	return `Missing on this machine: ${missing.join(', ')}. n8n's database driver (sqlite3) is compiled during the installation. On Debian and Ubuntu: apt-get install python3 make g++`;
}

/** Listens for an instant, because only that tells whether the address can be had. */
export async function portProblem(port, what, option) {
	const code = await new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(error.code));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
	});
	if (code === undefined) return undefined;
	if (code === 'EACCES') return `Port ${port} for ${what} needs more rights. Choose another with ${option}.`;
	return `Port ${port} for ${what} is taken by another program (${code}). Stop that program or choose another port with ${option}.`;
}

/** Throws one error that names all problems, so that a reader mends them in one go; nothing when there are none. */
export function demand(problems) {
	const found = problems.filter((problem) => problem !== undefined);
	if (found.length > 0) throw new Error(found.join('\n\n'));
}
