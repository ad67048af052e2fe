/** What the engine tests and the end-to-end tests ask before they load `dist/`. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isBuildStale } from '../../../playground/package-under-test.mts';

let root: string;

/** Writes a file as if at this second. */
function write(file: string, second: number, text = ''): void {
	const path = join(root, file);
	mkdirSync(join(path, '..'), { recursive: true });
	writeFileSync(path, text);
	for (const one of [path, join(path, '..')]) utimesSync(one, second, second);
}

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'school-partner-build-'));
	const manifest = { n8n: { nodes: ['dist/nodes/node.js'], credentials: ['dist/credentials/key.js'] } };
	write('package.json', 1, JSON.stringify(manifest));
	write('nodes/node.ts', 1);
	write('dist/nodes/node.js', 2);
	write('dist/credentials/key.js', 2);
	utimesSync(join(root, 'dist'), 2, 2);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('A build that is newer than its sources is taken as it is', () => {
	expect(isBuildStale(root)).toBe(false);
});

test.each([
	['is not there', () => rmSync(join(root, 'dist'), { recursive: true })],
	['lacks one of its files', () => rmSync(join(root, 'dist/credentials/key.js'))],
	['is older than a source', () => write('nodes/shared/contract/blocks.ts', 3)],
	['is older than the removal of a source', () => utimesSync(join(root, 'nodes'), 3, 3)],
])('A build that %s is refused', (_what, change) => {
	change();
	expect(isBuildStale(root)).toBe(true);
});
