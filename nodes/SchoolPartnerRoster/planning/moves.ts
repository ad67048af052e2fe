/**
 * Who moves: somebody whom the roster still gives a bond anywhere in the network loses an old one only once a new one is there. Whom it gives none
 * loses all.
 */
import { bondOf } from '../ledger/key';

import type { PlanContext } from './context';
import type { DesiredState } from './desired';

/** The bonds that the roster gives people, by the external id of the person, whatever the school. */
export type BondsOfPeople = ReadonlyMap<string, readonly string[]>;

export async function bondsOfPeople(
	{ records, faultyBonds }: DesiredState,
	{ turns }: PlanContext,
): Promise<BondsOfPeople> {
	const bonds = new Map<string, string[]>();
	const add = (person: string, keys: readonly string[]) => {
		const known = bonds.get(person);
		if (known === undefined) bonds.set(person, [...keys]);
		else known.push(...keys);
	};
	for (const { kind, key, record } of records.values()) {
		if (turns.areDue()) await turns.give();
		if (kind === 'bond') add(String(record.fields.user_external_id), [key]);
	}
	for (const [person, keys] of faultyBonds) add(person, keys);
	return bonds;
}

/** The bonds of which one has to be there before this one is removed; none where one is there already, or the roster gives its person none. */
export function neededBonds(key: string, bonds: BondsOfPeople, { ledger }: PlanContext): readonly string[] {
	const given = bonds.get(String(bondOf(key).user_external_id)) ?? [];
	return given.some((bond) => ledger.entries.get(bond)?.there === 'yes') ? [] : given;
}
