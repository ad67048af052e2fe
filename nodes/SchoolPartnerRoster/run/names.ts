/** What an office calls the records that it is told of: from tonight's roster, never from the ledger. */
import { bondOf, classOfBond, keyOf, kindOfKey, userKey, type UserKeys } from '../ledger/key';
import { nameOf, type Mention } from '../roster/record';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';

/** What is said of a record beside its ids. What the roster does not say is not there. */
export interface Names {
	/** First and last name of a user; of a bond, those of its user. */
	name?: string;
	/** Of a class or a bond; of a user, where the roster has that user in just one class. */
	class_name?: string;
	/** Of a user whose key has no school in it. */
	school_external_id?: string;
}

/** The names of the records with these keys. */
export async function namesOf(
	keys: readonly string[],
	{ records, faulty }: Pick<Roster, 'records' | 'faulty'>,
	userKeys: UserKeys,
	turns: Turns,
): Promise<(key: string) => Names> {
	const tonight = new NamesOfTonight(keys, userKeys);
	if (keys.length > 0)
		for (const mentions of [records, faulty])
			await turns.forEach<Mention>(mentions, (mention) => tonight.take(mention));
	return (key) => tonight.of(key);
}

class NamesOfTonight {
	private readonly users: ReadonlySet<string>;
	/** Of classes and users, by key. */
	private readonly names = new Map<string, string>();
	private readonly schools = new Map<string, string>();
	/** Keys of the classes that a user is in. */
	private readonly classes = new Map<string, Set<string>>();

	constructor(
		keys: readonly string[],
		private readonly userKeys: UserKeys,
	) {
		this.users = new Set(keys.map((key) => (kindOfKey(key) === 'bond' ? this.userOf(key) : key)));
	}

	take({ kind, fields, name = nameOf(fields) }: Mention): void {
		const key = keyOf(kind, fields, this.userKeys);
		if (key === undefined) return;
		if (kind === 'bond') return this.takeBond(key);
		if (kind === 'user' && !this.users.has(key)) return;
		if (!this.names.get(key)) this.names.set(key, name);
		this.schools.set(key, String(fields.school_external_id));
	}

	of(key: string): Names {
		const kind = kindOfKey(key);
		const user = kind === 'bond' ? this.userOf(key) : key;
		const name = kind === 'class' ? undefined : this.names.get(user);
		const ofClass = kind === 'user' ? this.onlyClass(key) : kind === 'bond' ? classOfBond(key) : key;
		const [className, school] = [this.names.get(ofClass), this.schools.get(user)];
		return {
			...(name && { name }),
			...(className && { class_name: className }),
			...(school && { school_external_id: school }),
		};
	}

	private takeBond(key: string): void {
		const user = this.userOf(key);
		if (!this.users.has(user)) return;
		const known = this.classes.get(user);
		if (known === undefined) this.classes.set(user, new Set([classOfBond(key)]));
		else known.add(classOfBond(key));
	}

	/** '' for none and for several. */
	private onlyClass(user: string): string {
		const [first = '', second] = this.classes.get(user) ?? [];
		return second === undefined ? first : '';
	}

	private userOf(bond: string): string {
		const { school_external_id: school, user_external_id: user } = bondOf(bond);
		return userKey(school, user, this.userKeys) ?? '';
	}
}
