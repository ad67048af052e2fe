import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = ['.', 'docs', 'examples', 'sandbox'];

const documents = FOLDERS.flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);

/** Targets inside the repository, without what stands behind a hash. */
function localLinks(document: string): string[] {
	return [...document.matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target = '']) => target)
		.filter((target) => !/^(https?:|mailto:|#)/.test(target))
		.map((target) => target.replace(/#.*$/, ''));
}

test.each(documents)('every link in %s leads to a file that is there', (document) => {
	const targets = localLinks(readFileSync(document, 'utf8'));
	expect(targets.filter((target) => !existsSync(join(dirname(document), target)))).toEqual([]);
});

test('every example is named in the README', () => {
	const readme = readFileSync('README.md', 'utf8');
	const examples = readdirSync('examples').filter((name) => name.endsWith('.json'));
	expect(examples.filter((name) => !readme.includes(`(examples/${name})`))).toEqual([]);
});
