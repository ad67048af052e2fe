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

/** The classes of a school, of the ledger and of tonight. */
interface Classes {
	there: number;
	/** Keys of those that are not there. */
	others: string[];
	/** Of these, who were refused, or are said to exist. */
	doubtful: string[];
}

/**
 * By school, a class that its new users wait for: most of its classes were refused, or are said to exist. Trap: so the service answers when a ledger was
 * lost, and it may take every user a second time. The other schools of that ledger were not tried yet: of those it has no class.
 */
export async function classesInDoubt(context: PlanContext): Promise<ReadonlyMap<string, string>> {
	const bySchool = [...(await classesBySchool(context))];
	const count = bySchool.reduce((sum, [, { doubtful }]) => sum + doubtful.length, 0);
	const inDoubt = ([, { there, others, doubtful }]: [string, Classes]) =>
		doubtful.length > (there + others.length) * MOST;
	if (count < FEWEST || !bySchool.some(inDoubt)) return new Map();
	const isOfTonight = ([school]: [string, Classes]) => context.desired.schools.has(school);
	for (const [school] of bySchool.filter((one) => inDoubt(one) && isOfTonight(one)))
		context.findings.add(usersWait(school));
	// Where most of what is known of the others is there, the ledger is not lost.
	const isLost = count > bySchool.reduce((sum, [, { there }]) => sum + there, 0);
	const isWaiting = (one: [string, Classes]) => inDoubt(one) || (isLost && one[1].there === 0);
	return new Map(
		bySchool.filter(isWaiting).map(([school, { doubtful, others }]) => [school, doubtful[0] ?? others[0]]),
	);
}

async function classesBySchool(context: PlanContext): Promise<Map<string, Classes>> {
	const { desired, ledger, options, turns } = context;
	const bySchool = new Map<string, Classes>();
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const entry of slice) {
			const { kind, key, school, there } = entry;
			if (kind !== 'class') continue;
			if (there === 'yes' && isOfToday(key, school, context)) classesOf(school, bySchool).there += 1;
			// Of a school that this run leaves out, the ledger says it.
			if (there !== 'yes' && !desired.schools.has(school))
				addMissing(key, entry, options, classesOf(school, bySchool));
		}
	for await (const slice of turns.slices(desired.records.values()))
		for (const { kind, key, school } of slice) {
			const entry = ledger.entries.get(key);
			if (kind === 'class' && entry?.there !== 'yes')
				addMissing(key, entry, options, classesOf(school, bySchool));
		}
	return bySchool;
}

function classesOf(school: string, bySchool: Map<string, Classes>): Classes {
	const classes = bySchool.get(school) ?? { there: 0, others: [], doubtful: [] };
	bySchool.set(school, classes);
	return classes;
}

function addMissing(
	key: string,
	entry: LedgerEntry | undefined,
	options: PlanOptions,
	{ others, doubtful }: Classes,
): void {
	others.push(key);
	if (isInDoubt(entry, options)) doubtful.push(key);
}

/** Trap: classes of past years say nothing of those of tonight. A list does not have all that are there. */
function isOfToday(key: string, school: string, { desired, roster }: PlanContext): boolean {
	const isNamed = !desired.schools.has(school) || desired.records.has(key);
	return isNamed || completenessIn(roster, school, 'class') !== 'whole';
}

function isInDoubt(entry: LedgerEntry | undefined, { existing }: PlanOptions): boolean {
	// What is adopted is there tonight.
	if (entry?.there === 'exists') return existing !== 'adopt';
	return entry?.isUnfinished === true && detailOf<RecordDetail>(entry.row).refused !== undefined;
}

const usersWait = (school: string): FindingType => ({
	severity: 'error',
	code: 'refusedAlike',
	kind: 'class',
	message: `Most classes of school ${school} were refused, or are said to exist: its new users wait for them`,
	what_to_do:
		'Correct what is told of these classes: its users come with them. If the ledger was lost, or has another name now, do not resolve them one by one, and do not set Adopt: run Take Over with the roster of before under a new Ledger Name, or set the old name again.',
});
