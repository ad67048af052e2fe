/** In which order changes are made: what something needs comes before it, and a student never loses a class before having the new one. */
import type { Candidate } from './change';
import type { Difference } from './compare';

/** Everything in order: classes, responsible persons, other users, bonds, removals, notes. And the users that need one another in a circle. */
export function inOrder({ creations, removals, notes }: Difference): { ordered: Candidate[]; circular: Candidate[] } {
	const { ordered, circular } = usersInOrder(creations.user);
	// Trap: spreading a hundred thousand changes into push() overflows the stack.
	return { ordered: creations.class.concat(ordered, creations.bond, removals, notes), circular };
}

/** Responsible persons, and whoever is one's responsible, before those who need them. */
function usersInOrder(users: readonly Candidate[]): { ordered: Candidate[]; circular: Candidate[] } {
	const byKey = new Map(users.map((user) => [user.key, user]));
	const neededBy = new Map<string, Candidate[]>();
	const open = new Map<string, number>();
	for (const user of users) {
		const needs = new Set(user.needs.filter((key) => byKey.has(key)));
		open.set(user.key, needs.size);
		for (const key of needs) neededBy.set(key, [...(neededBy.get(key) ?? []), user]);
	}
	const responsible: Candidate[] = [];
	const others: Candidate[] = [];
	let level = users.filter(({ key }) => open.get(key) === 0);
	while (level.length > 0) {
		const next: Candidate[] = [];
		for (const user of level) {
			const dependents = neededBy.get(user.key) ?? [];
			(dependents.length > 0 || isResponsible(user) ? responsible : others).push(user);
			for (const { key } of dependents) {
				const left = (open.get(key) ?? 0) - 1;
				open.set(key, left);
				if (left === 0) next.push(byKey.get(key) as Candidate);
			}
		}
		level = next;
	}
	const circular = users.filter(({ key }) => (open.get(key) ?? 0) > 0);
	return { ordered: responsible.concat(others), circular };
}

export function isResponsible({ send }: Pick<Candidate, 'send'>): boolean {
	return Array.isArray(send?.profiles) && send.profiles.includes('responsible');
}
