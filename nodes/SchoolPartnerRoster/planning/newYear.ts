/** A new school year: the classes of a later year with their people, and the bonds of the earlier year's that end. */
import { bondOf, classOfBond, idsIn } from '../ledger/key';
import { detailOf, type RecordDetail } from '../ledger/detail';

import type { Change } from './change';
import type { PlanContext } from './context';
import type { DesiredState } from './desired';
import type { GroupCounts } from './groups';
import { directionOf, type RecentChanges } from './recent';
import { covers, tooMuchIn } from './tooMuch';

export interface NewYear {
	changes: Change[];
	/** '' for several schools. */
	school: string;
	reasons: string[];
	/** One for each school, year and direction: a new year is asked for once. */
	marks: string[];
}

/** What a new school year brings and ends, when that alone would be held; undefined when there is none. */
export async function newYearIn(
	changes: readonly Change[],
	base: GroupCounts,
	recent: RecentChanges,
	desired: DesiredState,
	context: PlanContext,
): Promise<NewYear | undefined> {
	const years = await yearsOf(desired, context);
	const users = usersOfLaterClasses(changes, years);
	const markOf = (change: Change) => {
		const { school_external_id: school } = change;
		const isOfYear = directionOf(change) === 'in' ? brings(change, years, users) : ends(change, years);
		return isOfYear ? `newYear ${years.tonight.get(school)} ${directionOf(change)} ${school}` : undefined;
	};
	const marked = changes.flatMap((change) => {
		const mark = markOf(change);
		return mark === undefined || context.ledger.decisions.wasLifted(mark) ? [] : [{ change, mark }];
	});
	if (marked.length === 0) return undefined;
	const tooMuch = await tooMuchIn(
		marked.map(({ change }) => change),
		base,
		recent,
		new Map(),
		context,
	);
	const held = marked.filter(({ change }) => tooMuch.some((each) => covers(each, change)));
	if (held.length === 0) return undefined;
	const ofYear = held.map(({ change }) => change);
	const schools = [...new Set(ofYear.map(({ school_external_id: school }) => school))];
	return {
		changes: ofYear,
		school: schools.length === 1 ? schools[0] : '',
		reasons: [await reasonOf(ofYear, schools, years, desired, context)],
		marks: [...new Set(held.map(({ mark }) => mark))].sort(),
	};
}

interface Years {
	/** By school: the latest of its classes in the roster, and in the ledger. */
	tonight: ReadonlyMap<string, string>;
	known: ReadonlyMap<string, string>;
	/** By key of the class. */
	ofClass: ReadonlyMap<string, string>;
}

export async function yearsOf({ records }: DesiredState, { ledger, turns }: PlanContext): Promise<Years> {
	const [tonight, known, ofClass] = [new Map<string, string>(), new Map(), new Map<string, string>()];
	const note = (years: Map<string, string>, school: string, key: string, year: string) => {
		ofClass.set(key, year);
		if (year > (years.get(school) ?? '')) years.set(school, year);
	};
	for (const { kind, key, school, there, row } of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		const year = kind === 'class' && there === 'yes' ? detailOf<RecordDetail>(row).year : undefined;
		if (year !== undefined) note(known, school, key, year);
	}
	for (const { kind, key, school, record } of records.values()) {
		if (turns.areDue()) await turns.give();
		const { year } = record.fields;
		// What the ledger has is what the service has.
		if (kind === 'class' && year !== undefined) note(tonight, school, key, ofClass.get(key) ?? String(year));
	}
	return { tonight, known, ofClass };
}

function isLater({ kind, key, school_external_id: school }: Change, years: Years): boolean {
	const [before, year] = [
		years.known.get(school),
		years.ofClass.get(kind === 'bond' ? classOfBond(key) : key),
	];
	return before !== undefined && year !== undefined && year > before;
}

/** Keys of the users who come into classes of a later year, and of their responsible persons. */
function usersOfLaterClasses(changes: readonly Change[], years: Years): ReadonlySet<string> {
	const users = new Set<string>();
	for (const change of changes)
		if (change.action === 'create' && change.kind === 'bond' && isLater(change, years))
			for (const key of change.needs) users.add(key);
	for (const { action, kind, key, needs } of changes)
		if (action === 'create' && kind === 'user' && users.has(key)) for (const need of needs) users.add(need);
	return users;
}

function brings(change: Change, years: Years, users: ReadonlySet<string>): boolean {
	return change.kind === 'user' ? users.has(change.key) : isLater(change, years);
}

/** Whether it ends a bond of a year that is over, as the roster says by having a later one. */
function ends({ key, school_external_id: school }: Change, { tonight, ofClass }: Years): boolean {
	const [now, year] = [tonight.get(school), ofClass.get(classOfBond(key))];
	return now !== undefined && year !== undefined && year < now;
}

/** Of a bond: whose it is, in which school, whatever the class and the profile. */
function userOfBond(key: string): string {
	const { school_external_id: school, user_external_id: user } = bondOf(key);
	return personOf(school, user);
}

const personOf = (...ids: readonly unknown[]) => JSON.stringify(ids);

/** Whoever goes on is in a class of the new year tonight, and was in the school before. */
async function reasonOf(
	changes: readonly Change[],
	schools: readonly string[],
	{ tonight, ofClass }: Years,
	{ records }: DesiredState,
	{ turns }: PlanContext,
): Promise<string> {
	const people = new Set<string>();
	const fresh = new Set<string>();
	let classes = 0;
	for (const { kind, key, school_external_id: school } of changes) {
		if (kind === 'class') classes += 1;
		else if (kind === 'user') fresh.add(personOf(school, idsIn(key).external_id));
		else people.add(userOfBond(key));
	}
	const staying = new Set<string>();
	for (const { kind, key, school } of records.values()) {
		if (turns.areDue()) await turns.give();
		if (kind === 'bond' && ofClass.get(classOfBond(key)) === tonight.get(school))
			staying.add(userOfBond(key));
	}
	const known = [...people].filter((person) => !fresh.has(person));
	const goOn = known.filter((person) => staying.has(person)).length;
	const where = schools.length === 1 ? `in school ${schools[0]}` : `in ${schools.length} schools`;
	const year = [...new Set(schools.map((school) => tonight.get(school)))].sort().join(', ');
	return `A new school year (${year}) ${where}: ${classes} new classes, ${goOn} people go on, ${known.length - goOn} leave, ${fresh.size} are new`;
}
