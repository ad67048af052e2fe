import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import manifest from '../../../package.json';
import { filesEndingIn, inlineCode, localLinks, sectionsOf, textOf } from './markdown.mts';

const documents = filesEndingIn('.md');

/** Names that begin the path of a file of the project. */
const FOLDERS = readdirSync('.', { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !['node_modules', 'dist', '.cache'].includes(entry.name))
	.map(({ name }) => name);

function looksLikePath(code: string): boolean {
	return (
		/^[\w.-]+(\/[\w.-]+)*\/?$/.test(code) && FOLDERS.includes(code.split('/')[0] ?? '') && code.includes('/')
	);
}

test.each(documents)(
	'every link in %s leads to a file that is there, and to a section that is in it',
	(document) => {
		const lost = localLinks(document).filter(({ path, section }) => {
			const target = path === '' ? document : join(dirname(document), path);
			return !existsSync(target) || (section !== undefined && !sectionsOf(target).includes(section));
		});
		expect(lost).toEqual([]);
	},
);

test.each(documents)('every path that %s names is there', (document) => {
	expect(inlineCode(document).filter((code) => looksLikePath(code) && !existsSync(code))).toEqual([]);
});

test.each(documents)('every npm command that %s names is there', (document) => {
	const named = [...textOf(document).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script = '']) => script);
	expect(named.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
});

test('every page is named in the index of the documents', () => {
	const linked = localLinks('docs/README.md').map(({ path }) => join('docs', path));
	const pages = filesEndingIn('.md', 'docs').filter((page) => page !== 'docs/README.md');
	expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

test('every folder of tests and every npm command is told in CONTRIBUTING or in the pages', () => {
	const told = documents.map(textOf).join('\n');
	const folders = readdirSync('test').map((name) => `\`test/${name}\``);
	const ofNpm = ['test', 'version'];
	const commands = Object.keys(manifest.scripts)
		.filter((name) => name !== 'preversion')
		.map((name) => (ofNpm.includes(name) ? `npm ${name}` : `npm run ${name}`));
	expect([...folders, ...commands].filter((name) => !told.includes(name))).toEqual([]);
});

test('every picture in docs is shown in a document', () => {
	const shown = documents.flatMap((document) =>
		localLinks(document).map(({ path }) => join(dirname(document), path)),
	);
	const pictures = filesEndingIn('.png', 'docs');
	expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});
