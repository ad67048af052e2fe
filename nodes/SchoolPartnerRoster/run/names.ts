/** What an office calls the records that it is told of: from tonight's roster, never from the ledger. */
import { bondOf, classOfBond, keyOf, kindOfKey, userKey, type UserKeys } from '../ledger/key';
import { nameOf, type Mention } from '../roster/record';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';

/** What is said of a record beside its ids. What the roster does not say is not there. */
export interface RecordNames {
	/** First and last name of a user; of a bond, those of its user. */
	name?: string;
	/** Of a class or a bond; of a user, where the roster has that user in just one class. */
	class_name?: string;
	/** Of a user whose key has no school in it. */
	school_external_id?: string;
}

/** The names of the records with these keys. */
export async function recordNames(
	keys: readonly string[],
	{ records, faulty }: Pick<Roster, 'records' | 'faulty'>,
	userKeys: UserKeys,
	turns: Turns,
): Promise<(key: string) => RecordNames> {
	const userOf = (key: string) => (kindOfKey(key) === 'bond' ? userOfBond(key, userKeys) : key);
	const users = new Set(keys.map(userOf));
	/** Of classes and users, by key. */
	const names = new Map<string, string>();
	const schools = new Map<string, string>();
	/** Keys of the classes that a user is in. */
	const classes = new Map<string, Set<string>>();
	const take = ({ kind, fields, name = nameOf(fields) }: Mention) => {
		const key = keyOf(kind, fields, userKeys);
		if (key === undefined || (kind !== 'class' && !users.has(userOf(key)))) return;
		if (kind === 'bond') {
			const known = classes.get(userOf(key)) ?? new Set();
			classes.set(userOf(key), known.add(classOfBond(key)));
			return;
		}
		if (!names.get(key)) names.set(key, name);
		schools.set(key, String(fields.school_external_id));
	};
	if (keys.length > 0) for (const mentions of [records, faulty]) await turns.forEach<Mention>(mentions, take);
	const classOf = (key: string): string | undefined => {
		if (kindOfKey(key) === 'bond') return classOfBond(key);
		const [first, second] = kindOfKey(key) === 'user' ? (classes.get(key) ?? []) : [key];
		return second === undefined ? first : undefined;
	};
	return (key) => {
		const name = kindOfKey(key) === 'class' ? undefined : names.get(userOf(key));
		const [className, school] = [names.get(classOf(key) ?? ''), schools.get(userOf(key))];
		return {
			...(name && { name }),
			...(className && { class_name: className }),
			...(school && { school_external_id: school }),
		};
	};
}

function userOfBond(bond: string, userKeys: UserKeys): string {
	const { school_external_id: school, user_external_id: user } = bondOf(bond);
	return userKey(school, user, userKeys) ?? '';
}
