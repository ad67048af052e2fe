/** New records that look like known ones: creations cannot be undone (ROSTER.md section 3, rule 3). */
import type { Ledger, LedgerEntry } from '../ledger/ledger';

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
	private byFolded: Map<string, LedgerEntry> | undefined;
	private byPerson: Map<string, LedgerEntry> | undefined;

	constructor(private readonly ledger: Ledger) {}

	/** What is there under an id that differs from this one in nothing but its writing. */
	ofKey(key: string): LedgerEntry | undefined {
		this.byFolded ??= this.indexed((entry) => [folded(entry.key)]);
		const like = this.byFolded.get(folded(key));
		return like?.key === key || this.isSomebodyNew(key) ? undefined : like;
	}

	/** The user of a school who has the same full name and birth date, or the same document and first name. */
	ofPerson(school: string, key: string, digests: string): LedgerEntry | undefined {
		this.byPerson ??= this.indexed((entry) =>
			entry.kind === 'user' ? personsOf(entry.school, entry.fields) : [],
		);
		const index = this.byPerson;
		const like = personsOf(school, digests).flatMap((person) => index.get(person) ?? [])[0];
		return like === undefined || like.key === key || this.isSomebodyNew(key) ? undefined : like;
	}

	/** A person has looked. */
	private isSomebodyNew(key: string): boolean {
		return this.ledger.decisions.resolutions.get(key)?.state === 'notInService';
	}

	private indexed(namesOf: (entry: LedgerEntry) => readonly string[]): Map<string, LedgerEntry> {
		const index = new Map<string, LedgerEntry>();
		for (const entry of this.ledger.entries.values())
			if (entry.there !== 'no') for (const name of namesOf(entry)) index.set(name, entry);
		return index;
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
