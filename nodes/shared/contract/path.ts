/** Paths behind an address, whose segments can only be what they are meant to be. */

/** Trap: URL parsers resolve "." and ".." even when percent-encoded, and would call another endpoint. */
export function isSafeSegment(segment: string): boolean {
	return segment !== '.' && segment !== '..';
}

/** `path`, with its segments escaped: path`/sync/v1/tenants/${id}`. Slashes inside a value stay inside their segment. */
export function path(literals: TemplateStringsArray, ...segments: string[]): string {
	return literals.reduce(
		(built, literal, index) => built + encodeURIComponent(segments[index - 1] ?? '') + literal,
	);
}
