/** Schools that have nothing in the export: for a while that may be a mistake, and then they have left (ROSTER.md section 3, rule 4). */
import type { PlanContext } from './context';
import type { DesiredState } from './desired';

/** So many days a school must have had nothing in any whole export. */
const DAYS = 7;

const DAY_MS = 24 * 3_600_000;

/** By school of which the ledger has bonds, and a whole export nothing: since which day. A partial export says nothing about it. */
export async function awaySchools(
	{ schools }: Pick<DesiredState, 'schools'>,
	{ ledger, roster, options, asOf, turns }: PlanContext,
): Promise<Map<string, string>> {
	const before = new Map(ledger.lastRun?.detail.away);
	for (const school of schools) before.delete(school);
	if (roster.completeness.bond !== 'whole') return before;
	const away = new Map<string, string>();
	for (const { kind, there, school } of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (kind === 'bond' && there !== 'no' && !schools.has(school))
			away.set(school, before.get(school) ?? asOf);
	}
	if (options.onlySchools.length > 0)
		for (const school of away.keys()) if (!options.onlySchools.includes(school)) away.delete(school);
	return away;
}

/** Whether a school has been away for so long that its bonds are to go, when a person says so. */
export function hasSchoolLeft(school: string, { away }: DesiredState, { asOf }: PlanContext): boolean {
	const since = away.get(school);
	return since !== undefined && Date.parse(asOf) - Date.parse(since) >= DAYS * DAY_MS;
}
