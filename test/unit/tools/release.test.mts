import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isInChangelog } from '../../../tools/release/changelog.mjs';
import { release } from '../../../tools/release/release.mjs';
import { nextVersion, tagProblems } from '../../../tools/release/version.mjs';

const DATE = '2031-05-06';
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

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'school-partner-release-'));
	git('init', '--quiet', '--initial-branch', 'main');
	git('config', 'user.name', 'Nina Torres');
	git('config', 'user.email', 'nina@school.example');
	const manifest = { name: 'some-package', version: '1.2.3' };
	write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
	write(
		'package-lock.json',
		`${JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest } }, null, 2)}\n`,
	);
	write('CHANGELOG.md', CHANGELOG);
	commitAll('Start');
	git('tag', 'v1.2.3');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('A release', () => {
	test('dates the changelog, sets the version in both files, commits these three and tags the commit', () => {
		expect(release({ root, asked: 'minor', date: DATE })).toBe('1.3.0');
		expect([versionIn('package.json'), versionIn('package-lock.json')]).toEqual(['1.3.0', '1.3.0']);
		expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased', '## 1.3.0 (2031-05-06)'));
		expect(git('log', '-1', '--format=%s')).toBe('Release 1.3.0');
		expect(git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual([
			'CHANGELOG.md',
			'package-lock.json',
			'package.json',
		]);
		expect(git('rev-parse', 'v1.3.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
		expect(git('cat-file', '-t', 'v1.3.0')).toBe('tag');
		expect(git('status', '--porcelain')).toBe('');
	});

	test.each([
		['patch', '1.2.4'],
		['major', '2.0.0'],
		['1.4.0', '1.4.0'],
	])('asked for as %s is %s', (asked, version) => {
		expect(release({ root, asked, date: DATE })).toBe(version);
	});

	test('is accepted by the workflow that publishes it', () => {
		const version = release({ root, asked: 'patch', date: DATE });
		expect(tagProblems({ tag: `v${version}`, version, changelog: read('CHANGELOG.md') })).toEqual([]);
	});

	describe('that is not right is refused, and nothing is changed:', () => {
		function refused(asked: string | undefined, reason: RegExp): void {
			const before = [git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')];
			expect(() => release({ root, asked, date: DATE })).toThrow(reason);
			expect([git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')]).toEqual(before);
		}

		test('no version', () => refused(undefined, /^Say which version: /));
		test('a word that is no version', () => refused('mayor', /^Say which version: /));
		test('a version that is not newer', () => refused('1.2.0', /1\.2\.0 is not newer than 1\.2\.3/));
		test('a preliminary version', () => refused('1.3.0-beta.1', /preliminary/));

		test('a tag that exists', () => {
			git('tag', 'v1.3.0');
			refused('minor', /The tag v1\.3\.0 exists already/);
		});

		test('a file that is changed, one that is new', () => {
			write('CHANGELOG.md', `${CHANGELOG}\n`);
			refused('minor', /not clean:\n ?M CHANGELOG\.md/);
			git('checkout', '--quiet', 'CHANGELOG.md');
			write('new.txt', '');
			refused('minor', /not clean:\n\?\? new\.txt/);
		});

		test('another branch', () => {
			git('switch', '--quiet', '--create', 'idea');
			refused('minor', /made on main; this is idea/);
		});

		test('a changelog without unreleased entries', () => {
			write('CHANGELOG.md', CHANGELOG.replace('## Unreleased', ''));
			commitAll('No heading');
			refused('minor', /0 headings "## Unreleased"/);
			write('CHANGELOG.md', CHANGELOG.replace('- Classes can be renamed.\n', ''));
			commitAll('No entry');
			refused('minor', /Nothing stands below/);
		});

		test('a branch that lacks what the remote has', () => {
			const elsewhere = mkdtempSync(join(tmpdir(), 'school-partner-release-remote-'));
			git('clone', '--quiet', '--bare', '.', elsewhere);
			git('remote', 'add', 'origin', elsewhere);
			git('commit', '--quiet', '--allow-empty', '--message', 'Theirs');
			git('push', '--quiet', '--set-upstream', 'origin', 'main');
			git('reset', '--quiet', '--hard', 'HEAD~1');
			refused('minor', /1 commits that are not here/);
			rmSync(elsewhere, { recursive: true, force: true });
		});

		test('all reasons are told at once', () => {
			git('switch', '--quiet', '--create', 'idea');
			write('new.txt', '');
			expect(() => release({ root, asked: undefined, date: DATE })).toThrow(
				/^Say which version[^\n]*\nReleases are made on main[^\n]*\nThe tree is not clean/,
			);
		});
	});
});

test('The first release may have the version that the manifest has had from the beginning', () => {
	expect(nextVersion('0.1.0', '0.1.0', ['some-other-tag'])).toEqual({ version: '0.1.0' });
	expect(nextVersion('0.1.0', '0.1.0', ['v0.0.9']).problem).toBe('0.1.0 is not newer than 0.1.0.');
});

test('A tag that the manifest or the changelog does not know is not published', () => {
	const changelog = '## 1.2.0 (2031-05-06)\n';
	expect(tagProblems({ tag: 'v1.2.0', version: '1.2.0', changelog })).toEqual([]);
	expect(tagProblems({ tag: 'v1.3.0', version: '1.2.0', changelog })).toEqual([
		'The tag is v1.3.0, and package.json says 1.2.0.',
	]);
	expect(tagProblems({ tag: 'v1.2.0', version: '1.2.0', changelog: '## 1.2.0 (unreleased)\n' })).toEqual([
		'CHANGELOG.md has no dated heading for 1.2.0.',
	]);
	expect(isInChangelog('## 1x2.0 (2031-05-06)', '1.2.0')).toBe(false);
});
