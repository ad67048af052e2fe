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

/** How a class stands: it is there; it was refused, or is said to exist; or neither is known. */
type Standing = 'there' | 'doubtful' | 'open';
type SchoolClasses = Record<Standing, Set<string>>;

/**
 * How the classes of each school stand. Trap: after a ledger was lost, the service refuses the classes that it has, and may take every user a second
 * time: where most classes of a school are in doubt, its new users wait.
 */
export class ClassesInDoubt {
	private readonly bySchool = new Map<string, SchoolClasses>();
	private readonly count: Record<Standing, number> = { there: 0, doubtful: 0, open: 0 };
	/** Asked for each new user. */
	private mostlyDoubtful: string[] | undefined;

	/** A class by its key: what was noted of it before counts no longer. */
	note(school: string, key: string, standing: Standing): void {
		const classes = this.bySchool.get(school) ?? { there: new Set(), doubtful: new Set(), open: new Set() };
		this.bySchool.set(school, classes);
		for (const before of ['there', 'doubtful', 'open'] as const)
			if (classes[before].delete(key)) this.count[before] -= 1;
		classes[standing].add(key);
		this.count[standing] += 1;
		this.mostlyDoubtful = undefined;
	}

	/** Schools of which most classes are in doubt. */
	get schools(): string[] {
		if (this.count.doubtful < FEWEST) return [];
		this.mostlyDoubtful ??= [...this.bySchool].flatMap(([school, classes]) =>
			areMostDoubtful(classes) ? school : [],
		);
		return this.mostlyDoubtful;
	}

	/** Of which schools it is told where users of these wait: who waits for what another school says of the ledger is told with that one. */
	tellingOf(schools: readonly string[]): readonly string[] {
		const own = schools.filter((school) => this.schools.includes(school));
		return own.length > 0 ? own : this.schools;
	}

	/** Key of a class that the new users of a school wait for; undefined where they need not. */
	awaitedIn(school: string): string | undefined {
		const classes = this.bySchool.get(school);
		if (classes === undefined || this.count.doubtful < FEWEST) return undefined;
		const [doubtful, open] = [classes.doubtful.values().next(), classes.open.values().next()];
		if (areMostDoubtful(classes)) return doubtful.value;
		// Where more are in doubt than there, the ledger is lost: so is a school of which it has no class.
		const mayBeLost = classes.there.size === 0 && this.count.doubtful > this.count.there;
		return mayBeLost && this.schools.length > 0 ? (doubtful.value ?? open.value) : undefined;
	}
}

const areMostDoubtful = ({ there, doubtful, open }: SchoolClasses) =>
	doubtful.size > (there.size + doubtful.size + open.size) * MOST;

/** As the ledger says it, of the classes of tonight and of schools that this run leaves out. */
export async function noteClasses({
	classes,
	desired,
	ledger,
	options,
	roster,
	turns,
}: PlanContext): Promise<void> {
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const entry of slice) {
			const { kind, key, school, there } = entry;
			// A list does not have all that are there. Trap: classes of past years say nothing of those of tonight.
			const isUnlisted = there === 'yes' && completenessIn(roster, school, 'class') !== 'whole';
			if (kind === 'class' && (isUnlisted || !desired.schools.has(school)))
				classes.note(school, key, standingOf(entry, options));
		}
	for await (const slice of turns.slices(desired.records.values()))
		for (const { kind, key, school } of slice)
			if (kind === 'class') classes.note(school, key, standingOf(ledger.entries.get(key), options));
}

function standingOf(entry: LedgerEntry | undefined, options: PlanOptions): Standing {
	if (entry?.there === 'yes') return 'there';
	return isInDoubt(entry, options) ? 'doubtful' : 'open';
}

/** It was refused, or is said to exist, and no person has said anything of it since. */
export function isInDoubt(entry: LedgerEntry | undefined, { existing }: PlanOptions): boolean {
	// What is adopted is there tonight.
	if (entry?.there === 'exists') return existing !== 'adopt';
	// What was refused, and sent once more without an answer, may be there.
	const isOpen = entry?.there === 'maybe' || (entry?.isUnfinished === true && entry.there !== 'yes');
	return isOpen && detailOf<RecordDetail>(entry.row).refused !== undefined;
}

export const usersWait = (school: string): FindingType => ({
	severity: 'error',
	code: 'refusedAlike',
	kind: 'class',
	message: `Most classes of school ${school} were refused, or are said to exist: its new users wait for them`,
	what_to_do:
		'Correct what is told of these classes: its users come with them. If the ledger was lost, or has another name now, do not resolve them one by one, and do not set Adopt: run Take Over with the roster of before under a new Ledger Name, or set the old name again.',
});
