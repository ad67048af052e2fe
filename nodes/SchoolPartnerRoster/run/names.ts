/** What an office calls the records that it is told of: from tonight's roster, never from the ledger. */
import { bondOf, classOfBond, keyOf, kindOfKey, userKey, type UserKeys } from '../ledger/key';
import { displayNameOf, type RosterRecord } from '../roster/record';
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
	const names = new NamesOfTonight(keys, userKeys);
	if (keys.length > 0)
		for (const mentions of [records, faulty])
			await turns.forEach<RosterRecord>(mentions, (mention) => names.take(mention));
	return (key) => names.of(key);
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
		this.users = new Set(keys.map((key) => this.userOf(key)));
	}

	take({ kind, fields, name = displayNameOf(fields) }: RosterRecord): void {
		const key = keyOf(kind, fields, this.userKeys);
		if (key === undefined) return;
		const user = this.userOf(key);
		if (kind !== 'class' && !this.users.has(user)) return;
		if (kind === 'bond') {
			const known = this.classes.get(user) ?? new Set();
			this.classes.set(user, known.add(classOfBond(key)));
			return;
		}
		if (!this.names.get(key)) this.names.set(key, name);
		this.schools.set(key, String(fields.school_external_id));
	}

	of(key: string): RecordNames {
		const user = this.userOf(key);
		const name = kindOfKey(key) === 'class' ? undefined : this.names.get(user);
		const [className, school] = [this.names.get(this.classOf(key)), this.schools.get(user)];
		return {
			...(name && { name }),
			...(className && { class_name: className }),
			...(school && { school_external_id: school }),
		};
	}

	/** Of a bond its user; of others their own key. */
	private userOf(key: string): string {
		if (kindOfKey(key) !== 'bond') return key;
		const { school_external_id: school, user_external_id: user } = bondOf(key);
		return userKey(school, user, this.userKeys) ?? '';
	}

	/** Of a user the only class; '' for none and for several. */
	private classOf(key: string): string {
		if (kindOfKey(key) === 'bond') return classOfBond(key);
		if (kindOfKey(key) === 'class') return key;
		const [first = '', second] = this.classes.get(key) ?? [];
		return second === undefined ? first : '';
	}
}
