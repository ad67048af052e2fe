/** New records that look like known ones: creations cannot be undone (ROSTER.md section 3, rule 3). */
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { Turns } from '../roster/turns';

import { digestsByField } from './fieldDigests';

/** What nobody sees: zero-width blanks and joiners, direction marks, soft hyphens. */
const INVISIBLE = /[\p{Cf}\p{Z}\s]/gu;

/** An id as somebody may have written it once: case, zeros in front, form of Unicode and invisible characters are no difference. */
export function folded(key: string): string {
	return key.replaceAll(/[^|:]+/g, (id) => {
		const plain = id.normalize('NFKC').replaceAll(INVISIBLE, '').toLowerCase();
		return plain.replace(/^0+(?=.)/, '');
	});
}

export class LookAlikes {
	private readonly byFolded = new Map<string, LedgerEntry>();
	private readonly byPerson = new Map<string, LedgerEntry>();

	private constructor(private readonly decisions: Ledger['decisions']) {}

	/** @param isNeeded false on a night without anything new, which needs no index */
	static async of({ entries, decisions }: Ledger, isNeeded: boolean, turns: Turns): Promise<LookAlikes> {
		const found = new LookAlikes(decisions);
		if (!isNeeded) return found;
		for (const entry of entries.values()) {
			if (turns.areDue()) await turns.give();
			if (entry.there !== 'no') found.add(entry);
		}
		return found;
	}

	/** What is there under an id that differs from this one in nothing but its writing. */
	ofKey(key: string): LedgerEntry | undefined {
		const like = this.byFolded.get(folded(key));
		return like?.key === key || this.isSomebodyNew(key) ? undefined : like;
	}

	/** The user of a school who has the same full name and birth date, or the same document and first name. */
	ofPerson(school: string, key: string, digests: string): LedgerEntry | undefined {
		const like = personsOf(school, digests).flatMap((person) => this.byPerson.get(person) ?? [])[0];
		return like === undefined || like.key === key || this.isSomebodyNew(key) ? undefined : like;
	}

	/** A person has looked. */
	private isSomebodyNew(key: string): boolean {
		return this.decisions.resolutions.get(key)?.state === 'notInService';
	}

	private add(entry: LedgerEntry): void {
		this.byFolded.set(folded(entry.key), entry);
		if (entry.kind !== 'user') return;
		for (const person of personsOf(entry.school, entry.fields)) this.byPerson.set(person, entry);
	}
}

/** What tells a person from others in a school, as far as the fields say it. */
function personsOf(school: string, digests: string): string[] {
	const fields = digestsByField('user', digests);
	const [first, last] = [fields.get('first_name'), fields.get('last_name')];
	const [birth, document] = [fields.get('birth_date'), fields.get('document_value')];
	const persons: string[] = [];
	if (first === undefined) return persons;
	if (last !== undefined && birth !== undefined) persons.push(`${school} born ${first} ${last} ${birth}`);
	if (document !== undefined) persons.push(`${school} document ${first} ${document}`);
	return persons;
}
