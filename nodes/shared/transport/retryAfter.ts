/** `Retry-After` (RFC 9110 section 10.2.3): a number of seconds, or a date. */

/** The longest `Retry-After` that is waited for; a longer one fails the item at once and names the wait. */
export const LONGEST_WAIT_MS = 60_000;

/** A hundred years: what is longer is no number that anybody reads. Milliseconds. */
const LONGEST_MS = 36_500 * 86_400_000;

/**
 * The wait that a header asks for, in milliseconds; undefined when the header is absent or makes no sense
 * (negative, not a number, not a date, a date that has passed). Never longer than {@link LONGEST_MS}.
 */
export function retryAfterMs(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_MS);
	// Trap: Date.parse takes "-5" and "1.5" for dates; a date of HTTP always starts with the name of a day.
	if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
	// Trap: the oldest form of a date ends in the year, names no zone, and means UTC all the same.
	const date = Date.parse(/ \d{4}$/.test(value) ? `${value} GMT` : value);
	// Trap: clocks differ, so that a date may have passed when it arrives. Taken for "at once" it would spend all retries in a moment.
	return date > now ? Math.min(date - now, LONGEST_MS) : undefined;
}

/**
 * The wait that an answer asks for. A date is held against the time that the answer says it is (`Date`, RFC 9110 section 6.6.1): by a clock of
 * ours that is a minute slow, ten seconds would be more than anybody waits.
 */
export function waitAskedBy(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
	const said = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN;
	return retryAfterMs(headers['retry-after'], Number.isNaN(said) ? now : said);
}

/** A wait as a flow reads it. */
export function inSeconds(milliseconds: number): number {
	return Math.ceil(milliseconds / 1000);
}

/** A wait as a person reads it. */
export function waitInWords(milliseconds: number): string {
	if (milliseconds >= LONGEST_MS) return `more than ${LONGEST_MS / 86_400_000} days`;
	const seconds = inSeconds(milliseconds);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.ceil(minutes / 60);
	return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}
