/** Which versions of n8n are worth a try. Pure. */
import semver from 'semver';

/** A version and what was in the registry two days later: packages that n8n needs may have moved on since. */
const DAYS_AFTER = 2;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The highest version of each newer minor line, newest first. Preliminary versions are left out.
 * @param {string[]} versions all versions in the registry
 * @param {string} pinned
 */
export function candidates(versions, pinned) {
	const newer = versions
		.filter((version) => semver.prerelease(version) === null && semver.gt(version, pinned))
		.sort(semver.rcompare);
	const lineOf = (version) => `${semver.major(version)}.${semver.minor(version)}`;
	return newer.filter(
		(version, index) => newer.findIndex((other) => lineOf(other) === lineOf(version)) === index,
	);
}

/** The day for npm's `--before`, given when a version was published (ISO 8601). */
export function dayAfterwards(publishedAt) {
	return new Date(Date.parse(publishedAt) + DAYS_AFTER * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Whether n8n runs on the Node.js that stands beside it.
 * @param {string | undefined} wanted n8n's `engines.node`
 * @param {string} pinned version of the package `node`
 * @returns {string | undefined} what is in the way
 */
export function nodeInTheWay(wanted, pinned) {
	if (wanted === undefined || semver.satisfies(pinned, wanted)) return undefined;
	return `it needs Node.js ${wanted}, and the playground has ${pinned}`;
}
