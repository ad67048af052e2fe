/** Which version comes next, and whether a tag names the version that stands in the manifest. Pure. */
import semver from 'semver';
import { isInChangelog } from './changelog.mjs';

const STEPS = ['patch', 'minor', 'major'];

/**
 * @param {string} current the version in package.json
 * @param {string | undefined} asked `patch`, `minor`, `major`, or a version
 * @param {string[]} tags all tags of the repository
 * @returns {{ version: string } | { problem: string }}
 */
export function nextVersion(current, asked, tags) {
	const problem = (text) => ({ problem: text });
	if (asked === undefined || (!STEPS.includes(asked) && semver.valid(asked) !== asked))
		return problem('Say which version: npm run release -- patch, minor, major, or a version such as 1.2.0.');
	const version = STEPS.includes(asked) ? semver.inc(current, asked) : asked;
	// The workflow that publishes listens to plain versions only, so that nothing preliminary becomes npm's "latest".
	if (semver.prerelease(version))
		return problem(`${version} is a preliminary version; these are not published.`);
	if (tags.includes(`v${version}`)) return problem(`The tag v${version} exists already.`);
	// The very first release has the version that stands in the manifest from the beginning.
	const isFirst = version === current && !tags.some((tag) => /^v\d/.test(tag));
	if (!isFirst && !semver.gt(version, current)) return problem(`${version} is not newer than ${current}.`);
	return { version };
}

/**
 * What the publishing workflow asks before it publishes.
 * @returns {string[]} every reason against it
 */
export function tagProblems({ tag, version, changelog }) {
	return [
		...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json says ${version}.`]),
		...(isInChangelog(changelog, version) ? [] : [`CHANGELOG.md has no dated heading for ${version}.`]),
	];
}
