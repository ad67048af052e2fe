/** Schools of which the ids in the export are no longer those of before: what is new in them, and what leaves, is held, however little it is. */
import { detailOf, type RecordDetail } from '../ledger/detail';
import { completenessIn } from '../roster/roster';

import type { Change } from './change';
import { GroupCounts, pluralOf } from './counts';
import { addTo, isFaulty } from './desiredState';
import type { PlanContext } from './planContext';
import type { OwnReasons } from './tooMuch';

/** From so many ids on that may be somebody else's. */
const FEWEST_DOUBTFUL = 5;

/** Why schools are held whatever the numbers. @param doubtfulIds how many look like known ones, or were somebody else's */
export async function changedIds(
	changes: readonly Change[],
	doubtfulIds: GroupCounts,
	context: PlanContext,
): Promise<OwnReasons> {
	const reasons = { in: new Map<string, string[]>(), out: new Map<string, string[]>() };
	const { holdCreationsPercent, holdRemovalsPercent } = context.options;
	if (holdCreationsPercent >= 100) return reasons;
	const schoolsOf = (action: Change['action']) =>
		new Set(changes.flatMap((one) => (one.action === action ? one.school_external_id : [])));
	addDoubtful(reasons.in, schoolsOf('create'), doubtfulIds, context);
	if (holdRemovalsPercent < 100) addDoubtful(reasons.out, schoolsOf('remove'), doubtfulIds, context);
	await addReplacedClasses(reasons.in, changes, context);
	return reasons;
}

/**
 * Trap: where everybody has another id, nearly all wait since they look like known people. The few who do not, such as those who have married,
 * are no longer too many.
 */
function addDoubtful(
	reasons: Map<string, string[]>,
	schools: ReadonlySet<string>,
	doubtfulIds: GroupCounts,
	{ base, options }: PlanContext,
): void {
	for (const school of schools)
		for (const [group, count] of doubtfulIds.groupsOf(school)) {
			if (count < FEWEST_DOUBTFUL || count * 100 <= base.of(school, group) * options.holdCreationsPercent)
				continue;
			addTo(
				reasons,
				school,
				`${count} ${pluralOf(group)} of school ${school} have ids that look like known ones, or that others had before`,
			);
		}
}

/** Schools whose classes of a year are all gone, while others of that year come. */
async function addReplacedClasses(
	reasons: Map<string, string[]>,
	changes: readonly Change[],
	context: PlanContext,
): Promise<void> {
	/** Of each school by year: the classes that come. */
	const coming = new GroupCounts();
	for (const { action, kind, school_external_id: school, year = '' } of changes)
		if (action === 'create' && kind === 'class') coming.add(school, year);
	if (coming.schools.length === 0) return;
	const { known, gone } = await classesByYear(context);
	for (const school of coming.schools)
		for (const [year, count] of coming.groupsOf(school)) {
			const all = known.of(school, year);
			const areAllGone = all > 0 && gone.of(school, year) === all;
			if (!areAllGone || completenessIn(context.roster, school, 'class') !== 'whole') continue;
			addTo(
				reasons,
				school,
				`school ${school} would get ${count} classes of the year ${year}, and none of the ${all} that it has of that year is in the export`,
			);
		}
}

/** Of each school by year: the classes that the ledger has, and those of them that the export lacks. */
async function classesByYear({ desired, ledger, turns }: PlanContext) {
	const [known, gone] = [new GroupCounts(), new GroupCounts()];
	await turns.forEach(ledger.entries.values(), ({ kind, key, school, there, row }) => {
		if (kind !== 'class' || there !== 'yes') return;
		const { year = '' } = detailOf<RecordDetail>(row);
		known.add(school, year);
		if (!desired.records.has(key) && !isFaulty(kind, key, desired)) gone.add(school, year);
	});
	return { known, gone };
}
