/**
 * The keys of deliveries (the document's "Authentication": `x-api-key`, at most 1024 characters; a partner must reject
 * requests without a valid key).
 *
 * Keys are compared as SHA-256 digests in constant time, the current and the previous one every time, so
 * that neither their length nor the place of the first wrong character can be measured from outside.
 */
import { hash, timingSafeEqual } from 'node:crypto';

/** The document's limit for the `x-api-key` header. */
export const LONGEST_KEY = 1024;

/** RFC 9110 section 5.5: beyond printable ASCII, senders and proxies disagree about a header's bytes. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Digests of the keys that are accepted. Never the keys: this is what stays in memory between deliveries. */
export interface KeyDigests {
	current: Buffer;
	/** Present while a key is being rotated. */
	previous?: Buffer;
}

/** Which key a delivery carried. */
export type KeyUsed = 'current' | 'previous';

/** Compared with when there is no key: no header has it as its digest, and it takes as long as every other. */
const NO_DIGEST = Buffer.alloc(32);

function keyDigest(bytes: Buffer): Buffer {
	return hash('sha256', bytes, 'buffer');
}

function isUsable(key: unknown): key is string {
	return typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY;
}

/**
 * Digests of a credential's keys; undefined for a credential without a current key, which never accepts,
 * not even its previous key.
 */
export function keyDigests(keys: { apiKey?: unknown; previousApiKey?: unknown }): KeyDigests | undefined {
	if (!isUsable(keys.apiKey)) return undefined;
	const current = keyDigest(Buffer.from(keys.apiKey, 'utf8'));
	if (!isUsable(keys.previousApiKey)) return { current };
	return { current, previous: keyDigest(Buffer.from(keys.previousApiKey, 'utf8')) };
}

/**
 * Every value of the `x-api-key` header, from a request's raw headers (name, value, name, value, …).
 * Trap: `request.headers` joins repeated headers to one text, in which two keys cannot be told from one.
 */
export function keysSent(rawHeaders: readonly string[]): string[] {
	return rawHeaders.filter(
		(_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'x-api-key',
	);
}

/**
 * Which of the keys was sent, or undefined: absent, empty, repeated, too long and wrong are all the same.
 * A header's text holds one byte per character (latin1), which is how it is compared.
 */
export function keyUsed(sent: readonly string[], keys: KeyDigests | undefined): KeyUsed | undefined {
	const [key = ''] = sent;
	const sentDigest = keyDigest(Buffer.from(key, 'latin1'));
	const isCurrent = timingSafeEqual(sentDigest, keys?.current ?? NO_DIGEST);
	const isPrevious = timingSafeEqual(sentDigest, keys?.previous ?? NO_DIGEST);
	if (sent.length !== 1 || !isUsable(key)) return undefined;
	if (isCurrent) return 'current';
	return isPrevious ? 'previous' : undefined;
}

/** Why a delivery can carry neither of a credential's keys; undefined when nothing is wrong. Never quotes a key. */
export function keyFault({ apiKey, previousApiKey }: { apiKey?: unknown; previousApiKey?: unknown }) {
	const isPreviousThere = previousApiKey !== undefined && previousApiKey !== null && previousApiKey !== '';
	return (
		faultIn('API Key', apiKey) ?? (isPreviousThere ? faultIn('Previous API Key', previousApiKey) : undefined)
	);
}

function faultIn(label: string, key: unknown): string | undefined {
	if (typeof key !== 'string' || key === '')
		return `${label} is empty. Enter the key that the service sends.`;
	if (key.length > LONGEST_KEY)
		return `${label} has ${key.length} characters. The service sends at most ${LONGEST_KEY}.`;
	// Headers lose the spaces around their text on the way: such a key would never match.
	if (key !== key.trim()) return `${label} has spaces before or after it. Remove them.`;
	return PRINTABLE_ASCII.test(key)
		? undefined
		: `${label} has characters that a header cannot carry. Use letters, digits and punctuation of ASCII.`;
}
