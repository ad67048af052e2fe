/** Of which schools something waits for a person's word: with what is new tonight, what leaves or was held there may be one mistake. */
import { hasEnded, lastReport, type ReportedHold } from '../ledger/decisions';
import { pairDigest } from '../ledger/digest';

import { directionOf, type Change, type Direction } from './change';
import { addTo } from './desiredState';
import type { PlanContext } from './planContext';

/** By direction, schools with changes that a hold names, and that no person has approved. */
export type HeldBefore = Readonly<Record<Direction, ReadonlySet<string>>>;

/** Trap: who leaves under the old ids may have been approved alone, and without them those who are new would be few enough to go. */
export async function schoolsHeldBefore(
	changes: readonly Change[],
	context: PlanContext,
): Promise<HeldBefore> {
	const schools = { in: new Set<string>(), out: new Set<string>() };
	const holdsBySchool = openHolds(context);
	if (holdsBySchool.size === 0) return schools;
	// Trap: who came back has no new row, and would be named by a hold of long ago. The last run may not have looked at who leaves.
	const recent = new Set([...holdsBySchool.values()].flat().filter((hold) => !hasEnded(hold, context.now)));
	await context.turns.forEach(changes, (change) => {
		const { school_external_id: school } = change;
		const direction = directionOf(change);
		if (direction === undefined || schools[direction].has(school)) return;
		const isOpen = (hold: ReportedHold) => direction === 'in' || recent.has(hold);
		const holds = [school, ''].flatMap((of) => holdsBySchool.get(of)?.filter(isOpen) ?? []);
		if (isNamedIn(holds, change, context)) schools[direction].add(school);
	});
	return schools;
}

/** Trap: what was let go after its hold was reported last, with an approval of another one, comes again by itself. */
function isNamedIn(holds: readonly ReportedHold[], { action, key, known }: Change, { now }: PlanContext) {
	const digest = pairDigest(action, key);
	const triedAt = Date.parse(known?.at ?? '') || 0;
	return holds.some((hold) => hold.changes.has(digest) && triedAt <= lastReport(hold, now));
}

/** By school, '' for several. What is held for the ledger or the roster as a whole, or for a new year, says nothing of this. */
function openHolds({ ledger: { decisions }, now }: PlanContext): ReadonlyMap<string, ReportedHold[]> {
	const bySchool = new Map<string, ReportedHold[]>();
	for (const [id, hold] of decisions.holds) {
		// Trap: holidays pass without a run. The days in which an approval ends do not end its hold.
		const isOpen = hold.conditions.length === 0 && !decisions.isApproved(id, lastReport(hold, now));
		if (isOpen) addTo(bySchool, hold.school, hold);
	}
	return bySchool;
}
