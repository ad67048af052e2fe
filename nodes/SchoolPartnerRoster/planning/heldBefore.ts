/** Schools of which something new was held in the last days, and waits for a person's word still. */
import { hasEnded } from '../ledger/decisions';
import { changeDigest } from '../ledger/digest';

import type { Change } from './change';
import { addTo } from './desiredState';
import type { PlanContext } from './planContext';

/**
 * Schools with creations that a hold of the last days names, and that no person has approved. Trap: who leaves under the old ids may have been
 * approved alone, and without them these would be few enough to go.
 */
export async function schoolsHeldBefore(
	changes: readonly Change[],
	context: PlanContext,
): Promise<ReadonlySet<string>> {
	const schools = new Set<string>();
	const held = openHolds(context);
	if (held.size === 0) return schools;
	for await (const slice of context.turns.slices(changes))
		for (const { action, key, school_external_id: school } of slice) {
			if (action !== 'create' || schools.has(school)) continue;
			const digest = changeDigest(action, key);
			if ([school, ''].some((of) => held.get(of)?.some((digests) => digests.has(digest))))
				schools.add(school);
		}
	return schools;
}

/** By school, '' for several, what each hold names. What is held for the ledger or the roster as a whole, or for a new year, says nothing of this. */
function openHolds({ ledger: { decisions }, now }: PlanContext): ReadonlyMap<string, Array<Set<string>>> {
	const bySchool = new Map<string, Array<Set<string>>>();
	for (const [id, hold] of decisions.holds) {
		const isOpen = hold.conditions.length === 0 && !hasEnded(hold, now) && !decisions.isApproved(id, now);
		if (isOpen) addTo(bySchool, hold.school, hold.changes);
	}
	return bySchool;
}
