/**
 * What the ledger has and the roster lacks; and who moves: somebody whom the roster still gives a bond anywhere in the network loses an old one only
 * once a new one is there. Whom it gives none loses all.
 */
import { bondOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import { compared } from '../ledger/row';

import type { PlanContext } from './context';
import { addTo, isFaulty, type DesiredState } from './desired';

/** What the ledger has and the export lacks, or has with an error although it was missing, in the order of schools and keys. */
export async function absentEntries(
	desired: DesiredState,
	{ ledger, turns, options }: PlanContext,
): Promise<LedgerEntry[]> {
	const bySchool = new Map<string, LedgerEntry[]>();
	const only = new Set(options.onlySchools);
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const entry of slice) {
			if (entry.there === 'no' || desired.records.has(entry.key)) continue;
			if (only.size > 0 && !only.has(entry.school)) continue;
			const isCounted = entry.missingSince !== '' || entry.isUnfinished;
			const isMissingBond = entry.kind === 'bond' && entry.there === 'yes' && isCounted;
			if (isFaulty(entry.kind, entry.key, desired) && !isMissingBond) continue;
			addTo(bySchool, entry.school, entry);
		}
	// School by school: sorting a whole network in one go would keep n8n waiting.
	for (const ofSchool of bySchool.values()) {
		ofSchool.sort((one, other) => compared(one.key, other.key));
		await turns.yieldIfDue();
	}
	return [...bySchool.keys()].sort().flatMap((school) => bySchool.get(school) ?? []);
}

/** The bonds that the roster gives people, by the external id of the person, whatever the school. */
export type BondsOfPeople = ReadonlyMap<string, readonly string[]>;

export async function bondsOfPeople(
	{ records, faultyBonds }: DesiredState,
	{ turns }: PlanContext,
): Promise<BondsOfPeople> {
	const bonds = new Map<string, string[]>();
	for await (const slice of turns.slices(records.values()))
		for (const { kind, key, record } of slice) {
			if (kind === 'bond') addTo(bonds, String(record.fields.user_external_id), key);
		}
	// Trap: a system that lost its ids may give all bonds the same one, and no call takes that many arguments.
	for (const [person, keys] of faultyBonds) for (const key of keys) addTo(bonds, person, key);
	return bonds;
}

/** The bonds of which one has to be there before this one is removed; none where one is there already, or the roster gives its person none. */
export function neededBonds(key: string, bonds: BondsOfPeople, { ledger }: PlanContext): readonly string[] {
	const given = bonds.get(String(bondOf(key).user_external_id)) ?? [];
	return given.some((bond) => ledger.entries.get(bond)?.there === 'yes') ? [] : given;
}
