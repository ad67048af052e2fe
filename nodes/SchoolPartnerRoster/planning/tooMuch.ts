/** What is too much to do unseen: how much of a school, of a class, or of the whole network, is new or gone (ROSTER.md section 3, rule 6). */
import type { Group } from '../ledger/detail';
import { bondOf } from '../ledger/key';

import { directionOf, type Change, type Direction } from './change';
import { GroupCounts, groupOf, pluralOf } from './counts';
import { addTo } from './desiredState';
import type { HeldBefore } from './heldBefore';
import type { PlanOptions } from './options';
import type { PlanContext } from './planContext';

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

/** Of each direction, by school: why it is held whatever the numbers. */
export type OwnReasons = Record<Direction, ReadonlyMap<string, string[]>>;

/** A network is held at this part of the percentage of a school, so that a little too much everywhere is seen. */
const PART_FOR_NETWORK = 3;

/** A school that loses this part of its bonds of a profile is held, also when it is a small one. */
const HALF = 1 / 2;
const FEWEST_FOR_HALF = 10;
/** So small that only the loss of all counts, from this number on. */
const FEWEST_FOR_ALL = 5;

/** More than so many percent, and at least so many. */
interface Limits {
	percent: number;
	from: number;
}

/** What of one direction is judged, and against what. */
interface DirectionCounts {
	direction: Direction;
	tonight: GroupCounts;
	/** In the days before, without what a person approved. */
	before: GroupCounts;
	/** What there was in the last whole export without a hold. */
	base: GroupCounts;
	limits: Limits;
}

/**
 * @param changes that no person has approved; those who only move are not counted
 * @param heldBefore schools of which something waits for a person's word; undefined: what leaves is no mistake with what is new
 */
export async function tooMuchIn(
	changes: readonly Change[],
	ownReasons: OwnReasons,
	heldBefore: HeldBefore | undefined,
	context: PlanContext,
): Promise<TooMuch[]> {
	const { base, recent, options, turns } = context;
	const inGrace = heldBefore === undefined ? new GroupCounts() : context.leavingInGrace;
	const tonight = { in: new GroupCounts(), out: new GroupCounts() };
	await turns.forEach(changes, (change) => {
		const direction = directionOf(change);
		if (direction !== undefined && change.move !== 'goesOn')
			tonight[direction].add(change.school_external_id, groupOf(change.kind, change.key));
	});
	const people = await peopleOfClasses(options.holdRemovalsPercent < 100 ? changes : [], context);
	const countsOf = (direction: Direction): DirectionCounts => {
		const limits = limitsOf(direction, options);
		return { direction, tonight: tonight[direction], before: recent[direction], base, limits };
	};
	// Of a school that has left it is no news that its classes are empty.
	const own = new Map([...emptiedClasses(people), ...ownReasons.out]);
	const out = tooMuchOf(countsOf('out'), own, heldBefore?.out, () => false).map((one) =>
		own.has(one.school) ? one : { ...one, reasons: [...one.reasons, ...lossByClass(people, one)] },
	);
	// What leaves and comes under other ids is one mistake: what is new there is held, however little it is.
	const leaving = {
		...countsOf('out'),
		tonight: new GroupCounts([...tonight.out.entries(), ...inGrace.entries()]),
	};
	const isExchange = (school: string) =>
		heldBefore?.in.has(school) === true ||
		out.some(({ schools }) => schools?.has(school) !== false) ||
		(inGrace.has(school) && reasonsOfSchool(school, leaving, false).length > 0);
	return [...tooMuchOf(countsOf('in'), ownReasons.in, heldBefore?.in, isExchange), ...out];
}

function limitsOf(direction: Direction, options: PlanOptions): Limits {
	const [percent, from] =
		direction === 'out'
			? [options.holdRemovalsPercent, options.holdRemovalsFrom]
			: [options.holdCreationsPercent, options.holdCreationsFrom];
	// At 100 percent nothing is held.
	return { percent: percent < 100 ? percent : Infinity, from };
}

/**
 * @param heldBefore schools of which something waits for a person's word
 * @param isStrict whether a school is judged by the percentage alone
 */
function tooMuchOf(
	counts: DirectionCounts,
	ownReasons: ReadonlyMap<string, string[]>,
	heldBefore: ReadonlySet<string> | undefined,
	isStrict: (school: string) => boolean,
): TooMuch[] {
	const { direction, tonight } = counts;
	const bySchool = new Map<string, string[]>();
	for (const school of [...new Set([...tonight.schools, ...ownReasons.keys()])].sort()) {
		const reasons = [...reasonsOfSchool(school, counts, isStrict(school)), ...(ownReasons.get(school) ?? [])];
		if (reasons.length > 0) bySchool.set(school, reasons);
	}
	// Trap: without the schools that are held for their percentage alone, what was held with them before would be of one school, and go.
	const others = tonight.schools.filter(
		(school) => !ownReasons.has(school) && reasonsOfSchool(school, counts, false).length === 0,
	);
	if (reasonsOfNetwork(others, counts).length > 0)
		return [
			{ direction, school: '', schools: undefined, reasons: reasonsOfNetwork(tonight.schools, counts) },
		];
	// Many schools at once are one mistake, or one decision. Trap: an export that is cut is cut within a school, which then loses only a few.
	const along = others.filter(
		(school) =>
			heldBefore?.has(school) === true || (direction === 'out' && goesAlong(school, bySchool.size, counts)),
	);
	const schools = new Set([...bySchool.keys(), ...along]);
	const together = reasonsOfNetwork([...schools], counts);
	if (together.length > 0) return [{ direction, school: '', schools, reasons: together }];
	return [...bySchool].map(([school, reasons]) => ({
		...{ direction, school, reasons },
		schools: new Set([school]),
	}));
}

