import { readFileSync } from 'node:fs';

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

test('The versions of n8n and Node.js in the README are the ones that the end-to-end tests run on', () => {
	const pinned = FOLDERS.map((folder) => {
		const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
		return [dependencies.n8n, dependencies.node.split('.')[0]];
	});
	expect(promised()).toEqual(pinned);
});

test.each(FOLDERS)(
	'The lockfile of %s names no address: it installs from whichever registry npm is set to',
	(folder) => {
		expect(readFileSync(`${folder}/package-lock.json`, 'utf8')).not.toMatch(/"resolved": "https?:/);
	},
);
