/** What was created and removed in the last seven days and no person has approved: a little too much each night is too much. */
import type { RecentCount } from '../ledger/detail';

import type { Change } from './change';
import { DAY_MS, dayOf } from './days';
import { GroupCounts, groupOf } from './groups';

/** `in`: creations; `out`: removals. */
export type Direction = 'in' | 'out';

export function directionOf({ action }: Change): Direction | undefined {
	if (action === 'note') return undefined;
	return action === 'create' ? 'in' : 'out';
}

const DAYS = 7;

export class RecentChanges {
	private readonly sums: Record<Direction, GroupCounts> = {
		in: new GroupCounts(),
		out: new GroupCounts(),
	};

	/** @param now milliseconds since 1970 */
	constructor(
		private readonly known: readonly RecentCount[],
		private readonly now: number,
	) {
		for (const [, school, direction, group, count] of this.lasting())
			this.sums[direction].add(school, group, count);
	}

	counts(direction: Direction): GroupCounts {
		return this.sums[direction];
	}

	/** With what was done tonight, for the nights that come. */
	with(done: readonly Change[]): RecentCount[] {
		const day = dayOf(this.now);
		const tonight = { in: new GroupCounts(), out: new GroupCounts() };
		for (const change of done) {
			const direction = directionOf(change);
			if (direction === undefined || change.hold !== undefined || change.isMove === true) continue;
			tonight[direction].add(change.school_external_id, groupOf(change.kind, change.key));
		}
		const added = (['in', 'out'] as const).flatMap((direction) =>
			tonight[direction].schools.flatMap((school) =>
				tonight[direction]
					.groupsOf(school)
					.map(([group, count]): RecentCount => [day, school, direction, group, count]),
			),
		);
		return [...this.lasting(), ...added];
	}

	private lasting(): RecentCount[] {
		const first = dayOf(this.now - (DAYS - 1) * DAY_MS);
		return this.known.filter(([day]) => day >= first);
	}
}
