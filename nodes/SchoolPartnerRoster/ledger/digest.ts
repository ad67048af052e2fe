/** Digests as they stand in the ledger. They begin with a letter, or a sheet would take some of them for numbers or formulas. */
import { hash } from 'node:crypto';

const LETTER = 'h';

/** Characters of a digest that tells contents apart: 96 bits. */
const WIDTH = 16;

/** Characters of a digest that stands among many in one row: 48 bits, so that a batch and a roster of 200,000 meet once in a million nights. */
export const SHORT_WIDTH = 8;

/** The digest of a text. */
export function digestOf(text: string): string {
	return LETTER + hash('sha256', text, 'base64url').slice(0, WIDTH);
}

/** The digest of what may be unknown: '' stays ''. */
export function markOf(text: string): string {
	return text === '' ? '' : digestOf(text);
}

/** The short digest of a key, as {@link joined} keeps it. */
export function shortDigestOf(key: string): string {
	return hash('sha256', key, 'base64url').slice(0, SHORT_WIDTH);
}

/** Short digests as one text. */
export function joined(digests: readonly string[]): string {
	return LETTER + digests.join('');
}

/** The short digests of a text that {@link joined} made. */
export function parted(text = ''): string[] {
	const digests: string[] = [];
	for (let at = LETTER.length; at + SHORT_WIDTH <= text.length; at += SHORT_WIDTH)
		digests.push(text.slice(at, at + SHORT_WIDTH));
	return digests;
}
