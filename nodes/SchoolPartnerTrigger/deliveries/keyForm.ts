/** Whether a text can be an `x-api-key` at all. */
import { LONGEST_KEY } from './keyCheck';

/** RFC 9110 section 5.5: beyond printable ASCII, senders and proxies disagree about a header's bytes. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** What is wrong with a key, in a sentence; undefined when nothing is. Never quotes the key. */
export function keyFinding(label: string, key: unknown): string | undefined {
	if (typeof key !== 'string' || key === '')
		return `${label} is empty. Enter the key that the service sends.`;
	if (key.length > LONGEST_KEY) {
		return `${label} has ${key.length} characters. The service sends at most ${LONGEST_KEY}.`;
	}
	// Headers lose the spaces around their text on the way: such a key would never match.
	if (key !== key.trim()) return `${label} has spaces before or after it. Remove them.`;
	if (!PRINTABLE_ASCII.test(key)) {
		return `${label} has characters that a header cannot carry. Use letters, digits and punctuation of ASCII.`;
	}
	return undefined;
}
