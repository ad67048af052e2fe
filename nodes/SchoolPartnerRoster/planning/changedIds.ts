/** Schools of which the ids in the export are no longer those of before: what is new in them, and what leaves, is held, however little it is. */
import { detailOf, type RecordDetail } from '../ledger/detail';
import { completenessIn } from '../roster/roster';

import type { Change } from './change';
import type { PlanContext } from './context';
import { addTo, isFaulty, type DesiredState } from './desired';
import type { Measure } from './holds';
import { pluralOf } from './groups';
import type { Direction } from './recent';

/** From so many ids on that may be somebody else's. */
const FEWEST = 5;

/** In each direction by school, in words. */
export async function changedIds(
	changes: readonly Change[],
	measure: Measure,
	desired: DesiredState,
	context: PlanContext,
): Promise<Record<Direction, Map<string, string[]>>> {
	const words = { in: new Map<string, string[]>(), out: new Map<string, string[]>() };
	const { holdCreationsPercent: percent, holdRemovalsPercent } = context.options;
	if (percent >= 100) return words;
	const schoolsOf = (action: Change['action']) =>
		new Set(changes.flatMap((one) => (one.action === action ? one.school_external_id : [])));
	addDoubtful(words.in, schoolsOf('create'), measure, percent);
	if (holdRemovalsPercent < 100) addDoubtful(words.out, schoolsOf('remove'), measure, percent);
	await addReplacedClasses(words.in, changes, desired, context);
	return words;
}

/**
 * Trap: where everybody has another id, nearly all wait since they look like known people. The few who do not, such as those who have married,
 * are no longer too many.
 */
function addDoubtful(
	words: Map<string, string[]>,
	schools: ReadonlySet<string>,
	{ base, doubtfulIds }: Measure,
	percent: number,
): void {
	for (const school of schools) {
		for (const [group, count] of doubtfulIds.groupsOf(school)) {
			if (count < FEWEST || count * 100 <= base.of(school, group) * percent) continue;
			addTo(
				words,
				school,
				`${count} ${pluralOf(group)} of school ${school} have ids that look like known ones, or that others had before`,
			);
		}
	}
}

/** Schools whose classes of a year are all gone, while others of that year come. */
async function addReplacedClasses(
	words: Map<string, string[]>,
	changes: readonly Change[],
	desired: DesiredState,
	{ ledger, roster, turns }: PlanContext,
): Promise<void> {
	const nameOf = (school: string, year = '') => JSON.stringify([school, year]);
	const created = new Map<string, number>();
	for (const { action, kind, school_external_id: school, year } of changes)
		if (action === 'create' && kind === 'class')
			created.set(nameOf(school, year), (created.get(nameOf(school, year)) ?? 0) + 1);
	if (created.size === 0) return;
	const known = new Map<string, { all: number; gone: number }>();
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, school, there, row } of slice) {
			if (kind !== 'class' || there !== 'yes') continue;
			const name = nameOf(school, detailOf<RecordDetail>(row).year);
			const { all, gone } = known.get(name) ?? { all: 0, gone: 0 };
			const isGone = !desired.records.has(key) && !isFaulty(kind, key, desired);
			known.set(name, { all: all + 1, gone: isGone ? gone + 1 : gone });
		}
	for (const [name, count] of created) {
		const { all, gone } = known.get(name) ?? { all: 0, gone: 0 };
		const [school, year] = JSON.parse(name) as string[];
		if (all === 0 || gone < all || completenessIn(roster, school, 'class') !== 'whole') continue;
		addTo(
			words,
			school,
			`school ${school} would get ${count} classes of the year ${year}, and none of the ${all} that it has of that year is in the export`,
		);
	}
}
