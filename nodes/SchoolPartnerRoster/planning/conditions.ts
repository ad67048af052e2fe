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
	{ marks, roster, rowsExpected }: Circumstances,
	context: PlanContext,
): HoldCondition[] {
	const { ledger, now } = context;
	const found = [
		ledgerCut(ledger, rowsExpected),
		ledger.entries.size === 0 ? FIRST_RUN : undefined,
		takeOverUnfinished(ledger),
		...moved(ledger, marks),
		filesLost(context),
		olderRoster(changes, roster, context),
	].filter((one) => one !== undefined);
	return found.filter(({ mark }) => !ledger.decisions.isLifted(mark, now));
}

/** Whether rows are missing that no person has let go. */
export function isCut(ledger: Ledger, rowsExpected: number, now: number): boolean {
	const cut = ledgerCut(ledger, rowsExpected);
	return cut !== undefined && !ledger.decisions.isLifted(cut.mark, now);
}

/** All rows were there when they were counted. Those that people delete, and of a person who is erased, are missed once. */
function ledgerCut({ rows, lastDetail }: Ledger, rowsExpected: number): HoldCondition | undefined {
	if (rows >= rowsExpected) return undefined;
	return {
		code: 'ledgerCut',
		// The number alone would lift the next loss of as many rows, too.
		mark: `ledgerCut ${rowsExpected - rows} ${lastDetail.cuts ?? 0}`,
		reason: `The ledger has lost ${rowsExpected - rows} of ${rowsExpected} rows`,
		otherwise:
			'If nobody has removed them on purpose, restore the table: what they said was done would be done again.',
	};
}

const FIRST_RUN: HoldCondition = {
	code: 'firstRun',
	mark: 'firstRun',
	reason: 'The ledger is empty: this is a first run, or the ledger was lost',
	otherwise:
		'If there were runs before, restore the table, or take over the last good export (operation Take Over): everything would be created a second time.',
};

/** Trap: what a take over had not come to would be created, although the service has it. */
function takeOverUnfinished({ lastDetail: { takesOver } }: Ledger): HoldCondition | undefined {
	if (takesOver.length === 0) return undefined;
	return {
		code: 'takeOverUnfinished',
		mark: `takeOver ${takesOver.join(' ')}`,
		reason:
			'The last Take Over did not come to its end, so that the ledger knows only a part of what the service has',
		otherwise: 'Run Take Over again with the same roster: it goes on with the rest.',
	};
}

/** Files that the last run had. Of several exports, one may lack what another has. */
function filesLost({ ledger, roster }: PlanContext): HoldCondition | undefined {
	const names = new Set(roster.files.map(({ name }) => name));
	const lost = ledger.lastDetail.files.filter((name) => !names.has(name));
	if (roster.completenessBySchool !== undefined || lost.length === 0 || names.size === 0) return undefined;
	return {
		code: 'filesLost',
		mark: `filesLost ${digestOf(lost.join('\n'))}`,
		reason: `The last run had files that are not there now: ${lost.join(', ')}`,
		otherwise: 'If they should be there, look why the export lacks them.',
	};
}

/** Trap: an execution that is started again from an old export would bring the school back to the state of that night. */
function olderRoster(
	changes: readonly Change[],
	[schools, digest]: Circumstances['roster'],
	{ ledger: { lastDetail }, options }: PlanContext,
): HoldCondition | undefined {
	const before = lastDetail.rosters.filter(([others]) => others === schools);
	const isOlder = before.some(([, other]) => other === digest) && before.at(-1)?.[1] !== digest;
	const isMuch =
		changes.filter(({ action, isNew }) => action !== 'note' && isNew).length >=
		Math.min(options.holdCreationsFrom, options.holdRemovalsFrom);
	if (!isOlder || !isMuch) return undefined;
	return {
		code: 'olderRoster',
		mark: `olderRoster ${digest} ${before.length}`,
		reason: 'This roster is that of an earlier night, and not of the last one',
		otherwise: 'If it is an old export, start again with that of tonight.',
	};
}

/** What to do but approving where ids are no longer those of before. */
export const IDS_CHANGED =
	'Where the ids themselves have changed, put a table of new and old ids before this node. Do not approve this lightly.';

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
		otherwise: `Set these options as they were. People with other ids, or in schools with other ids, are created a second time. Where only Class ID From was changed, classes and bonds are new: right at the turn of a year. ${IDS_CHANGED}`,
	},
} as const;

/** For whom else the ledger was written, and no person has let that go. */
export function openMoves(ledger: Ledger, marks: LedgerMarks, now: number): HoldCondition[] {
	return moved(ledger, marks).filter(({ mark }) => !ledger.decisions.isLifted(mark, now));
}

/** Another service, another client, or other options for what an id is, where both are known. */
function moved({ lastDetail }: Ledger, marks: LedgerMarks): HoldCondition[] {
	return (['service', 'client', 'ids'] as const).flatMap((name) => {
		const [before, now] = [lastDetail[name], marks[name]];
		if (before === '' || now === '' || before === now) return [];
		return { ...MOVED[name], mark: `${name} ${now}` };
	});
}
