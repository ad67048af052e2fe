const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A path in the notation of JavaScript: names behind dots, positions and unusual names in brackets. */
export function jsonPath(segments: readonly PropertyKey[]): string {
	return segments.reduce<string>((path, segment) => {
		if (typeof segment === 'number') return `${path}[${segment}]`;
		const name = String(segment);
		if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`;
		return path === '' ? name : `${path}.${name}`;
	}, '');
}
