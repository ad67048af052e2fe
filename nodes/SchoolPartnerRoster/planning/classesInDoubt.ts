/** Schools of which the service may have everything, although the ledger does not know it. */
import type { Decisions } from '../ledger/decisions';
import { detailOf, type RecordDetail } from '../ledger/detail';
import { idsIn, kindOfKey } from '../ledger/key';
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
type ClassPresence = 'there' | 'doubtful' | 'open';
type SchoolClasses = Record<ClassPresence, Set<string>>;

/**
 * How the classes of each school stand. Trap: after a ledger was lost, the service refuses the classes that it has, and may take every user a second
 * time: where most classes of a school are in doubt, and the ledger has fewer of its users than these are, its new users wait.
 */
export class ClassesInDoubt {
	private readonly bySchool = new Map<string, SchoolClasses>();
	private readonly count: Record<ClassPresence, number> = { there: 0, doubtful: 0, open: 0 };
	/** How many users of each school are there. */
	private readonly users = new Map<string, number>();
	/** Asked for each new user. */
	private isAnyMostlyDoubtful: boolean | undefined;

	/** @param resolutions by key, what people have said: a class that the service does not have is in no doubt, though it is refused again */
	constructor(private readonly resolutions: Decisions['resolutions']) {}

	/** A class by its key: what was noted of it before counts no longer. */
	note(school: string, key: string, presence: ClassPresence): void {
		const classes = this.bySchool.get(school) ?? { there: new Set(), doubtful: new Set(), open: new Set() };
		this.bySchool.set(school, classes);
		for (const before of ['there', 'doubtful', 'open'] as const)
			if (classes[before].delete(key)) this.count[before] -= 1;
		const isSaidNew = presence === 'doubtful' && this.resolutions.get(key)?.state === 'notInService';
		const counted = isSaidNew ? 'open' : presence;
		classes[counted].add(key);
		this.count[counted] += 1;
		this.isAnyMostlyDoubtful = undefined;
	}

	noteUser(school: string): void {
		this.users.set(school, (this.users.get(school) ?? 0) + 1);
	}

	/** Key of a class that the new users of a school wait for; undefined where they need not. */
	awaitedIn(school: string): string | undefined {
		const classes = this.bySchool.get(school);
		if (classes === undefined || this.count.doubtful < FEWEST) return undefined;
		// A ledger that was lost does not have the users either: where it has them, the classes are refused for a reason of their own.
		if ((this.users.get(school) ?? 0) > classes.doubtful.size) return undefined;
		const [doubtful, open] = [classes.doubtful.values().next(), classes.open.values().next()];
		if (areMostDoubtful(classes)) return doubtful.value;
		// Where more are in doubt than there, the ledger is lost: so is a school of which it has no class.
		const mayBeLost = classes.there.size === 0 && this.count.doubtful > this.count.there;
		if (!mayBeLost) return undefined;
		this.isAnyMostlyDoubtful ??= [...this.bySchool.values()].some(areMostDoubtful);
		return this.isAnyMostlyDoubtful ? (doubtful.value ?? open.value) : undefined;
	}
}

const areMostDoubtful = ({ there, doubtful, open }: SchoolClasses) =>
	doubtful.size > (there.size + doubtful.size + open.size) * MOST;

/** As the ledger says it: of the classes of tonight, with an error too; and of all of a school of which the roster has no class, or not all of them. */
export async function noteClasses(context: PlanContext): Promise<void> {
	const { classes, desired, ledger, options, roster, turns } = context;
	const named = new Set<string>();
	const note = (key: string) => {
		const school = String(idsIn(key).school_external_id);
		classes.note(school, key, classPresence(ledger.entries.get(key), options));
		return school;
	};
	// Trap: what is new and has an error is not sent, and would make those in doubt seem few.
	const counts = (key: string) => desired.records.has(key) || ledger.entries.has(key);
	for (const keys of [desired.records.keys(), desired.faulty])
		await turns.forEach(keys, (key) => {
			if (kindOfKey(key) === 'class' && counts(key)) named.add(note(key));
		});
	await turns.forEach(ledger.entries.values(), ({ kind, key, school, there }) => {
		if (kind === 'user' && (there === 'yes' || there === 'unconfirmed')) classes.noteUser(school);
		// Trap: classes of past years say nothing of those of tonight.
		const isNamed = named.has(school) && completenessIn(roster, school, 'class') === 'whole';
		if (kind === 'class' && !isNamed) note(key);
	});
}

function classPresence(entry: LedgerEntry | undefined, options: PlanOptions): ClassPresence {
	if (entry?.there === 'yes') return 'there';
	return isInDoubt(entry, options) ? 'doubtful' : 'open';
}

/** It was refused, or is said to exist, and no person has said anything of it since. */
function isInDoubt(entry: LedgerEntry | undefined, { existing }: PlanOptions): boolean {
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
	message: `So many classes were refused, or are said to exist, that the service may have all of school ${school}: its new users wait`,
	what_to_do:
		'Correct what is told of these classes: the users come with them. For classes that the service does not have, and does not take, or that no roster names any more, give Resolve their keys (in the ledger: kind class, state failed, exists or uncertain) and "notInService". If the ledger was lost, or has another name now, do not resolve them one by one, and do not set Adopt: run Take Over with the roster of before under a new Ledger Name, or set the old name again.',
});
