/** Classes that nearly all of their pupils, or teachers, would leave without going to another. */
import { bondOf } from '../ledger/key';

import type { Change } from './change';
import type { PlanContext } from './context';
import { addTo } from './desired';

/** From so many people of one profile on, a class that loses this part of them is held. */
const FEWEST = 10;
const MOST_PART = 4 / 5;

/** So many classes are named. */
const MOST_NAMED = 5;

/** Of a bond: school, class and profile. Trap: counted with its teachers, a class that has lost all pupils has not lost enough. */
function peopleOf(key: string): string {
	const { school_external_id: school, class_external_id: ofClass, profile_name: profile } = bondOf(key);
	return JSON.stringify([school, ofClass, profile]);
}

/** By school, in words: the classes, and how many of how many leave. Who moves to another class of the school does not count. */
export async function emptiedClasses(
	changes: readonly Change[],
	{ ledger, turns }: PlanContext,
): Promise<Map<string, string[]>> {
	const leaving = new Map<string, number>();
	for await (const slice of turns.slices(changes))
		for (const { action, key, isMove } of slice) {
			if (action === 'remove' && isMove !== true)
				leaving.set(peopleOf(key), (leaving.get(peopleOf(key)) ?? 0) + 1);
		}
	if (leaving.size === 0) return new Map();
	const there = new Map<string, number>();
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, there: presence } of slice) {
			if (kind === 'bond' && presence === 'yes' && leaving.has(peopleOf(key)))
				there.set(peopleOf(key), (there.get(peopleOf(key)) ?? 0) + 1);
		}
	const words = new Map<string, string[]>();
	for (const [people, count] of leaving) {
		const all = there.get(people) ?? 0;
		if (all < FEWEST || count < all * MOST_PART) continue;
		const [school, id] = JSON.parse(people) as string[];
		addTo(words, school, `class ${id}: ${count} of ${all} leave, and go to no other class`);
	}
	for (const [school, each] of words) {
		const more = each.length - MOST_NAMED;
		if (more > 0) words.set(school, [...each.slice(0, MOST_NAMED), `and ${more} classes more`]);
	}
	return words;
}
