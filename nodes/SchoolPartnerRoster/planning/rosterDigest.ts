/** Digests that tell one roster from another, whatever the order and the files its records came in. */
import { digestOf, UnorderedDigest } from '../ledger/digest';
import type { Turns } from '../roster/turns';

import type { DesiredState } from './desired';

/** Of the schools, and of everything in them. */
export async function rosterDigest(
	{ records, schools }: DesiredState,
	turns: Turns,
): Promise<[string, string]> {
	const everything = new UnorderedDigest();
	for (const { key, fields } of records.values()) {
		if (turns.areDue()) await turns.give();
		everything.add(`${key} ${fields}`);
	}
	return [digestOf([...schools].sort().join('\n')), everything.value()];
}
