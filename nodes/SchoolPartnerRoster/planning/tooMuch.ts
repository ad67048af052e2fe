/** What is too much to do unseen: how much of a school, or of the whole network, is new or gone (ROSTER.md section 3, rule 6). */
import type { Group } from '../ledger/detail';

import type { Change } from './change';
import type { PlanContext } from './context';
import { GroupCounts, groupOf, pluralOf } from './groups';
import { emptiedClasses } from './emptiedClasses';
import { directionOf, type Direction, type RecentChanges } from './recent';
import type { PlanOptions } from './options';

/** Too much in one direction: of one school, or of several together. */
export interface TooMuch {
	direction: Direction;
	/** '' for several. */
	school: string;
	/** Whose changes are held; undefined: those of the whole network. */
	schools: ReadonlySet<string> | undefined;
	reasons: string[];
}

/** Whether a change is of what is too much. */
export function covers({ direction, schools }: TooMuch, change: Change): boolean {
	return directionOf(change) === direction && schools?.has(change.school_external_id) !== false;
}

/** A network is held at this part of the percentage of a school, so that a little too much everywhere is seen. */
const PART_FOR_NETWORK = 3;

/** A school that loses this part of its bonds of a profile is held, also when it is a small one. */
const HALF = 1 / 2;
const FEWEST_FOR_HALF = 10;
/** So small that only the loss of all counts, from this number on. */
const FEWEST_FOR_ALL = 5;

/**
 * @param changes that no person has approved, without moves
 * @param base what there was in the last whole export without a hold
 * @param ownReasons why schools are held whatever the numbers: of which everything goes since they have left, or whose classes are all replaced
 */
export async function tooMuchIn(
	changes: readonly Change[],
	base: GroupCounts,
	recent: RecentChanges,
	ownReasons: Record<Direction, ReadonlyMap<string, string[]>>,
	context: PlanContext,
): Promise<TooMuch[]> {
	const { options, turns } = context;
	const tonight = { in: new GroupCounts(), out: new GroupCounts() };
	for await (const slice of turns.slices(changes))
		for (const change of slice) {
			const direction = directionOf(change);
			if (direction !== undefined && change.isMove !== true)
				tonight[direction].add(change.school_external_id, groupOf(change.kind, change.key));
		}
	const emptied = options.holdRemovalsPercent < 100 ? await emptiedClasses(changes, context) : new Map();
	// Of a school that has left it is no news that its classes are empty.
	const reasonsOut = new Map([...emptied, ...ownReasons.out]);
	const countsOf = (direction: Direction) => {
		const limits = limitsOf(direction, options);
		return { tonight: tonight[direction], before: recent.counts(direction), base, limits };
	};
	const out = tooMuchOf('out', countsOf('out'), reasonsOut, () => false);
	// What leaves and comes under other ids is one mistake: what is new there is held, however little it is.
	const isHeldOut = (school: string) => out.some(({ schools }) => schools?.has(school) !== false);
	return [...tooMuchOf('in', countsOf('in'), ownReasons.in, isHeldOut), ...out];
}

function tooMuchOf(
	direction: Direction,
	counts: Counts,
	ownReasons: ReadonlyMap<string, string[]>,
	isStrict: (school: string) => boolean,
): TooMuch[] {
	const ofSchools = new Map<string, string[]>();
	for (const school of [...new Set([...counts.tonight.schools, ...ownReasons.keys()])].sort()) {
		const found = reasonsOfSchool(school, direction, counts, isStrict(school));
		const reasons = found.concat(ownReasons.get(school) ?? []);
		if (reasons.length > 0) ofSchools.set(school, reasons);
	}
	const others = counts.tonight.schools.filter((school) => !ofSchools.has(school));
	const everywhere = reasonsOfNetwork(others, direction, counts);
	if (everywhere.length > 0) {
		const reasons = reasonsOfNetwork(counts.tonight.schools, direction, counts);
		return [{ direction, school: '', schools: undefined, reasons }];
	}
	// Many schools at once are one mistake, or one decision. Trap: an export that is cut is cut within a school, which then loses only a few.
	const along =
		direction === 'out' ? others.filter((school) => goesAlong(school, ofSchools.size, counts)) : [];
	const schools = [...ofSchools.keys(), ...along];
	const together = reasonsOfNetwork(schools, direction, counts);
	if (together.length > 0) return [{ direction, school: '', schools: new Set(schools), reasons: together }];
	return [...ofSchools].map(([school, reasons]) => ({
		...{ direction, school, reasons },
		schools: new Set([school]),
	}));
}