/** Whether a school that would not be held by itself loses people by the same mistake as those that are held: more of them, or a part that is seen in a network. */
function goesAlong(school: string, heldSchools: number, { tonight, base, limits }: DirectionCounts): boolean {
	const seen = { percent: limits.percent / PART_FOR_NETWORK, from: 1 };
	const isSeen = tonight
		.groupsOf(school)
		.some(([group, count]) => isTooMuch(count, base.of(school, group), seen));
	return heldSchools > 1 || (heldSchools === 1 && isSeen);
}

function reasonsOfSchool(school: string, counts: DirectionCounts, isStrict: boolean): string[] {
	const { direction, tonight, before, base, limits } = counts;
	return tonight.groupsOf(school).flatMap(([group, count]) => {
		const [there, all] = [base.of(school, group), count + before.of(school, group)];
		const isLoss = direction === 'out' && limits.percent < Infinity && isHalfLost(all, there);
		const isMuch = isTooMuch(all, there, isStrict ? { ...limits, from: 1 } : limits);
		if (!isLoss && !isMuch) return [];
		return reasonFor(`of school ${school}`, direction, group, { count, all, there });
	});
}

/** What schools change together, measured against the whole network. One school alone is measured by itself. */
function reasonsOfNetwork(schools: readonly string[], counts: DirectionCounts): string[] {
	const { direction, tonight, before, base, limits } = counts;
	const all = new Set([...base.schools, ...tonight.schools]);
	const sum = (of: Iterable<string>, some: GroupCounts, group: Group) =>
		[...of].reduce((total, school) => total + some.of(school, group), 0);
	const groups = new Set(schools.flatMap((school) => tonight.groupsOf(school).map(([group]) => group)));
	return [...groups].flatMap((group) => {
		const concerned = schools.filter((school) => tonight.of(school, group) > 0);
		const [count, there] = [sum(concerned, tonight, group), sum(all, base, group)];
		const inDays = count + sum(concerned, before, group);
		const ofNetwork = { ...limits, percent: limits.percent / PART_FOR_NETWORK };
		if (concerned.length < 2 || !isTooMuch(inDays, there, ofNetwork)) return [];
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

/** From so many people of one profile on, a class that loses this part of them is held. */
const FEWEST_IN_CLASS = 10;
const MOST_OF_CLASS = 4 / 5;

/** So many classes are named. */
const MOST_CLASSES_NAMED = 5;

/** By school, in words: classes that nearly all of their pupils, or teachers, would leave without going to another of the school. */
function emptiedClasses({ leaving, there }: PeopleOfClasses): Map<string, string[]> {
	const words = new Map<string, string[]>();
	for (const school of leaving.schools)
		for (const [people, lost] of leaving.groupsOf(school)) {
			const all = there.of(school, people);
			if (all < FEWEST_IN_CLASS || lost < all * MOST_OF_CLASS) continue;
			addTo(words, school, `class ${classIdOf(people)}: ${lost} of ${all} leave, and go to no other class`);
		}
	for (const [school, each] of words) {
		const more = each.length - MOST_CLASSES_NAMED;
		if (more > 0) words.set(school, [...each.slice(0, MOST_CLASSES_NAMED), `and ${more} classes more`]);
	}
	return words;
}

/** In words: from which classes most would leave. */
function lossByClass({ leaving, there }: PeopleOfClasses, { schools }: Pick<TooMuch, 'schools'>): string[] {
	const losses = [...(schools ?? leaving.schools)].flatMap((school) =>
		leaving.groupsOf(school).map(([people, lost]) => ({ people, lost, all: there.of(school, people) })),
	);
	const named = losses.sort((one, other) => other.lost - one.lost).slice(0, MOST_CLASSES_NAMED);
	const words = named.map(({ people, lost, all }) => `${classIdOf(people)}: ${lost} of ${all} leave`);
	const more = losses.length - named.length;
	if (more > 0) words.push(`and ${more} classes more`);
	return words.length === 0 ? [] : [`By class: ${words.join('; ')}`];
}

interface PeopleOfClasses {
	leaving: GroupCounts;
	there: GroupCounts;
}

/** Of a group of {@link peopleOfClasses}. */
const classIdOf = (people: Group) => (JSON.parse(people) as string[])[0];

/** By class and profile: how many leave, and how many are there. Trap: counted with its teachers, a class that has lost all pupils has not lost enough. */
async function peopleOfClasses(
	changes: readonly Change[],
	{ ledger, turns }: PlanContext,
): Promise<PeopleOfClasses> {
	const [leaving, there] = [new GroupCounts(), new GroupCounts()];
	const count = (counts: GroupCounts, key: string) => {
		const { school_external_id: school, class_external_id: ofClass, profile_name: profile } = bondOf(key);
		counts.add(String(school), JSON.stringify([ofClass, profile]));
	};
	await turns.forEach(changes, ({ action, key, move }) => {
		if (action === 'remove' && move === undefined) count(leaving, key);
	});
	if (leaving.schools.length > 0)
		await turns.forEach(ledger.entries.values(), ({ kind, key, school, there: presence }) => {
			if (kind === 'bond' && presence === 'yes' && leaving.has(school)) count(there, key);
		});
	return { leaving, there };
}
