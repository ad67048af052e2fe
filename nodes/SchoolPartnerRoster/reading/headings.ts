/** Which column of a sheet is what, by the headings that offices and school systems use. */
import { failed, success, type Outcome } from '../../shared/failure';

import {
	CONTACTS,
	OF_A_WHOLE_NAME,
	SMALL_WORDS,
	STRENGTH,
	usualHeadings,
	type Meaning,
} from './headingWords';
import { ROW_FIELDS } from './readRows';

/** Which heading is which field of a row. */
export interface MatchedHeadings {
	/** By field, the heading as the sheet has it. */
	headingOf: Map<string, string>;
	/** By field, the field and value that its heading itself says: a CPF is a type of document. */
	implied: Map<string, [field: string, value: string]>;
	/** Headings that are no field. */
	left: string[];
}

/** Headings that are equally good for one field. */
export interface HeadingConflict {
	field: string;
	headings: string[];
}

interface Candidate extends Meaning {
	heading: string;
}

/**
 * A field's own name beats a usual heading, and that one a heading that often means something else; what is beaten is left. Two that are equally
 * good are a conflict: nobody can say which of them is meant.
 */
export function matchHeadings(headings: Iterable<string>): Outcome<MatchedHeadings, HeadingConflict> {
	const found: Candidate[] = [];
	const left: string[] = [];
	for (const heading of headings) {
		const meaning = MEANINGS.get(headingKey(heading));
		if (meaning === undefined) left.push(heading);
		else found.push({ heading, ...meaning });
	}
	const ofSomebody = found.filter((one) => !isOfNobody(one, found));
	const namesResponsibles = ofSomebody.some(
		(one) => one.isParent !== true && one.field.startsWith('responsible_'),
	);
	const candidates = ofSomebody.filter(({ isParent, isHint }) => !isHint && !(isParent && namesResponsibles));
	const matched: MatchedHeadings = { headingOf: new Map(), implied: new Map(), left };
	for (const field of new Set(candidates.map((one) => one.field))) {
		const rivals = candidates.filter((one) => one.field === field);
		const strength = Math.max(...rivals.map((one) => one.strength));
		const [best, ...others] = rivals.filter((one) => one.strength === strength);
		if (others.length > 0)
			return failed({ field, headings: [best, ...others].map(({ heading }) => heading) });
		matched.headingOf.set(field, best.heading);
		if (best.implies !== undefined) matched.implied.set(field, best.implies);
	}
	const used = new Set(matched.headingOf.values());
	for (const { heading } of found) if (!used.has(heading)) left.push(heading);
	splitNames(matched.headingOf, new Set(found.map((one) => one.field)));
	return success(matched);
}

/** Trap: "Phone 2 of the guardian" is a second phone as often as that of a second person, of whom there would be more. */
function isOfNobody({ field, isParent, strength }: Candidate, found: readonly Candidate[]): boolean {
	const [person] = /^responsible_[123]/.exec(field) ?? [];
	if (person === undefined || isParent || strength === STRENGTH.own) return false;
	// Where nobody else is named, it is that of the one responsible person.
	if (person === 'responsible_1' && !found.some((one) => one.isParent)) return false;
	const contacts = CONTACTS.map((contact) => `${person}_${contact}`);
	return found.every((one) => one.isParent || !one.field.startsWith(person) || contacts.includes(one.field));
}

/** Beside a column of last names, what is called a name, and not a full one, is the first name. */
function splitNames(headingOf: Map<string, string>, found: ReadonlySet<string>): void {
	for (const [field, heading] of [...headingOf]) {
		const who = /^(.+)_full_name$/.exec(field)?.[1];
		if (who === undefined || !found.has(`${who}_last_name`) || headingOf.has(`${who}_first_name`)) continue;
		if (OF_A_WHOLE_NAME.some((word) => headingKey(heading).split(' ').includes(word))) continue;
		headingOf.delete(field);
		headingOf.set(`${who}_first_name`, heading);
	}
}

const SAME: Readonly<Partial<Record<string, string>>> = {
	mail: 'email',
	n: 'numero',
	no: 'numero',
	nr: 'numero',
};

/** The words of a heading in a fixed order: "Nome do Aluno", "aluno_nome" and "NOME ALUNO" are the same. */
export function headingKey(heading: string): string {
	const plain = heading
		// "R.A." is one word.
		.replaceAll(/(?<=\b\p{L})\.(?=\p{L}\b)/gu, '')
		.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{Nd})/gu, ' ')
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.toLowerCase()
		// "1º" has become "1o".
		.replaceAll(/(?<=\d)[ao]\b/g, '');
	const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '' && !SMALL_WORDS.has(word));
	return words
		.map((word) => SAME[word] ?? word)
		.sort()
		.join(' ');
}

const MEANINGS = new Map<string, Meaning>();
for (const [words, meaning] of usualHeadings()) MEANINGS.set(headingKey(words), meaning);
// As the panel writes them too: messages name fields like that.
for (const field of ROW_FIELDS) MEANINGS.set(headingKey(field), { field, strength: STRENGTH.own });
