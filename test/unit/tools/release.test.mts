/** `npm version` with the scripts of the package, in a repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import manifest from '../../../package.json';

const CHANGELOG = `# Changelog

## Unreleased

- Classes can be renamed.

## 1.2.3 (2030-01-02)

- The first one.
`;

let root: string;

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
const versionIn = (file: string): unknown => (JSON.parse(read(file)) as { version: unknown }).version;
const commitAll = (message: string): void => {
	git('add', '.');
	git('commit', '--quiet', '--message', message);
};

function npm(...args: string[]): { status: number | null; said: string } {
	const { status, stdout, stderr } = spawnSync('npm', ['--loglevel=error', ...args], {
		cwd: root,
		encoding: 'utf8',
	});
	return { status, said: stdout + stderr };
}

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'school-partner-release-'));
	git('init', '--quiet', '--initial-branch', 'main');
	git('config', 'user.name', 'Nina Torres');
	git('config', 'user.email', 'nina@school.example');
	const { preversion, version, 'release:check': check } = manifest.scripts;
	const own = { name: 'some-package', version: '1.2.3' };
	const scripts = { preversion, version, 'release:check': check };
	write('package.json', `${JSON.stringify({ ...own, scripts }, null, 2)}\n`);
	write(
		'package-lock.json',
		JSON.stringify({ ...own, lockfileVersion: 3, requires: true, packages: { '': own } }),
	);
	write('CHANGELOG.md', CHANGELOG);
	mkdirSync(join(root, 'tools'));
	copyFileSync('tools/release.mjs', join(root, 'tools', 'release.mjs'));
	commitAll('Start');
	git('tag', 'v1.2.3');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('A release', () => {
	test('dates the changelog, sets the version in both files, commits these three and tags the commit, which may be published', () => {
		expect(npm('version', 'minor')).toMatchObject({ status: 0 });
		expect([versionIn('package.json'), versionIn('package-lock.json')]).toEqual(['1.3.0', '1.3.0']);
		const heading = `## 1.3.0 (${new Date().toISOString().slice(0, 10)})`;
		expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased', heading));
		expect(git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual([
			'CHANGELOG.md',
			'package-lock.json',
			'package.json',
		]);
		expect(git('rev-parse', 'v1.3.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
		expect(git('cat-file', '-t', 'v1.3.0')).toBe('tag');
		expect(git('status', '--porcelain')).toBe('');
		expect(npm('run', 'release:check', '--', 'v1.3.0')).toMatchObject({ status: 0 });
	});

	test('may be the first one, with the version that the manifest has had from the beginning', () => {
		expect(npm('version', '1.2.3', '--allow-same-version', '--no-git-tag-version')).toMatchObject({
			status: 0,
		});
		expect(read('CHANGELOG.md')).toMatch(/^## 1\.2\.3 \(\d{4}-/m);
	});

	describe('that is not right is refused, and nothing is changed:', () => {
		function refused(asked: string, reason: RegExp): void {
			const before = [git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')];
			const { status, said } = npm('version', asked);
			expect([status === 0, said]).toEqual([false, expect.stringMatching(reason)]);
			expect([git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')]).toEqual(before);
		}

		test('a version that is not newer', () => refused('1.2.0', /1\.2\.0 is not newer than 1\.2\.3/));
		test('a preliminary version', () => refused('1.3.0-beta.1', /preliminary/));

		test('a file that is changed', () => {
			write('CHANGELOG.md', `${CHANGELOG}\n`);
			refused('minor', /not clean/);
		});

		test('a changelog without unreleased entries', () => {
			write('CHANGELOG.md', CHANGELOG.replace('## Unreleased', ''));
			commitAll('No heading');
			refused('minor', /Nothing stands below/);
			write('CHANGELOG.md', CHANGELOG.replace('- Classes can be renamed.\n', ''));
			commitAll('No entry');
			refused('minor', /Nothing stands below/);
		});

		test('another branch; and all reasons are told at once', () => {
			git('switch', '--quiet', '--create', 'idea');
			refused('1.3.0-beta.1', /made on main; this is idea[^]*preliminary/);
		});
	});
});

test('A tag that the manifest or the changelog does not know is not published', () => {
	expect(npm('run', 'release:check', '--', 'v1.3.0')).toEqual({
		status: 1,
		said: expect.stringContaining('The tag is v1.3.0, and package.json says 1.2.3.'),
	});
	write('CHANGELOG.md', CHANGELOG.replace('(2030-01-02)', '(unreleased)'));
	expect(npm('run', 'release:check', '--', 'v1.2.3').said).toContain(
		'CHANGELOG.md has no dated heading for 1.2.3.',
	);
});
