export function nextVersion(
	current: string,
	asked: string | undefined,
	tags: string[],
): { version: string; problem?: undefined } | { version?: undefined; problem: string };
export function tagProblems(facts: { tag: string; version: string; changelog: string }): string[];
