/** How many records there are: by state, for Summary; by group, to see what is too much. */
import type { Group, SchoolCounts } from '../ledger/detail';
import { bondOf } from '../ledger/key';
import { compared } from '../ledger/row';
import type { Kind } from '../roster/record';

import type { ChangeState } from './change';

/**
 * The states of changes, and of what is no change: `same`, there as it is; `changed`, there with other values; `left`, a class or user that left and
 * cannot be removed; `error`, in the roster and cannot be sent.
 */
export type Counted = ChangeState | 'same' | 'changed' | 'left' | 'error';

type Numbers = Record<Kind, Partial<Record<Counted, number>>>;

/** How many records of each school and kind are in which state. Each record is counted once. */
export class Counts {
	private readonly sum = none();
	private readonly bySchool = new Map<string, Numbers>();

	/** @param by -1 where it was counted, and is counted as something else now */
	add(school: string, kind: Kind, counted: Counted, by: 1 | -1 = 1): void {
		const ofSchool = this.bySchool.get(school) ?? none();
		this.bySchool.set(school, ofSchool);
		for (const { [kind]: numbers } of [ofSchool, this.sum]) {
			numbers[counted] = (numbers[counted] ?? 0) + by;
			if (numbers[counted] === 0) delete numbers[counted];
		}
	}

	bySchools(): Array<{ school_external_id: string; counts: Numbers }> {
		const schools = [...this.bySchool].sort(([one], [other]) => compared(one, other));
		return schools.map(([school, counts]) => ({ school_external_id: school, counts }));
	}

	all(): Numbers {
		return this.sum;
	}
}

const none = (): Numbers => ({ class: {}, user: {}, bond: {} });

/** What is counted together when it is asked whether something is too much: classes, users, and the bonds of each profile. */
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
