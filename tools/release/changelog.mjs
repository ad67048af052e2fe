/** The changelog as the release script reads and writes it. Pure: text in, text out. */

const UNRELEASED = /^## Unreleased[ \t]*$/gm;

/** What stands below a heading, up to the next one of the same kind. */
function sectionFrom(text, start) {
	const next = text.indexOf('\n## ', start);
	return text.slice(start, next === -1 ? undefined : next).trim();
}

/**
 * What keeps the changelog from being released.
 * @param {string} text CHANGELOG.md
 * @returns {string | undefined} one message, or nothing when all is well
 */
export function changelogProblem(text) {
	const headings = [...text.matchAll(UNRELEASED)];
	if (headings.length !== 1)
		return `CHANGELOG.md has ${headings.length} headings "## Unreleased"; one is needed, with what a user gets below it.`;
	const [heading] = headings;
	if (sectionFrom(text, heading.index + heading[0].length) === '')
		return 'Nothing stands below "## Unreleased" in CHANGELOG.md. Say there what a user gets.';
	return undefined;
}

/** `## Unreleased` becomes `## 1.2.0 (2026-11-21)`. */
export function releasedChangelog(text, version, date) {
	return text.replace(UNRELEASED, `## ${version} (${date})`);
}

/** Whether the changelog has an entry for a version, with its date. */
export function isInChangelog(text, version) {
	const dot = version.replaceAll('.', '\\.');
	return new RegExp(`^## ${dot} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm').test(text);
}
