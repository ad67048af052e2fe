/** Schools that have nothing in the export: for a while that may be a mistake, and then they have left (ROSTER.md section 3, rule 4). */
import { completenessIn } from '../roster/roster';

import type { PlanContext } from './context';
import { daysBetween } from './days';
import type { DesiredState } from './desired';

/** So many days a school must have had nothing in any whole export. */
const DAYS = 7;

/** By school of which the ledger has bonds, and a whole export nothing: since which day. A partial export says nothing about it. */
export async function awaySchools(
	{ schools }: Pick<DesiredState, 'schools'>,
	{ ledger, roster, options, asOf, turns }: PlanContext,
): Promise<Map<string, string>> {
	const before = new Map(ledger.lastRun?.detail.away);
	for (const school of schools) before.delete(school);
	const only = new Set(options.onlySchools);
	const isMissed = (school: string) =>
		(only.size === 0 || only.has(school)) && completenessIn(roster, school, 'bond') === 'whole';
	// Of a school that is not looked at, nothing new is known.
	const away = new Map([...before].filter(([school]) => !isMissed(school)));
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, there, school } of slice) {
			const isMissing = kind === 'bond' && there !== 'no' && !schools.has(school);
			if (isMissing && isMissed(school)) away.set(school, before.get(school) ?? asOf);
		}
	return away;
}

/** Whether a school has been away for so long that its bonds are to go, when a person says so. */
export function hasSchoolLeft(school: string, { away }: DesiredState, { asOf }: PlanContext): boolean {
	const since = away.get(school);
	return since !== undefined && daysBetween(since, asOf) >= DAYS;
}
