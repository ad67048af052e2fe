/** Schools of which the service may have everything, although the ledger does not know it. */
import { detailOf, type RecordDetail } from '../ledger/detail';
import type { LedgerEntry } from '../ledger/ledger';
import type { FindingType } from '../roster/finding';
import { completenessIn } from '../roster/roster';

import type { PlanOptions } from './options';
import type { PlanContext } from './planContext';

/** Fewer classes, of all schools, may each have a mistake of their own. */
const FEWEST = 5;
/** More than this part of the classes of a school. */
const MOST = 1 / 2;

/**
 * Which classes of each school were refused, or are said to exist. Trap: so the service answers when a ledger was lost, and it may take every user a
 * second time: where they are most classes of a school, its new users wait.
 */
export class ClassesInDoubt {
	private readonly bySchool = new Map<string, { all: Set<string>; doubtful: Set<string> }>();
	private count = 0;

	/** A class of tonight, by its key: what was noted of it before counts no longer. */
	note(school: string, key: string, isDoubtful: boolean): void {
		const { all, doubtful } = this.bySchool.get(school) ?? { all: new Set(), doubtful: new Set() };
		this.bySchool.set(school, { all, doubtful });
		this.count -= doubtful.delete(key) ? 1 : 0;
		all.add(key);
		if (!isDoubtful) return;
		doubtful.add(key);
		this.count += 1;
	}

	/** Key of a class that the new users of a school wait for; undefined where they need not. */
	awaitedIn(school: string): string | undefined {
		const { all, doubtful } = this.bySchool.get(school) ?? {};
		if (all === undefined || doubtful === undefined || this.count < FEWEST) return undefined;
		return doubtful.size > all.size * MOST ? [...doubtful][0] : undefined;
	}
}

/** As far as the ledger says it of the classes of tonight. */
export async function classesInDoubt(context: PlanContext): Promise<ClassesInDoubt> {
	const { desired, ledger, options, roster, turns } = context;
	const found = new ClassesInDoubt();
	// A list does not have all that are there. Trap: classes of past years say nothing of those of tonight.
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, school, there } of slice)
			if (kind === 'class' && there === 'yes' && completenessIn(roster, school, 'class') !== 'whole')
				found.note(school, key, false);
	for await (const slice of turns.slices(desired.records.values()))
		for (const { kind, key, school } of slice)
			if (kind === 'class') found.note(school, key, isInDoubt(ledger.entries.get(key), options));
	return found;
}

/** It was refused, or is said to exist, and no person has said anything of it since. */
export function isInDoubt(entry: LedgerEntry | undefined, { existing }: PlanOptions): boolean {
	// What is adopted is there tonight.
	if (entry?.there === 'exists') return existing !== 'adopt';
	if (entry === undefined || entry.there === 'yes' || !entry.isUnfinished) return false;
	return detailOf<RecordDetail>(entry.row).refused !== undefined;
}

export const usersWait = (school: string): FindingType => ({
	severity: 'error',
	code: 'refusedAlike',
	kind: 'class',
	message: `Most classes of school ${school} were refused, or are said to exist: its new users wait for them`,
	what_to_do:
		'Correct what is told of these classes: its users come with them. If the ledger was lost, or has another name now, do not resolve them one by one, and do not set Adopt: run Take Over with the roster of before under a new Ledger Name, or set the old name again.',
});
