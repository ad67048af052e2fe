/** What tonight's changes are measured against: what the schools had, and what was done in the last days. */
import type { RecentCount } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import type { Kind } from '../roster/record';
import { completenessIn } from '../roster/roster';
import type { Turns } from '../roster/turns';

import { directionOf, type Change } from './change';
import { GroupCounts, groupOf } from './counts';
import { DAY_MS, utcDay } from './days';
import type { PlanContext } from './planContext';

/**
 * What each school had in its last whole export without a hold; of one without such an export, what the ledger has. Trap: users are never removed:
 * measured against a ledger of many years, less and less would be held.
 */
export async function baseline({ lastDetail, entries }: Ledger, turns: Turns): Promise<GroupCounts> {
	const [base, known] = [new GroupCounts(lastDetail.base), new GroupCounts(lastDetail.base)];
	await turns.forEach(entries.values(), ({ there, school, kind, key }) => {
		if ((there === 'yes' || there === 'unconfirmed') && known.of(school, groupOf(kind, key)) === 0)
			base.add(school, groupOf(kind, key));
	});
	return base;
}

/**
 * Against what tomorrow is measured. Trap: what the ledger has stands in for a whole export only until there is one; kept, it would never grow.
 * @param unmeasured schools of which something is held tonight, or that a take over knows already: for them nothing changes
 */
export async function nextBaseline(
	unmeasured: ReadonlySet<string>,
	{ desired, ledger, roster, turns }: PlanContext,
): Promise<GroupCounts> {
	const [base, tonight] = [new GroupCounts(ledger.lastDetail.base), new GroupCounts()];
	await turns.forEach(desired.records.values(), ({ kind, key, school }) => {
		tonight.add(school, groupOf(kind, key));
	});
	const tomorrow = new GroupCounts();
	for (const school of new Set([...base.schools, ...tonight.schools])) {
		const isMeasured = tonight.has(school) && !unmeasured.has(school);
		const groups = new Set([...base.groupsOf(school), ...tonight.groupsOf(school)].map(([group]) => group));
		for (const group of groups) {
			const kind = group.split(' ', 1)[0] as Kind;
			const isWhole = completenessIn(roster, school, kind) === 'whole';
			const count = (isMeasured && isWhole ? tonight : base).of(school, group);
			if (count > 0) tomorrow.add(school, group, count);
		}
	}
	return tomorrow;
}

/** So many days count together. */
export const RECENT_DAYS = 7;

/** What was created and removed in the last seven days, and no person has approved: a little too much each night is too much. */
export class RecentChanges {
	readonly in = new GroupCounts();
	readonly out = new GroupCounts();
	private readonly rows: readonly RecentCount[];

	/** @param rows of the ledger @param now milliseconds since 1970 */
	constructor(
		rows: readonly RecentCount[],
		private readonly now: number,
	) {
		const first = utcDay(now - (RECENT_DAYS - 1) * DAY_MS);
		// Trap: what a clock that was ahead has noted would count for years. Two hosts may be apart by a day.
		const last = utcDay(now + DAY_MS);
		this.rows = rows.filter(([day]) => day >= first && day <= last);
		for (const [, school, direction, group, count] of this.rows) this[direction].add(school, group, count);
	}

	/** With what was done tonight, for the nights that come. */
	with(done: readonly Change[]): RecentCount[] {
		const counts = new Map<string, RecentCount>();
		// Trap: a schedule may start a hundred runs a day, each with a row of all this.
		const add = ([day, school, direction, group, count]: RecentCount) => {
			const id = JSON.stringify([day, school, direction, group]);
			counts.set(id, [day, school, direction, group, (counts.get(id)?.[4] ?? 0) + count]);
		};
		for (const row of this.rows) add(row);
		const day = utcDay(this.now);
		for (const change of done) {
			const direction = directionOf(change);
			if (direction === undefined || change.hold !== undefined || change.move === 'goesOn') continue;
			add([day, change.school_external_id, direction, groupOf(change.kind, change.key), 1]);
		}
		return [...counts.values()];
	}
}
