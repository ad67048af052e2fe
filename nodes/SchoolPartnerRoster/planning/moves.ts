/** Who moves: the old bond of a user waits for the new one. */
import { bondOf, placesOf, userKey } from '../ledger/key';
import type { Turns } from '../roster/turns';

import type { Candidate } from './change';
import type { Wanted } from './desired';
import type { PlanOptions } from './options';

/** Keys of the bonds that are to be there, by the place that they give their user. */
export type Arrivals = ReadonlyMap<string, readonly string[]>;

export const NOBODY: Arrivals = new Map();

export async function arrivalsOf(
	bonds: readonly Pick<Candidate, 'key'>[],
	{ userKeys }: PlanOptions,
	turns: Turns,
): Promise<Arrivals> {
	const arrivals = new Map<string, string[]>();
	for (const { key } of bonds) {
		if (turns.areDue()) await turns.give();
		for (const place of placesOf(key, userKeys)) {
			const known = arrivals.get(place);
			if (known === undefined) arrivals.set(place, [key]);
			else known.push(key);
		}
	}
	return arrivals;
}

/** Where a user is to move to: until all of that is there, or goes before it, the old bond stays. */
export function newPlacesOf(
	key: string,
	arrivals: Arrivals,
	{ unsettled }: Wanted,
	{ userKeys }: PlanOptions,
): string[] {
	const { school_external_id: school, user_external_id: user } = bondOf(key);
	// Of a bond without a school only the user is known, whatever tells users apart.
	const users = new Set([userKey(school, user, userKeys), userKey(school, user, 'network')]);
	return [
		...placesOf(key, userKeys).flatMap((place) => arrivals.get(place) ?? []),
		...[...users].flatMap((one) => unsettled.get(one ?? '') ?? []),
	];
}
