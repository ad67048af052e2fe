/** Whether a folder holds what its lockfile says, asked from npm's own record of what it installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares `package-lock.json` with `node_modules/.package-lock.json`, the record npm writes at the end of an installation.
 * A package for another kind of machine is absent from the record, which is right as long as it is optional; so is one
 * that nothing needs and npm left in the lockfile all the same ("extraneous").
 * @param {Record<string, {version?: string, optional?: boolean, devOptional?: boolean, extraneous?: boolean}>} wanted
 * @param {Record<string, {version?: string}>} installed
 */
export function lockfilesAgree(wanted, installed) {
	const names = Object.keys(wanted).filter((name) => name !== '');
	const known = new Set(names);
	const mayLack = ({ optional, devOptional, extraneous }) =>
		[optional, devOptional, extraneous].includes(true);
	const allThere = names.every((name) =>
		installed[name] === undefined ? mayLack(wanted[name]) : installed[name].version === wanted[name].version,
	);
	return allThere && Object.keys(installed).every((name) => known.has(name));
}

function packagesOf(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** False when nothing is installed, when an installation was interrupted, and when the lockfile changed since. */
export function isInstalled(folder) {
	try {
		return lockfilesAgree(
			packagesOf(join(folder, 'package-lock.json')),
			packagesOf(join(folder, 'node_modules', '.package-lock.json')),
		);
	} catch (error) {
		if (error.code === 'ENOENT') return false;
		throw error;
	}
}
