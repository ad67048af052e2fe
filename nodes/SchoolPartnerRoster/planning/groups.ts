/** What is counted together when it is asked whether something is too much: classes, users, and the bonds of each profile. */
import type { Group, SchoolCounts } from '../ledger/detail';
import { bondOf } from '../ledger/key';
import type { Kind } from '../roster/record';

export function groupOf(kind: Kind, key: string): Group {
	return kind === 'bond' ? `bond ${String(bondOf(key).profile_name)}` : kind;
}

/** In words, of more than one. */
export function pluralOf(group: Group): string {
	if (group === 'class') return 'classes';
	return group === 'user' ? 'users' : `bonds of the profile ${group.slice('bond '.length)}`;
}

/** How many there are of each group in each school. */
export class GroupCounts {
	private readonly bySchool = new Map<string, Map<Group, number>>();

	constructor(entries: readonly SchoolCounts[] = []) {
		for (const [school, counts] of entries)
			for (const [group, count] of Object.entries(counts)) this.add(school, group, count);
	}

	add(school: string, group: Group, count = 1): void {
		let groups = this.bySchool.get(school);
		if (groups === undefined) this.bySchool.set(school, (groups = new Map()));
		groups.set(group, (groups.get(group) ?? 0) + count);
	}

	of(school: string, group: Group): number {
		return this.bySchool.get(school)?.get(group) ?? 0;
	}

	has(school: string): boolean {
		return this.bySchool.has(school);
	}

	get schools(): string[] {
		return [...this.bySchool.keys()];
	}

	groupsOf(school: string): Array<[Group, number]> {
		return [...(this.bySchool.get(school) ?? [])];
	}

	/** As it stands in a row of the ledger. */
	entries(): SchoolCounts[] {
		return [...this.bySchool].map(([school, groups]) => [school, Object.fromEntries(groups)]);
	}
}
