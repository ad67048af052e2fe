/** Two rows with one id: whether they say the same, and what else they are (ROSTER.md section 3, rule 2). Pure. */
import { holdsNothing } from '../../shared/contract/blocks';
import { isOfDigest } from '../roster/madeId';
import type { Fields, RosterRecord } from '../roster/record';

import { plainWord, wordsOf } from './personNames';

const isBlank = (value: Fields[string] | undefined) =>
	value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Of the service, and of files. */
const PHONES: readonly string[] = ['cell_phone', 'ddi', 'phone', 'sms'];

/** Punctuation and capitals are no difference. */
export function plainDocument(text: Fields[string] | undefined): string {
	return typeof text === 'string' ? text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase() : '';
}

/** Trap: strangers share what stands in the place of a document (000.000.000-00, "none"). */
export function isDocument(text: Fields[string] | undefined): boolean {
	const plain = plainDocument(text);
	return /\d/.test(plain) && !/^(.)\1*$/.test(plain);
}

/** A value as it counts when it is compared: case of an e-mail, punctuation of a phone or a document and the form of Unicode are no difference. */
function comparable(field: string, value: Fields[string]): string {
	if (Array.isArray(value)) return JSON.stringify(value);
	const text = String(value).normalize('NFC').trim();
	if (field === 'email') return text.toLowerCase();
	if (field === 'document_value') return plainDocument(text);
	return PHONES.includes(field) ? text.replaceAll(/\D/g, '') : text;
}

/**
 * Names of the fields that both rows fill, and not with the same. Rows of two schools have one id only where a person of several schools is one user
 * (User IDs Unique Within): that of the first.
 */
export function fieldsThatDiffer(one: Fields, other: Fields): string[] {
	const differs = (name: string) =>
		!isBlank(one[name]) &&
		!isBlank(other[name]) &&
		comparable(name, one[name]) !== comparable(name, other[name]);
	return Object.keys(one).filter((name) => name !== 'school_external_id' && differs(name));
}

/** A kind of document without its number, a dialing code without the rest, a stage without its grade. */
const SAYS_NOTHING_WITHOUT: ReadonlyMap<string, string> = new Map([
	['document_type', 'document_value'],
	['ddi', 'cell_phone'],
	['educational_stage', 'grade'],
]);

/** Takes out what says nothing by itself. */
export function dropWhatSaysNothing(fields: Record<string, Fields[string]>): void {
	for (const [name, other] of SAYS_NOTHING_WITHOUT) if (holdsNothing(fields[other])) delete fields[name];
}

/** Trap: of a user of several schools the first row is the exporter's. The smallest id is the same one tomorrow. */
const isSmallerSchool = (name: string, one: Fields, other: Fields) =>
	name === 'school_external_id' && String(other[name]) < String(one[name]);

/** Those of both, always in the same order. */
export const unitedLists = (name: string, ...rows: Fields[]) =>
	[...new Set(rows.flatMap(({ [name]: list }) => list as string[]))].sort();

/** Trap: a dialing code of one row and a number of the other are nobody's phone. */
function isFilledBy(name: string, one: Fields, other: Fields): boolean {
	const number = SAYS_NOTHING_WITHOUT.get(name);
	if (isBlank(other[name])) return false;
	if (number === undefined) return isBlank(one[name]) || isSmallerSchool(name, one, other);
	if (isBlank(one[number])) return true;
	return isBlank(one[name]) && comparable(number, one[number]) === comparable(number, other[number]);
}

/** What one of the rows leaves blank, the other fills. */
export function filledFrom(one: Fields, other: Fields): Fields {
	const added = Object.keys(other).filter((name) => isFilledBy(name, one, other));
	if (added.length === 0) return one;
	return { ...one, ...Object.fromEntries(added.map((name) => [name, other[name]])) };
}

const isStudent = ({ profiles }: Fields) => Array.isArray(profiles) && profiles.includes('student');

/** What tells a person from others. Trap: an id that was made of a document has the same one for everybody. */
function isTold(name: string, fields: Fields): boolean {
	if (name !== 'document_value') return !isBlank(fields[name]);
	return isDocument(fields[name]) && !isOfDigest(String(fields.external_id));
}

/** How a name is written is no other name. */
const isOtherName = (name: string, one: Fields, other: Fields) =>
	plainWord(String(one[name] ?? '')) !== plainWord(String(other[name] ?? ''));

/** "Rosa" and "Rosa Maria", "M. Rosa" and "Maria Rosa": a word of the one begins a word of the other. */
function isWrittenShorter({ first_name: one }: Fields, { first_name: other }: Fields): boolean {
	const [words, others] = [one, other].map((name) =>
		wordsOf(String(name ?? ''))
			.map(plainWord)
			.filter((word) => word !== ''),
	);
	return words.some((word) => others.some((like) => word.startsWith(like) || like.startsWith(word)));
}

/** Trap: the sign of an ordinal has two characters that look the same, and nobody tells classes apart by capitals. */
const plainClass = ({ name }: Fields) => plainDocument(String(name ?? '').replaceAll(/[ºª°]/g, ''));

/**
 * Whether two records with one id are two people, or two classes: another first or last name, and another birth date or document; another first name, and
 * neither of them in any row; a student and somebody of another family, whose numbers overlap; another year; another name and grade. Under an id of a
 * document a name may be written otherwise, but not in one row. Trap: a class of several grades has the grade of each student in its row.
 */
export function areTwo(
	{ kind, fields: one, source }: RosterRecord,
	{ fields: other, source: next }: RosterRecord,
): boolean {
	const differing = new Set(fieldsThatDiffer(one, other));
	if (kind === 'class')
		return differing.has('year') || (differing.has('grade') && plainClass(one) !== plainClass(other));
	const isOfOtherFamily = differing.has('last_name') && isOtherName('last_name', one, other);
	if (isOfOtherFamily && isStudent(one) !== isStudent(other)) return true;
	const telling = ['birth_date', 'document_value'].filter((name) => isTold(name, one) && isTold(name, other));
	const isOfOtherBirth = telling.some((name) => differing.has(name));
	if (isOfOtherFamily && isOfOtherBirth) return true;
	if (!differing.has('first_name') || !isOtherName('first_name', one, other)) return false;
	if (!isOfOtherFamily && isOfDigest(String(one.external_id))) {
		const isOfOneRow = source.file === next.file && source.line === next.line;
		return (isOfOneRow || isOfOtherBirth) && !isWrittenShorter(one, other);
	}
	return telling.length === 0 || isOfOtherBirth;
}
