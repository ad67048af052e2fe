/** Kept apart and in old syntax, so that a Node.js that is too old still gets as far as saying so. */
export const MINIMUM_NODE = '20.19.0';

/** Compares dotted versions number by number: `isOlderThan('18.20.1', '20.19.0')` is true. */
export function isOlderThan(version, minimum) {
	const have = version.split('.').map(Number);
	const want = minimum.split('.').map(Number);
	for (let i = 0; i < want.length; i++) {
		if ((have[i] || 0) !== want[i]) return (have[i] || 0) < want[i];
	}
	return false;
}
