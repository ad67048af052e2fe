/** New records that look like known ones: creations cannot be undone (ROSTER.md section 3, rule 3). */
import { foldedId, idsIn } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import { areMadeOtherwise, isMade } from '../roster/madeId';
import type { Kind } from '../roster/record';

import { addTo, type DesiredRecord } from './desiredState';
import { digestsByField } from './fieldDigests';
import type { PlanContext } from './planContext';

/** What the ledger has, found by what tells a record from others. */
export class LookAlikes {
	private readonly byFolded = new Map<string, LedgerEntry>();
	private readonly byPerson = new Map<string, LedgerEntry>();
	/** Users whose ids were made, by school and full name. */
	private readonly byMadeName = new Map<string, LedgerEntry[]>();
	/** Classes and users of tonight that the ledger does not have. */
	private readonly newByFolded = new Map<string, DesiredRecord[]>();

	private constructor(
		private readonly records: ReadonlyMap<string, DesiredRecord>,
		private readonly ledger: Ledger,
	) {}

	static async of({ desired: { records }, ledger, turns }: PlanContext): Promise<LookAlikes> {
		const found = new LookAlikes(records, ledger);
		let isAnyNew = false;
		await turns.forEach(records.values(), (record) => {
			if ((ledger.entries.get(record.key)?.there ?? 'no') !== 'no') return;
			isAnyNew = true;
			if (record.kind !== 'bond') addTo(found.newByFolded, foldedId(record.key), record);
		});
		// A night without anything new needs no index.
		if (!isAnyNew) return found;
		await turns.forEach(ledger.entries.values(), (entry) => {
			if (entry.there !== 'no') found.add(entry);
		});
		return found;
	}

	/**
	 * What is there under an id that differs from this one in nothing but its writing; nothing of what is there itself.
	 * @param needs keys of the class and the user of a bond: it looks like a known one when one of these does
	 */
	ofKey(kind: Kind, key: string, needs: readonly string[]): LedgerEntry | undefined {
		if (kind === 'bond' && !needs.some((end) => this.like(end) !== undefined)) return undefined;
		return this.like(key);
	}

	private like(key: string): LedgerEntry | undefined {
		const isItselfThere = (this.ledger.entries.get(key)?.there ?? 'no') !== 'no';
		if (isItselfThere) return undefined;
		const known = this.byFolded.get(foldedId(key));
		return known === undefined || this.isSaidNew(key, known) ? undefined : known;
	}

	/** The key of another new record that is the same, under an id that differs in nothing but its writing: nobody can say which of the two is right. */
	ofNew(one: DesiredRecord): string | undefined {
		if (one.kind === 'bond' || this.isSaidNew(one.key)) return undefined;
		const alike = this.newByFolded.get(foldedId(one.key)) ?? [];
		return alike.find((other) => other.key !== one.key && areSame(one, other))?.key;
	}

	/** The user of a school who has the same full name and birth date, or the same document and first name. */
	ofPerson(school: string, key: string, digests: string): LedgerEntry | undefined {
		if (isMade(idsIn(key).external_id)) return this.ofMade(school, key, digests);
		return personsOf(school, digests)
			.flatMap((person) => this.byPerson.get(person) ?? [])
			.find((known) => !this.isSaidNew(key, known));
	}

	/** Somebody of this name whose id was made in another way, and who is in no row tonight: a document was filled in, or taken out. */
	private ofMade(school: string, key: string, digests: string): LedgerEntry | undefined {
		const { external_id: id } = idsIn(key);
		return this.byMadeName
			.get(fullNameIn(school, digests))
			?.filter((one) => areMadeOtherwise(id, idsIn(one.key).external_id) && !this.records.has(one.key))
			.find((known) => !this.isSaidNew(key, known));
	}

	/**
	 * A person has looked and says that it is somebody new. Trap: what was said before the known one came, such as of a creation without an answer, was no
	 * answer to whether the two are one.
	 */
	private isSaidNew(key: string, known?: LedgerEntry): boolean {
		const { decisions, entries } = this.ledger;
		const resolved = decisions.resolutions.get(key);
		if (resolved?.state !== 'notInService') return false;
		if (known === undefined || resolved.id > known.row.id) return true;
		// A run has taken the word, beside the known one, and did not get it done.
		const tried = entries.get(key);
		if (tried?.isUnfinished !== true || tried.row.id <= resolved.id) return false;
		return tried.row.run_id === known.row.run_id || tried.row.id > known.row.id;
	}

	private add(entry: LedgerEntry): void {
		const { kind, key, school, fields } = entry;
		this.byFolded.set(foldedId(key), entry);
		if (kind !== 'user') return;
		// The mother of two siblings may be two users, one for each.
		if (isMade(idsIn(key).external_id)) addTo(this.byMadeName, fullNameIn(school, fields), entry);
		else for (const person of personsOf(school, fields)) this.byPerson.set(person, entry);
	}
}

function areSame(one: DesiredRecord, other: DesiredRecord): boolean {
	if (one.kind === 'user' && isMade(idsIn(one.key).external_id))
		return fullNameIn(one.school, one.fields) === fullNameIn(other.school, other.fields);
	if (one.kind === 'user') {
		const persons = new Set(personsOf(one.school, one.fields));
		const isOnePerson = personsOf(other.school, other.fields).some((person) => persons.has(person));
		return isOnePerson || isOneName(one, other);
	}
	const [ofOne, ofOther] = [one, other].map(({ fields }) => digestsByField('class', fields));
	return ['name', 'grade', 'year'].every((field) => ofOne.get(field) === ofOther.get(field));
}

/** A list may have nothing but the names of its people. Then one name under one id, written in two ways, is one person. */
function isOneName(one: DesiredRecord, other: DesiredRecord): boolean {
	const [ofOne, ofOther] = [one, other].map(({ fields }) => digestsByField('user', fields));
	const differs = ['birth_date', 'document_value'].some((field) => {
		const [digest, otherDigest] = [ofOne.get(field), ofOther.get(field)];
		return digest !== undefined && otherDigest !== undefined && digest !== otherDigest;
	});
	return !differs && fullNameIn(one.school, one.fields) === fullNameIn(other.school, other.fields);
}

function fullNameIn(school: string, digests: string): string {
	const fields = digestsByField('user', digests);
	return `${school} ${fields.get('first_name')} ${fields.get('last_name')}`;
}

/** What tells a person from others in a school, as far as the fields say it. */
export function personsOf(school: string, digests: string): string[] {
	const fields = digestsByField('user', digests);
	const [first, last] = [fields.get('first_name'), fields.get('last_name')];
	const [birth, document] = [fields.get('birth_date'), fields.get('document_value')];
	const persons: string[] = [];
	if (first === undefined) return persons;
	if (last !== undefined && birth !== undefined) persons.push(`${school} born ${first} ${last} ${birth}`);
	if (document !== undefined) persons.push(`${school} document ${first} ${document}`);
	return persons;
}
