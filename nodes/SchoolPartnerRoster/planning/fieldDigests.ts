/**
 * What the ledger keeps of the content of a record: one digest of all of it, and a short one of each field, by which it can be said
 * which differs. They are pseudonyms, not secrets: who has the ledger, and the salt in it, can test guesses.
 */
import { hash } from 'node:crypto';

import { bond, classCreation, userCreation } from '../../shared/contract/provisioning';
import { digestOf } from '../ledger/digest';
import { idsIn } from '../ledger/key';
import { isOfDigest } from '../roster/madeId';
import { displayNameOf, type Fields, type Kind } from '../roster/record';

/** By the names of the service, in the order of the contract. Trap: a place in it is for ever: a field that comes is added behind the others. */
const CONTENT: Record<Kind, readonly string[]> = {
	class: Object.keys(classCreation.shape),
	user: Object.keys(userCreation.shape),
	bond: Object.keys(bond.shape),
};

/** Characters of the digest of one field: 24 bits. */
const DIGEST_CHARACTERS = 4;

/**
 * @param salt of the ledger: without it, the same name would have the same digest in every ledger
 * @param known what the ledger has: given back as it is when the content is the same, so that single fields need not be summed up
 */
export function fieldDigests(kind: Kind, fields: Fields, salt: string, known = ''): string {
	const texts = CONTENT[kind].map((name) => fieldText(name, fields[name]));
	const whole = digestOf(`${salt}\n${texts.join('')}`);
	if (wholeDigest(known) === whole) return known;
	// A bond is nothing but its ids, which stand in its key.
	if (kind === 'bond') return whole;
	const each = texts.map((text) => shortDigest(text, salt)).join('.');
	// A field that the contract gets later, and that is empty, leaves no trace.
	return `${whole} ${each.replace(/\.+$/, '')}`;
}

/** Of the digests of a record that of all of it, however many fields the contract had when they were made. */
export function wholeDigest(digests: string): string {
	return digests.split(' ', 1)[0];
}

/** The digest of one field, as it stands among those of a record; '' of an empty one. */
export function fieldDigest(name: string, value: Fields[string] | undefined, salt: string): string {
	return shortDigest(fieldText(name, value), salt);
}

const shortDigest = (text: string, salt: string) =>
	text === '' ? '' : hash('sha256', salt + text, 'base64url').slice(0, DIGEST_CHARACTERS);

/** The same for a number and its text, for an empty field and one that is not there. With its length, so that no text looks like two fields. */
function fieldText(name: string, value: Fields[string] | undefined): string {
	if (value === undefined || value === null || value === '') return '';
	if (typeof value === 'object' && value.length === 0) return '';
	const text = typeof value === 'object' ? JSON.stringify(value.toSorted()) : String(value);
	return `${name} ${text.length} ${text}\n`;
}

/** The digests of single fields, by their names; without those that are empty. */
export function digestsByField(kind: Kind, digests: string): Map<string, string> {
	const each = digests.split(' ')[1]?.split('.') ?? [];
	const names = CONTENT[kind];
	return new Map(each.flatMap((digest, place) => (digest === '' ? [] : [[names[place], digest]])));
}

/** Names of the fields that are not the same. */
export function differingFields(kind: Kind, one: string, other: string): string[] {
	const [before, now] = [digestsByField(kind, one), digestsByField(kind, other)];
	return CONTENT[kind].filter((name) => before.get(name) !== now.get(name));
}

/**
 * Whether another class (another year) or another person (another first name, and another birth date or document) may stand under a key. What
 * was empty before, or is empty now, says nothing. Trap: under an id that was made of a document all have that document, strangers too who share it
 * by mistake.
 */
export function isAnother(kind: Kind, key: string, one: string, other: string): boolean {
	const [before, now] = [digestsByField(kind, one), digestsByField(kind, other)];
	const differs = (name: string) => before.has(name) && now.has(name) && before.get(name) !== now.get(name);
	if (kind !== 'user') return differs('year');
	if (!differs('first_name')) return false;
	const isOfDocument = isOfDigest(idsIn(key).external_id);
	return differs('birth_date') || differs('document_value') || (isOfDocument && differs('last_name'));
}

/** The service shows the full name as one: where it is cut, nobody knows. */
export const FULL_NAME = 'name';

export const NAME_FIELDS = ['first_name', 'last_name'];

/** Of fields that differ, digests of what is shown, so that a later run knows what was corrected by hand. */
export function seenDigests(
	differing: readonly string[],
	shown: ReadonlyMap<string, readonly string[]>,
	salt: string,
): Record<string, string> {
	const names = new Set(differing.map(shownNameOf));
	return Object.fromEntries(
		[...names].map((name) => [
			name,
			(shown.get(name) ?? []).map((value) => fieldDigest(name, value, salt)).join(' '),
		]),
	);
}

/** Whether the service was seen with just these values in all fields that differ from the ledger. */
export function isSeenAs(
	fields: Fields,
	differing: readonly string[],
	seen: Readonly<Partial<Record<string, string>>>,
	salt: string,
): boolean {
	return differing.every((field) => {
		const name = shownNameOf(field);
		const value = name === FULL_NAME && field !== FULL_NAME ? displayNameOf(fields) : fields[field];
		const digests = seen[name]?.split(' ') ?? [];
		return digests.includes(fieldDigest(name, value, salt));
	});
}

export function shownNameOf(field: string): string {
	return NAME_FIELDS.includes(field) ? FULL_NAME : field;
}
