/** What tells one record from another: its ids, and nothing else. Never a name, never an e-mail. */
import type { Fields, Kind } from '../roster/record';

/** `network`: an external id of a user is one person in all schools; `school`: a person in two schools is two users. */
export type UserKeys = 'network' | 'school';

type Id = Fields[string] | undefined;

/** The parts of an identity, as text; undefined when one of them is not there. */
function joinedKey(letter: string, ids: readonly Id[]): string | undefined {
	let key = letter;
	for (const [place, id] of ids.entries()) {
		// Trap: of a number that JavaScript cannot hold nobody knows which id it was.
		const text = Number.isSafeInteger(id) ? String(id) : id;
		if (typeof text !== 'string' || text.trim() === '') return undefined;
		key += (place === 0 ? ':' : '|') + escapedId(text);
	}
	return key;
}

/** Whether it can be a part of an identity. */
export function isId(id: Id): boolean {
	return joinedKey('', [id]) !== undefined;
}

/** Of the ids in a key only these two are written otherwise, so that a person still finds an id in the table. */
function escapedId(id: string): string {
	return id.includes('%') || id.includes('|') ? id.replaceAll('%', '%25').replaceAll('|', '%7C') : id;
}

function unescapedId(part: string): string {
	return part.replaceAll('%7C', '|').replaceAll('%25', '%');
}

export function userKey(school: Id, user: Id, userKeys: UserKeys): string | undefined {
	return joinedKey('u', userKeys === 'school' ? [school, user] : [user]);
}

/** The key of a record, case-sensitive; undefined when one of its ids is empty. */
export function keyOf(kind: Kind, fields: Fields, userKeys: UserKeys): string | undefined {
	const { school_external_id: school, external_id: id } = fields;
	if (kind === 'user') return userKey(school, id, userKeys);
	if (kind === 'class') return joinedKey('c', [school, id]);
	return joinedKey('b', [school, fields.class_external_id, fields.user_external_id, fields.profile_name]);
}

const KINDS_BY_LETTER: Readonly<Record<string, Kind>> = { c: 'class', u: 'user', b: 'bond' };

export function kindOfKey(key: string): Kind {
	return KINDS_BY_LETTER[key[0]];
}

/** The keys of what has to be there before this record can be. */
export function needsOf(kind: Kind, fields: Fields, userKeys: UserKeys): string[] {
	const { school_external_id: school, responsible_external_id: responsible } = fields;
	const users = kind === 'bond' ? [fields.user_external_id] : Array.isArray(responsible) ? responsible : [];
	const needs = users.map((id: Id) => userKey(school, id, userKeys));
	if (kind === 'bond') needs.unshift(joinedKey('c', [school, fields.class_external_id]));
	return needs.filter((key) => key !== undefined);
}

/** The key of the class of a bond. */
export function classOfBond(key: string): string {
	return `c${key.split('|', 2).join('|').slice(1)}`;
}

/** The keys of the class of a bond and of its user, whether ids of users are unique within a school or within the network. */
export function endsOfBond(key: string): string[] {
	const [school, , user] = key.slice('b:'.length).split('|');
	return [classOfBond(key), `u:${school}|${user}`, `u:${user}`];
}

/** What the service is told to remove a bond of which only the key is known. */
export function bondOf(key: string): Fields {
	const [school, ofClass, user, profile] = key.slice('b:'.length).split('|').map(unescapedId);
	return {
		school_external_id: school,
		class_external_id: ofClass,
		user_external_id: user,
		profile_name: profile,
	};
}

/** The ids in a key, as an office knows them: of a bond that of its user. The school of a user whose id is one in the whole network is in no key. */
export function idsIn(key: string): { school_external_id?: string; external_id: string } {
	const parts = key.slice(2).split('|').map(unescapedId);
	if (parts.length === 1) return { external_id: parts[0] };
	return { school_external_id: parts[0], external_id: parts.length === 2 ? parts[1] : parts[2] };
}

/** What nobody sees: zero-width blanks and joiners, direction marks, soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;

/** An id, or a key of ids, as somebody may have written it once: case, zeros in front, form of Unicode and invisible characters are no difference. */
export function foldedId(key: string): string {
	return key.replaceAll(/[^|:]+/g, (id) => {
		const plain = id.normalize('NFKC').replaceAll(INVISIBLE, '').trim().toLowerCase();
		return plain.replace(/^0+(?=.)/, '');
	});
}

/** Whether this is the key of a user who is one in the whole network: it has no school. */
export function isOfNetwork(key: string): boolean {
	return kindOfKey(key) === 'user' && idsIn(key).school_external_id === undefined;
}

/** Whether a text looks like the key of a record. */
export function isKey(text: string): boolean {
	return /^(c:[^|]+\|[^|]+|u:[^|]+(\|[^|]+)?|b:[^|]+(\|[^|]+){3})$/.test(text);
}
