/** What the ledger has and the roster lacks. */
import { inOrderOfKeys, type LedgerEntry } from '../ledger/ledger';

import type { PlanContext } from './context';
import { isFaulty, type DesiredState } from './desired';

/** A bond of which the ledger says that it was missing, or that its removal was not done. */
function isCounted({ kind, there, missingSince, isUnfinished }: LedgerEntry): boolean {
	return kind === 'bond' && there === 'yes' && (missingSince !== '' || isUnfinished);
}

/** What the ledger has and the export lacks, or has with an error although it was missing, in the order of schools and keys. */
export async function absentEntries(
	desired: DesiredState,
	{ ledger, turns, options }: PlanContext,
): Promise<LedgerEntry[]> {
	const bySchool = new Map<string, LedgerEntry[]>();
	const only = new Set(options.onlySchools);
	for (const entry of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (entry.there === 'no' || desired.records.has(entry.key)) continue;
		if (only.size > 0 && !only.has(entry.school)) continue;
		if (isFaulty(entry.kind, entry.key, desired) && !isCounted(entry)) continue;
		const ofSchool = bySchool.get(entry.school);
		if (ofSchool === undefined) bySchool.set(entry.school, [entry]);
		else ofSchool.push(entry);
	}
	// School by school: sorting a whole network in one go would keep n8n waiting.
	for (const ofSchool of bySchool.values()) {
		inOrderOfKeys(ofSchool);
		await turns.give();
	}
	return [...bySchool.keys()].sort().flatMap((school) => bySchool.get(school) ?? []);
}

const DAY_MS = 24 * 3_600_000;

/** @param from YYYY-MM-DD @param to YYYY-MM-DD */
export function daysBetween(from: string, to: string): number {
	return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
