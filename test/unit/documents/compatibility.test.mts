import { readFileSync } from 'node:fs';

import { TESTED_VERSIONS } from '../../../playground/capabilities.mts';

const FOLDERS = ['playground', 'playground/oldest'];

interface Manifest {
	dependencies: { n8n: string; node: string };
}

/** Rows of the table below "## Compatibility": n8n and the major version of Node.js. */
function promised(): string[][] {
	const [, section = ''] = readFileSync('README.md', 'utf8').split('\n## Compatibility\n');
	const [table = ''] = section.split('\n## ');
	return [...table.matchAll(/^\| (\d[\d.]*) \| (\d+) \|/gm)].map(([, n8n = '', node = '']) => [n8n, node]);
}

const pinned = FOLDERS.map((folder) => {
	const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
	return [dependencies.n8n, dependencies.node.split('.')[0]];
});

test('The versions of n8n and Node.js in the README are the ones that the end-to-end tests run on', () => {
	// `npm run compatibility` runs the versions that no folder pins with the Node.js of the newest one that a folder pins.
	const others = TESTED_VERSIONS.filter((version) => !pinned.some(([n8n]) => n8n === version)).map(
		(version) => [version, pinned[0][1]],
	);
	const byVersion = ([one]: string[], [other]: string[]) => other.localeCompare(one, 'en', { numeric: true });
	expect(promised()).toEqual([...pinned, ...others].sort(byVersion));
});

test('docs/running.md names the same versions, and what is otherwise up to one of those before the newest', () => {
	const [, section = ''] = readFileSync('docs/running.md', 'utf8').split('\n## Older versions of n8n\n');
	expect(section).toContain(
		`The tests run on ${TESTED_VERSIONS.slice(0, -1).join(', ')} and ${TESTED_VERSIONS.at(-1)} (`,
	);
	const upTo = [...section.matchAll(/^\| (\d[\d.]*) \|/gm)].map(([, version = '']) => version);
	expect(upTo.length).toBeGreaterThan(0);
	expect(
		upTo.filter((version) => !TESTED_VERSIONS.slice(0, -1).some((tested) => tested === version)),
	).toEqual([]);
});

test.each(FOLDERS)(
	'The lockfile of %s names no address: it installs from whichever registry npm is set to',
	(folder) => {
		expect(readFileSync(`${folder}/package-lock.json`, 'utf8')).not.toMatch(/"resolved": "https?:/);
	},
);
