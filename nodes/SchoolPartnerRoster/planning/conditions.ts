/** What is wrong with the ledger or the roster as a whole, so that nothing goes before a person has looked. */
import { digestOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';

import type { Change } from './change';
import type { PlanContext } from './planContext';

/** Digests of whom a ledger is for. '': not known. */
export interface LedgerMarks {
	service: string;
	client: string;
	/** Of the options that say where ids come from, and where they are unique. */
	ids: string;
}

export interface HoldCondition {
	code: string;
	/** Code and what is special of this case: an approval lifts just this. */
	mark: string;
	reason: string;
	/** What to do but approving. */
	otherwise: string;
}

/** What a plan knows of itself beside its changes. */
export interface Circumstances {
	marks: LedgerMarks;
	/** Of the schools of the roster, and of everything in it. */
	roster: [string, string];
	/** Rows of runs that there must be, by the lease. */
	rowsExpected: number;
}

export function conditionsOf(
	changes: readonly Change[],
	circumstances: Circumstances,
	context: PlanContext,
): HoldCondition[] {
	const { ledger, now } = context;
	const found = [...ofLedger(ledger, circumstances), ...ofRoster(changes, circumstances.roster, context)];
	return found.filter(({ mark }) => !ledger.decisions.isLifted(mark, now));
}

const cutMark = (lost: number) => `ledgerCut ${lost}`;

/** Whether rows are missing that no person has let go. */
export function isCut({ rows, decisions }: Ledger, rowsExpected: number, now: number): boolean {
	return rows < rowsExpected && !decisions.isLifted(cutMark(rowsExpected - rows), now);
}

function* ofLedger(ledger: Ledger, { marks, rowsExpected }: Circumstances): Generator<HoldCondition> {
	const { rows, entries, lastRun } = ledger;
	// All rows were there when they were counted. Those that people delete, and of a person who is erased, are missed once.
	if (rows < rowsExpected)
		yield {
			code: 'ledgerCut',
			mark: cutMark(rowsExpected - rows),
			reason: `The ledger has lost ${rowsExpected - rows} of ${rowsExpected} rows`,
			otherwise:
				'If nobody has removed them on purpose, restore the table: what they said was done would be done again.',
		};
	if (entries.size === 0) yield FIRST_RUN;
	if (lastRun === undefined) return;
	const { takesOver } = lastRun.detail;
	// Trap: what a take over had not come to would be created, although the service has it.
	if (takesOver.length > 0) yield { ...TAKE_OVER_UNFINISHED, mark: `takeOver ${takesOver.join(' ')}` };
	yield* moved(ledger, marks);
}

function* ofRoster(
	changes: readonly Change[],
	[schools, digest]: [string, string],
	{ ledger: { lastRun }, roster, options }: PlanContext,
): Generator<HoldCondition> {
	const names = new Set(roster.files.map(({ name }) => name));
	// Of several exports, one may lack what another has.
	const isOne = roster.completenessBySchool === undefined;
	const lost = (lastRun?.detail.files ?? []).filter((name) => !names.has(name));
	if (isOne && lost.length > 0 && names.size > 0)
		yield {
			code: 'filesLost',
			mark: `filesLost ${digestOf(lost.join('\n'))}`,
			reason: `The last run had files that are not there now: ${lost.join(', ')}`,
			otherwise: 'If they should be there, look why the export lacks them.',
		};
	const before = (lastRun?.detail.rosters ?? []).filter(([others]) => others === schools);
	const isOlder = before.some(([, other]) => other === digest) && before.at(-1)?.[1] !== digest;
	const isMuch =
		changes.filter(({ action, isNew }) => action !== 'note' && isNew).length >=
		Math.min(options.holdCreationsFrom, options.holdRemovalsFrom);
	// Trap: an execution that is started again from an old export would bring the school back to the state of that night.
	if (isOlder && isMuch)
		yield {
			code: 'olderRoster',
			mark: `olderRoster ${digest} ${before.length}`,
			reason: 'This roster is that of an earlier night, and not of the last one',
			otherwise: 'If it is an old export, start again with that of tonight.',
		};
}

const FIRST_RUN: HoldCondition = {
	code: 'firstRun',
	mark: 'firstRun',
	reason: 'The ledger is empty: this is a first run, or the ledger was lost',
	otherwise:
		'If there were runs before, restore the table, or take over the last good export (operation Take Over): everything would be created a second time.',
};

const TAKE_OVER_UNFINISHED: Omit<HoldCondition, 'mark'> = {
	code: 'takeOverUnfinished',
	reason:
		'The last Take Over did not come to its end, so that the ledger knows only a part of what the service has',
	otherwise: 'Run Take Over again with the same roster: it goes on with the rest.',
};

const MOVED = {
	service: {
		code: 'serviceMoved',
		reason: 'The ledger was written for another address of the service',
		otherwise:
			'If it has not moved, use the credential of that service, or a ledger name of its own for this one.',
	},
	client: {
		code: 'serviceMoved',
		reason: 'The ledger was written for another client',
		otherwise:
			'If the client was not replaced, use its credential, or a ledger name of its own for this one.',
	},
	ids: {
		code: 'idsChanged',
		reason:
			'The ledger was written with other options for what an id is (User IDs Unique Within, or where the ids of schools, classes and users come from)',
		otherwise:
			'Set these options as they were. With other ids everything is created a second time. Where the ids themselves have changed, put a table of new and old ids before this node. Do not approve this lightly.',
	},
} as const;

/** Whether the ledger was written for another service or other ids, and no person has let that go. */
export function isMoved(ledger: Ledger, marks: LedgerMarks, now: number): boolean {
	return moved(ledger, marks).some(({ mark }) => !ledger.decisions.isLifted(mark, now));
}

function moved({ lastRun }: Ledger, marks: LedgerMarks): HoldCondition[] {
	if (lastRun === undefined) return [];
	return (['service', 'client', 'ids'] as const).flatMap((name) => {
		const [before, now] = [lastRun.detail[name], marks[name]];
		if (before === '' || now === '' || before === now) return [];
		return { ...MOVED[name], mark: `${name} ${now}` };
	});
}
