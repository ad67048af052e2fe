/** First and last names, where a sheet has the whole name in one column. Pure. */
import type { Fields } from '../roster/record';

import { NO_FIRST_NAMES, SMALL_WORDS } from './headingWords';

/** Of a name like "Ana Maria Souza" the first word is the first name, of one like "Souza, Ana Maria" all behind the comma. */
export function firstAndLastName(fullName: string): Fields {
	const [before, behind, ...more] = fullName.split(',').map((part) => part.trim());
	if (behind !== undefined && more.length === 0 && !isSuffix(behind, before))
		return { first_name: behind, last_name: before };
	const [, first, rest] = /^(\S+)\s*([\s\S]*)$/.exec(fullName) ?? ['', '', ''];
	return { first_name: first, last_name: rest };
}

/** "Robert Smith, Jr.". Trap: "Souza, Junior" is somebody who is called Junior. */
function isSuffix(behind: string, before: string): boolean {
	const names = wordsOf(before).filter((word) => !SMALL_WORDS.has(plainWord(word)));
	return NO_FIRST_NAMES.has(plainWord(behind)) && names.length > 1;
}

/** Beside a column of last names: what stands before them in the full name, or all of it where they do not stand in it. */
export function firstNameBeside(fullName: string, lastName: string): Fields[string] {
	if (fullName.includes(',')) return firstAndLastName(fullName).first_name;
	const [words, last] = [wordsOf(fullName), wordsOf(lastName).map(plainWord)];
	const isLast = (start: number) =>
		last.every((word, place) => word === plainWord(words[start + place] ?? ''));
	const start = words.findIndex((_word, place) => place > 0 && isLast(place));
	return (start < 0 ? words : words.slice(0, start)).join(' ');
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Its letters, without case and accents. */
export const plainWord = (text: string) =>
	text
		.normalize('NFKD')
		.replaceAll(/[^\p{L}]/gu, '')
		.toLowerCase();
