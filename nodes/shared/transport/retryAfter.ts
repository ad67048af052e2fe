/** `Retry-After` (RFC 9110 section 10.2.3): a number of seconds, or a date. */

/**
 * The wait that a header asks for, in milliseconds; undefined when the header is absent or makes no sense
 * (negative, not a number, not a date). A date that has passed means: no wait.
 */
export function retryAfterMs(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// Trap: Date.parse takes "-5" and "1.5" for dates; a date of HTTP always starts with the name of a day.
	if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
	// Trap: the oldest form of a date ends in the year, names no zone, and means UTC all the same.
	const date = Date.parse(/ \d{4}$/.test(value) ? `${value} GMT` : value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A wait as a person reads it. */
export function inWords(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.ceil(minutes / 60);
	return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}
