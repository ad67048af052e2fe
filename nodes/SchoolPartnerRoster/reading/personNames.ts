/** First and last names, where a sheet has the whole name in one column. Pure. */
import type { Fields } from '../roster/record';

import { NO_FIRST_NAMES, SMALL_WORDS } from './headingWords';

/**
 * Of a name like "Ana Maria Souza" the first word is the first name, of one like "Souza, Ana Maria" all behind the comma, and of "Smith, Robert, Jr."
 * what is between them. Of others with two commas nobody knows: it has no first name, and is refused.
 */
export function firstAndLastName(fullName: string): Fields {
	const [before, ...behind] = fullName.split(',').map((part) => part.trim());
	const [first, suffix, ...more] = behind;
	if (!behind.every((part) => isSuffix(part, before))) {
		if (suffix === undefined) return { first_name: first, last_name: before };
		const isBetween = more.length === 0 && isNoFirstName(suffix) && !isNoFirstName(first);
		return isBetween ? { first_name: first, last_name: `${before} ${suffix}` } : { last_name: fullName };
	}
	const [, word, rest] = /^(\S+)\s*([\s\S]*)$/.exec(fullName) ?? ['', '', ''];
	return { first_name: word, last_name: rest };
}

const isNoFirstName = (part: string) => NO_FIRST_NAMES.has(plainWord(part));

/** "Robert Smith, Jr.". Trap: "Souza, Junior" is somebody who is called Junior. */
function isSuffix(behind: string, before: string): boolean {
	const names = wordsOf(before).filter((word) => !SMALL_WORDS.has(plainWord(word)));
	return isNoFirstName(behind) && names.length > 1;
}

/** Beside a column of last names: what stands before them in the full name, or behind them, or all of it where they do not stand in it. */
export function firstNameBeside(fullName: string, lastName: string): Fields[string] {
	if (fullName.includes(',')) return firstAndLastName(fullName).first_name;
	const [words, last] = [wordsOf(fullName), wordsOf(lastName)];
	const start = words.findIndex((_word, place) => place > 0 && standsAt(place, last, words));
	if (start > 0) return words.slice(0, start).join(' ');
	return (standsAt(0, last, words) ? words.slice(last.length) : words).join(' ');
}

/** Beside a column of first names: what stands behind them in the full name, or before them. */
export function lastNameBeside(fullName: string, firstName: string): Fields[string] {
	const [words, first] = [wordsOf(fullName), wordsOf(firstName)];
	const end = words.length - first.length;
	if (standsAt(0, first, words)) return words.slice(first.length).join(' ');
	if (standsAt(end, first, words)) return words.slice(0, end).join(' ').replace(/,$/, '');
	const { first_name: other, last_name: last } = firstAndLastName(fullName);
	return other === undefined ? '' : last;
}

/** Whether some of the words, but not all, are these. */
function standsAt(start: number, these: readonly string[], words: readonly string[]): boolean {
	const isThere = these.every((word, place) => plainWord(word) === plainWord(words[start + place] ?? ''));
	return isThere && these.length < words.length;
}

export const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Its letters, without case and accents. */
export const plainWord = (text: string) =>
	text
		.normalize('NFKD')
		.replaceAll(/[^\p{L}]/gu, '')
		.toLowerCase();
