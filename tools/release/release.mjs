/**
 * `npm run release -- minor`: checks, dates the changelog, sets the version, commits and tags. Nothing is written unless
 * every check has passed, and nothing leaves the machine: the tag is pushed by hand, and the workflow publishes it.
 *
 * n8n's own `n8n-node release` is not used: it writes the changelog anew from commit messages, and pushes at once.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogProblem, releasedChangelog } from './changelog.mjs';
import { nextVersion } from './version.mjs';

const BRANCH = 'main';
const FILES = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

/** Runs a program and gives what it wrote; throws with what it said when it fails. */
function output(root, command, args) {
	return execFileSync(command, args, {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
	}).trim();
}

function linesOf(text) {
	return text === '' ? [] : text.split('\n');
}

/** Commits that the remembered remote branch has and this one has not; 0 without a remote. */
function commitsBehind(root) {
	const upstream = output(root, 'git', ['for-each-ref', '--format=%(upstream)', `refs/heads/${BRANCH}`]);
	return upstream === '' ? 0 : Number(output(root, 'git', ['rev-list', '--count', `HEAD..${upstream}`]));
}

function treeProblems(root) {
	const branch = output(root, 'git', ['branch', '--show-current']);
	const changed = linesOf(output(root, 'git', ['status', '--porcelain']));
	const behind = commitsBehind(root);
	return [
		...(branch === BRANCH ? [] : [`Releases are made on ${BRANCH}; this is ${branch || 'no branch'}.`]),
		...(changed.length === 0 ? [] : [`The tree is not clean:\n${changed.join('\n')}`]),
		...(behind === 0 ? [] : [`The remote branch has ${behind} commits that are not here. Pull first.`]),
	];
}

/**
 * @param {{ root: string, asked: string | undefined, date: string }} request `asked`: patch, minor, major or a version;
 * `date`: `YYYY-MM-DD`
 * @returns {string} the version that was committed and tagged; throws with every reason against it at once
 */
export function release({ root, asked, date }) {
	const changelogFile = join(root, 'CHANGELOG.md');
	const changelog = readFileSync(changelogFile, 'utf8');
	const current = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
	const { version, problem } = nextVersion(current, asked, linesOf(output(root, 'git', ['tag', '--list'])));
	const problems = [problem, ...treeProblems(root), changelogProblem(changelog)].filter(Boolean);
	if (problems.length > 0) throw new Error(problems.join('\n'));
	writeFileSync(changelogFile, releasedChangelog(changelog, version, date));
	// npm writes both files as it would itself; committing and tagging stay here, because npm would leave the changelog out.
	output(root, 'npm', [
		'version',
		version,
		'--no-git-tag-version',
		'--allow-same-version',
		'--ignore-scripts',
	]);
	output(root, 'git', ['commit', '--quiet', '--message', `Release ${version}`, '--', ...FILES]);
	output(root, 'git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}`]);
	return version;
}
