/** A new school year: the classes of a later year with their people, and the bonds of the earlier year's that end. */
import { bondOf, idsIn } from '../ledger/key';

import { directionOf, type Change } from './change';
import type { PlanContext } from './planContext';
import { schoolYears, type SchoolYears } from './schoolYears';
import { tooMuchIn } from './tooMuch';

interface NewYear {
	changes: Change[];
	/** '' for several schools. */
	school: string;
	reasons: string[];
	/** One for each school, year and direction: a new year is asked for once. */
	marks: string[];
}

/** What a new school year brings and ends, in all schools, when that of one of them alone would be held; undefined when there is none. */
export async function newYearIn(
	changes: readonly Change[],
	context: PlanContext,
): Promise<NewYear | undefined> {
	const years = await schoolYears(context);
	const markOf = (change: Change) => {
		const { school_external_id: school } = change;
		return `newYear ${years.latest.get(school)} ${directionOf(change)} ${school}`;
	};
	const ofYear = changesOfNewYear(changes, years);
	const marks = [...new Set(ofYear.map(markOf))];
	const open = new Set(marks.filter((mark) => !context.ledger.decisions.wasLifted(mark)));
	const judged = ofYear.filter((change) => open.has(markOf(change)));
	const tooMuch = await tooMuchIn(judged, { in: new Map(), out: new Map() }, undefined, context);
	// A year that was mistyped cannot be taken back: where it is much in one school, those of a few pupils wait with it.
	const heldChanges = judged.filter((change) =>
		tooMuch.some(({ direction }) => direction === directionOf(change)),
	);
	if (heldChanges.length === 0) return undefined;
	const schools = [...new Set(heldChanges.map(({ school_external_id: school }) => school))];
	return {
		changes: heldChanges,
		school: schools.length === 1 ? schools[0] : '',
		reasons: [await reasonOf(heldChanges, schools, years, context)],
		marks: [...new Set(heldChanges.map(markOf))].sort(),
	};
}

function changesOfNewYear(changes: readonly Change[], years: SchoolYears): Change[] {
	const users = usersOfComingClasses(changes, years);
	return changes.filter((change) => {
		if (directionOf(change) !== 'in') return ends(change, years);
		return change.kind === 'user' ? users.has(change.key) : isComing(change, years);
	});
}

/** Whether it is of the year that comes in its school. */
function isComing({ key, school_external_id: school }: Change, years: SchoolYears): boolean {
	const year = years.coming.get(school);
	return year !== undefined && years.ofKey(key) === year;
}

/** Keys of the users who come into classes of the year that comes, and of their responsible persons. */
function usersOfComingClasses(changes: readonly Change[], years: SchoolYears): ReadonlySet<string> {
	const users = new Set<string>();
	for (const change of changes)
		if (change.action === 'create' && change.kind === 'bond' && isComing(change, years))
			for (const key of change.needs) users.add(key);
	for (const { action, kind, key, needs } of changes)
		if (action === 'create' && kind === 'user' && users.has(key)) for (const need of needs) users.add(need);
	return users;
}

/** Whether it ends a bond of a year that is over: the export has a later one, and hardly any bond of this one. */
function ends({ key, school_external_id: school }: Change, { latest, ofKey, isOver }: SchoolYears): boolean {
	const [now, year] = [latest.get(school), ofKey(key)];
	return now !== undefined && year !== undefined && year < now && isOver(school, year);
}

const personName = (...ids: readonly unknown[]) => JSON.stringify(ids);

/** Of a bond: whose it is, in which school, whatever the class and the profile. */
function personOfBond(key: string): string {
	const { school_external_id: school, user_external_id: user } = bondOf(key);
	return personName(school, user);
}

/** Whoever goes on is in a class of the new year tonight, and was in the school before. */
async function reasonOf(
	changes: readonly Change[],
	schools: readonly string[],
	years: SchoolYears,
	{ desired, turns }: PlanContext,
): Promise<string> {
	const { latest, ofKey } = years;
	const people = new Set<string>();
	const fresh = new Set<string>();
	let classes = 0;
	for (const { kind, key, school_external_id: school } of changes) {
		if (kind === 'class') classes += 1;
		else if (kind === 'user') fresh.add(personName(school, idsIn(key).external_id));
		else people.add(personOfBond(key));
	}
	const staying = new Set<string>();
	await turns.forEach(desired.records.values(), ({ kind, key, school }) => {
		if (kind === 'bond' && ofKey(key) === latest.get(school)) staying.add(personOfBond(key));
	});
	const known = [...people].filter((person) => !fresh.has(person));
	const goOn = known.filter((person) => staying.has(person)).length;
	const where = schools.length === 1 ? `in school ${schools[0]}` : `in ${schools.length} schools`;
	const year = [...new Set(schools.map((school) => latest.get(school)))].sort().join(', ');
	return `A new school year (${year}) ${where}: ${classes} new classes, ${goOn} people go on, ${known.length - goOn} leave, ${fresh.size} are new`;
}