/** Whether a school that would not be held by itself loses people by the same mistake as those that are held: more of them, or a part that is seen in a network. */
function goesAlong(
	school: string,
	heldSchools: number,
	{ tonight, base, limits: { percent } }: Counts,
): boolean {
	const seen = { percent: percent / PART_FOR_NETWORK, from: 1 };
	const isSeen = tonight
		.groupsOf(school)
		.some(([group, count]) => isTooMuch(count, base.of(school, group), seen));
	return heldSchools > 1 || (heldSchools === 1 && isSeen);
}

interface Counts {
	tonight: GroupCounts;
	/** In the days before, without what a person approved. */
	before: GroupCounts;
	base: GroupCounts;
	limits: Limits;
}

/** More than so many percent, and at least so many. */
interface Limits {
	percent: number;
	from: number;
}

function limitsOf(direction: Direction, options: PlanOptions): Limits {
	const [percent, from] =
		direction === 'out'
			? [options.holdRemovalsPercent, options.holdRemovalsFrom]
			: [options.holdCreationsPercent, options.holdCreationsFrom];
	// At 100 percent nothing is held.
	return { percent: percent < 100 ? percent : Infinity, from };
}

function reasonsOfSchool(
	school: string,
	direction: Direction,
	{ tonight, before, base, limits }: Counts,
	isStrict: boolean,
): string[] {
	return tonight.groupsOf(school).flatMap(([group, count]) => {
		const [there, all] = [base.of(school, group), count + before.of(school, group)];
		const isLoss = direction === 'out' && limits.percent < Infinity && isHalfLost(all, there);
		const from = isStrict ? 1 : limits.from;
		if (!isLoss && !isTooMuch(all, there, { percent: limits.percent, from })) return [];
		return reasonFor(`of school ${school}`, direction, group, { count, all, there });
	});
}

/** What schools change together, measured against the whole network. One school alone is measured by itself. */
function reasonsOfNetwork(
	schools: readonly string[],
	direction: Direction,
	{ tonight, before, base, limits: { percent, from } }: Counts,
): string[] {
	const all = new Set([...base.schools, ...tonight.schools]);
	const sum = (of: Iterable<string>, counts: GroupCounts, group: Group) =>
		[...of].reduce((total, school) => total + counts.of(school, group), 0);
	const groups = new Set(schools.flatMap((school) => tonight.groupsOf(school).map(([group]) => group)));
	return [...groups].flatMap((group) => {
		const concerned = schools.filter((school) => tonight.of(school, group) > 0);
		const [count, there] = [sum(concerned, tonight, group), sum(all, base, group)];
		const inDays = count + sum(concerned, before, group);
		if (concerned.length < 2 || !isTooMuch(inDays, there, { percent: percent / PART_FOR_NETWORK, from }))
			return [];
		const where = `of ${concerned.length} of ${all.size} schools`;
		return reasonFor(where, direction, group, { count, all: inDays, there });
	});
}

function isTooMuch(count: number, there: number, { percent, from }: Limits): boolean {
	return count > 0 && count >= from && count * 100 > there * percent;
}

function isHalfLost(lost: number, there: number): boolean {
	if (there < FEWEST_FOR_HALF) return lost >= FEWEST_FOR_ALL && lost >= there;
	return lost >= FEWEST_FOR_HALF && lost >= there * HALF;
}

function reasonFor(
	where: string,
	direction: Direction,
	group: Group,
	{ count, all, there }: { count: number; all: number; there: number },
): string {
	const done = direction === 'in' ? 'created' : 'removed';
	const days = all > count ? ` (${all} in seven days)` : '';
	const share =
		there === 0
			? 'there were none before'
			: `that is ${Math.round((all * 1000) / there) / 10} % of the ${there} that were there`;
	return `${count} ${pluralOf(group)} ${where} would be ${done}${days}: ${share}`;
}
