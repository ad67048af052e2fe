/** In which order changes are made: what something needs comes before it, and a student never loses a class before having the new one. */
import type { Turns } from '../roster/turns';

import type { Change } from './change';
import type { Difference } from './compare';

/** A user to be created, how many of its needs are still to come, and who needs it. */
interface Step {
	user: Change;
	open: number;
	neededBy: Step[];
}

/**
 * Everything in order: classes, responsible persons (and whoever is one's responsible), other users, bonds, removals, notes. And the users that need one
 * another in a circle.
 */
export async function inOrder(
	{ creations, removals, notes }: Difference,
	turns: Turns,
): Promise<{ ordered: Change[]; circular: Change[] }> {
	const steps = new Map<string, Step>();
	for await (const slice of turns.slices(creations.user))
		for (const user of slice) {
			steps.set(user.key, { user, open: 0, neededBy: [] });
		}
	for await (const slice of turns.slices(steps.values()))
		for (const step of slice) {
			for (const key of new Set(step.user.needs)) {
				const needed = steps.get(key);
				if (needed === undefined) continue;
				step.open += 1;
				needed.neededBy.push(step);
			}
		}
	const responsible: Change[] = [];
	const others: Change[] = [];
	let level = [...steps.values()].filter(({ open }) => open === 0);
	while (level.length > 0) {
		const next: Step[] = [];
		for await (const slice of turns.slices(level))
			for (const { user, neededBy } of slice) {
				(neededBy.length > 0 || isResponsible(user) ? responsible : others).push(user);
				for (const dependent of neededBy) {
					dependent.open -= 1;
					if (dependent.open === 0) next.push(dependent);
				}
			}
		level = next;
	}
	const circular = [...steps.values()].filter(({ open }) => open > 0).map(({ user }) => user);
	// Trap: spreading a hundred thousand changes into push() overflows the stack.
	const ordered = creations.class.concat(responsible, others, creations.bond, removals, notes);
	return { ordered, circular };
}

export function isResponsible({ send }: Pick<Change, 'send'>): boolean {
	return Array.isArray(send?.profiles) && send.profiles.includes('responsible');
}
