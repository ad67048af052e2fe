/** Whether anything may be planned with this ledger at all. */
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { markOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';
import { compared } from '../ledger/row';
import type { RunDetail, Scope } from '../ledger/runs';
import { ledgerStop, NOTHING_COUNTS } from '../ledger/stop';
import type { Roster } from '../roster/roster';

import { schoolOf } from './desired';
import type { PlanMeans, PlanOptions } from './options';

/** What another ledger would be written with. '': not known, because the plan does not talk to the service, or does not say where the ids come from. */
export type Marks = Pick<RunDetail, (typeof MARKS)[number]>;

const MARKS = ['service', 'client', 'identity', 'user_keys'] as const;

export function marksOf({ service, client, identity }: PlanMeans, { userKeys }: PlanOptions): Marks {
	const options = Object.entries(identity).sort(([one], [other]) => compared(one, other));
	return {
		service: markOf(service),
		client: markOf(client),
		identity: markOf(options.length === 0 ? '' : JSON.stringify(options)),
		user_keys: userKeys,
	};
}

/** What a run row of this ledger says: of what is not known tonight, what the last one said. */
export function marksFor(marks: Marks, last: Marks | undefined): Marks {
	return Object.fromEntries(MARKS.map((mark) => [mark, marks[mark] || (last?.[mark] ?? '')])) as Marks;
}

/** What is wrong with the options alone, before the ledger is read. */
export function optionStop({ onlySchools, userKeys }: PlanOptions): Failure | undefined {
	if (onlySchools.length === 0 || userKeys === 'school') return undefined;
	return ledgerStop(
		'onlySchoolsNeedsUserKeys',
		'The option Only Schools needs the option User Keys set to School',
		'Set User Keys to School, so that a person in two schools is two users. A ledger that was written otherwise cannot be used for it.',
	);
}

/** Stops with what is wrong with the ledger. */
export function admit(
	roster: Roster,
	ledger: Ledger,
	marks: Marks,
	options: PlanOptions,
	now: number,
): Outcome<void> {
	const stop =
		emptyStop(roster, ledger, options) ??
		[...ledger.scopes.values()]
			.map((scope) => scopeStop(scope, marks, options, now))
			.find((found) => found !== undefined);
	return stop === undefined ? success(undefined) : failed(stop);
}

function emptyStop(
	{ records }: Roster,
	{ items, rows, scopes }: Ledger,
	{ firstRun, onlySchools }: PlanOptions,
): Failure | undefined {
	if (firstRun) return scopes.size === 0 ? undefined : NOT_EMPTY;
	if (onlySchools.length > 0) {
		const empty = onlySchools.filter((school) => (scopes.get(school)?.rows ?? 0) === 0);
		// A school of which the export has nothing yet writes no row on its first night, and must not stop the others on the second.
		const inExport = new Set(empty.length === 0 ? [] : records.map(({ fields }) => schoolOf(fields)));
		const without = empty.filter((school) => inExport.has(school));
		return without.length === 0 ? undefined : emptyFor(without);
	}
	if (rows > 0) return undefined;
	return items === 0 ? EMPTY : NOTHING_COUNTS;
}

function scopeStop(
	{ last, unfinishedSince }: Scope,
	marks: Marks,
	{ unfinishedAfter }: PlanOptions,
	now: number,
): Failure | undefined {
	if (last !== undefined) {
		const { detail } = last;
		const other = MARKS.find(
			(mark) => detail[mark] !== '' && marks[mark] !== '' && detail[mark] !== marks[mark],
		);
		if (other !== undefined) return OF_OTHER[other];
	}
	// A time far ahead was written by a clock that is wrong; it must not stop for ever.
	const isUnderWay =
		unfinishedSince !== undefined && Math.abs(now - unfinishedSince) < unfinishedAfter * 60_000;
	return isUnderWay ? underWay(last?.id ?? '', unfinishedAfter) : undefined;
}

const EMPTY = ledgerStop(
	'ledgerEmpty',
	'The ledger is empty, so that everything in the export would be created',
	'If this is the first run ever, switch the option First Run on for this one start. If there were runs before, the ledger is lost or not read: check the node that reads it, ' +
		'and restore the table. A ledger that is lost for good is taken up again with First Run and Take as Done set to Everything.',
);

const NOT_EMPTY = ledgerStop(
	'ledgerNotEmpty',
	'First Run is on, and the ledger has rows already',
	'Switch the option First Run off: it belongs to the one start with an empty ledger. What this ledger has already would not be created again, but a large change would no longer be held.',
);

function emptyFor(schools: readonly string[]): Failure {
	return ledgerStop(
		'ledgerEmpty',
		`The ledger has no rows of school ${schools.slice(0, 10).join(', ')}${schools.length > 10 ? ' and others' : ''}, so that everything of it would be created`,
		'If it is the first run of this school, start once with First Run on and only the new schools in Only Schools; one of which nothing can be sent yet (see Findings then) stays out of it. ' +
			'Otherwise check the node that reads the ledger.',
	);
}

const OTHER_IDENTITY = ledgerStop(
	'ledgerOfOtherIdentity',
	'This ledger was written with other options for what an id is (User Keys, or where the ids of schools, classes and users come from)',
	'Set these options as they were. With other ids everything would be created a second time.',
);

const OF_OTHER: Record<keyof Marks, Failure> = {
	service: ledgerStop(
		'ledgerOfOtherService',
		'This ledger was written for another address of the service',
		'Use the credential of that service, or a ledger of its own for this one. If the service has moved, take everything up in a new ledger with First Run and Take as Done set to Everything.',
	),
	client: ledgerStop(
		'ledgerOfOtherClient',
		'This ledger was written for another client',
		'Use the credential of that client, or a ledger of its own for this one. If the client was replaced, take everything up in a new ledger with First Run and Take as Done set to Everything.',
	),
	identity: OTHER_IDENTITY,
	user_keys: OTHER_IDENTITY,
};

function underWay(runId: string, minutes: number): Failure {
	return ledgerStop(
		'runUnderWay',
		`A run has not come to its end, and wrote into the ledger less than ${minutes} minutes ago (last run: ${runId}): it may still be under way`,
		// Trap: a ledger of which only the first rows were read looks the same.
		`Wait for its end. If none is running: read all rows of the ledger (switch Return All on); after an interruption plan again when ${minutes} minutes have passed, or set Unfinished After to less.`,
	);
}
