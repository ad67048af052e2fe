/**
 * What `npm version` does not do by itself when it sets the version, commits and tags. package.json runs it in between:
 * `preversion` checks, before anything is changed; `version` dates the changelog; the publishing workflow asks `check v1.2.0`.
 *
 * n8n's own `n8n-node release` is not used: it writes the changelog anew from commit messages, and pushes at once.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = /^## Unreleased[ \t]*$/m;
const { npm_old_version: before, npm_new_version: version } = process.env;

/** @returns {Array<string | false>} every reason against a release */
function problemsBefore() {
	const [, entries = ''] = readFileSync(CHANGELOG, 'utf8').split(UNRELEASED);
	const branch = execFileSync('git', ['branch', '--show-current'], { encoding: 'utf8' }).trim();
	const isNewer = version.localeCompare(before, 'en', { numeric: true }) >= 0;
	return [
		branch !== 'main' && `Releases are made on main; this is ${branch || 'no branch'}.`,
		// The workflow that publishes listens to plain versions only, so that nothing preliminary becomes npm's "latest".
		!/^\d+\.\d+\.\d+$/.test(version) && `${version} is a preliminary version; these are not published.`,
		!isNewer && `${version} is not newer than ${before}.`,
		entries.split('\n## ')[0].trim() === '' &&
			`Nothing stands below "## Unreleased" in ${CHANGELOG}. Say there what a user gets.`,
	];
}

function dateChangelog() {
	const day = new Date().toISOString().slice(0, 10);
	writeFileSync(CHANGELOG, readFileSync(CHANGELOG, 'utf8').replace(UNRELEASED, `## ${version} (${day})`));
	execFileSync('git', ['add', CHANGELOG]);
	return [];
}

/** @returns {Array<string | false>} every reason against publishing a tag */
function problemsOf(tag) {
	const { version: own } = JSON.parse(readFileSync('package.json', 'utf8'));
	const headings = readFileSync(CHANGELOG, 'utf8').split('\n');
	return [
		tag !== `v${own}` && `The tag is ${tag}, and package.json says ${own}.`,
		!headings.some((line) => line.startsWith(`## ${own} (2`)) &&
			`${CHANGELOG} has no dated heading for ${own}.`,
	];
}

const [step, tag] = process.argv.slice(2);
const steps = { preversion: problemsBefore, version: dateChangelog, check: () => problemsOf(tag) };
const problems = steps[step]().filter((problem) => problem !== false);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
