/** What the schools had in their last whole export without a hold: what is new and what is gone is measured against that. */
import type { Kind } from '../roster/record';
import { completenessIn } from '../roster/roster';

import type { PlanContext } from './context';
import type { DesiredState } from './desired';
import { GroupCounts, groupOf } from './groups';

const kindOf = (group: string) => group.split(' ', 1)[0] as Kind;

/** What stands in the ledger for schools of which no whole export is known. */
async function countsOfLedger({ ledger, turns }: PlanContext): Promise<GroupCounts> {
	const counts = new GroupCounts();
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { there, school, kind, key } of slice) {
			if (there === 'yes' || there === 'unconfirmed') counts.add(school, groupOf(kind, key));
		}
	return counts;
}

/** Against what tonight is measured. Trap: users are never removed; of a ledger of many years less and less would be held. */
export async function baseOf(context: PlanContext): Promise<GroupCounts> {
	const base = new GroupCounts(context.ledger.lastRun?.detail.base ?? []);
	const known = await countsOfLedger(context);
	for (const school of known.schools)
		if (!base.has(school))
			for (const [group, count] of known.groupsOf(school)) base.add(school, group, count);
	return base;
}

/**
 * Against what tomorrow is measured.
 * @param held schools of which something is held tonight: for them nothing changes
 */
export async function baseOfTomorrow(
	base: GroupCounts,
	desired: DesiredState,
	held: ReadonlySet<string>,
	{ roster, turns }: PlanContext,
): Promise<GroupCounts> {
	const tonight = new GroupCounts();
	for await (const slice of turns.slices(desired.records.values()))
		for (const { kind, key, school } of slice) {
			tonight.add(school, groupOf(kind, key));
		}
	const tomorrow = new GroupCounts();
	for (const school of new Set([...base.schools, ...tonight.schools])) {
		const isMeasured = tonight.has(school) && !held.has(school);
		const groups = new Set([...base.groupsOf(school), ...tonight.groupsOf(school)].map(([group]) => group));
		for (const group of groups) {
			const isWhole = completenessIn(roster, school, kindOf(group)) === 'whole';
			const counts = isMeasured && isWhole ? tonight : base;
			const count = counts.of(school, group);
			if (count > 0) tomorrow.add(school, group, count);
		}
	}
	return tomorrow;
}
