/** What every step of a plan looks at, and where it notes what it has found. */
import type { Ledger } from '../ledger/ledger';
import type { FindingType } from '../roster/finding';
import { Findings } from '../roster/findings';
import type { Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { baseline, RecentChanges } from './baseline';
import type { Change } from './change';
import { ClassesInDoubt } from './classesInDoubt';
import { Counts, GroupCounts, type Counted } from './counts';
import { DAY_MS, utcDay } from './days';
import { awaySchools, emptyState, takeRoster, type DesiredState } from './desiredState';
import { keptForRows } from './keptForRows';
import type { PlanOptions } from './options';
import type { SchoolYears } from './schoolYears';

export interface PlanSubject {
	roster: Roster;
	ledger: Ledger;
	options: PlanOptions;
	/** The day for which the roster was read, YYYY-MM-DD: it says what counts, and which school year it is. */
	asOf: string;
	/** The day of the run in the time zone of the workflow, YYYY-MM-DD: by it days are counted. */
	today: string;
	/** Random letters and digits: the salt of a ledger that has none yet. */
	newSalt: string;
}

export interface PlanContext extends PlanSubject {
	/** From which on something is so that is noted tonight for the first time, YYYY-MM-DD. */
	firstDay: string;
	/** Milliseconds since 1970. */
	now: number;
	/** Of the digests in the ledger. */
	salt: string;
	desired: DesiredState;
	/** What each school had in its last whole export without a hold. */
	base: GroupCounts;
	/** What was done in the last days, and no person has approved. */
	recent: RecentChanges;
	/** Found when somebody asks for them first. */
	years?: SchoolYears;
	counts: Counts;
	findings: Findings;
	/** Keys of what will not be sent tonight: it has an error, may be somebody else's, is not tried again, is held, or waits. */
	absent: Set<string>;
	/** Keys of bonds that the export lacks, and that stay for the days of Grace Period. */
	inGrace: Set<string>;
	/** How many of these the export has lacked for a few days only, and gives their people no other of the profile in the school. */
	leavingInGrace: GroupCounts;
	/** By the key of what waits, the key of what it waits for. */
	waitsFor: Map<string, string>;
	/** Keys of what only the ledger has, and was told since others wait for it. */
	named: Set<string>;
	/** How the classes of each school stand; empty in a take over. */
	classes: ClassesInDoubt;
	turns: Turns;
}

export async function planContext(
	{ roster, ledger, options, asOf, today, newSalt }: PlanSubject,
	host: Host,
): Promise<PlanContext> {
	const [now, turns] = [host.clock(), new Turns(host)];
	const context: PlanContext = {
		firstDay: firstDayOf(today, ledger),
		...{ roster, ledger, options, asOf, today, newSalt, now, salt: ledger.lastDetail.salt || newSalt },
		...{ desired: emptyState(), counts: new Counts(), findings: new Findings(), turns },
		...{ absent: new Set(), inGrace: new Set(), leavingInGrace: new GroupCounts() },
		...{ waitsFor: new Map(), named: new Set() },
		classes: new ClassesInDoubt(ledger.decisions.resolutions),
		base: await baseline(ledger, turns),
		recent: new RecentChanges(ledger.lastDetail.recent, now),
	};
	await takeRoster(context);
	for (const key of context.desired.faulty) context.absent.add(key);
	context.desired.kept = await keptForRows(context);
	context.desired.away = await awaySchools(context);
	return context;
}

/** Trap: by a clock that is behind for one night, what is missing tonight would be missing since long ago, and go. Two hosts may be apart by a day. */
function firstDayOf(today: string, { lastRun }: Ledger): string {
	const before = lastRun === undefined ? '' : utcDay((Date.parse(lastRun.at) || 0) - DAY_MS);
	return before > today ? before : today;
}

/** Neither it nor what needs it is sent tonight. */
export function leaveOut(
	{ kind, key, source, ...change }: Pick<Change, 'kind' | 'key' | 'school_external_id' | 'source'>,
	counted: Counted,
	cause: FindingType,
	{ absent, counts, findings }: PlanContext,
): void {
	findings.add(cause, source, key);
	counts.add(change.school_external_id, kind, counted);
	absent.add(key);
}
