/**
 * Words from outside that stand in our messages: of the service, of the sign-on area, of n8n, of an item. A message is for a
 * person, and whoever answers us must not decide how long it is or where its lines end.
 */

/** Longest words that are quoted, in characters. */
export const LONGEST_QUOTE = 500;

/** How many findings a message lists. */
export const MOST_FINDINGS = 20;

/** Control characters, ends of lines, blanks, and marks that turn the direction in which text is read. */
const NOT_A_WORD = /[\p{Cc}\p{Zl}\p{Zp}\s\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** A text on one line, cut where it is longer than `longest`; '' when it says nothing. */
export function quoted(text: string, longest = LONGEST_QUOTE): string {
	const line = text.replace(NOT_A_WORD, ' ').trim();
	if (line.length <= longest) return line;
	// Trap: a cut through the middle of a character leaves half an emoji.
	return `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The first findings of a list, one a line, and how many there are more. */
export function firstOf(findings: readonly string[]): string[] {
	const more = findings.length - MOST_FINDINGS;
	return more <= 0 ? [...findings] : [...findings.slice(0, MOST_FINDINGS), `… and ${more} more`];
}
