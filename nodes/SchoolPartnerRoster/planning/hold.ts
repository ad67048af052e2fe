/** What is too much to do unseen: how much of a school is new or gone tonight, and what is wrong with the ledger as a whole. */
import { shortDigestOf } from '../ledger/digest';
import type { LedgerEntry } from '../ledger/fold';
import type { Ledger } from '../ledger/ledger';
import { ACTIONS, tallied, tallyAdd, type Action, type Scope, type Tally } from '../ledger/runs';
import type { Turns } from '../roster/turns';
import { KINDS, type Kind } from '../roster/record';
import type { Roster } from '../roster/roster';

import type { Candidate } from './change';
import type { PlanOptions } from './options';

/** A reason to hold. */
export interface HoldReason {
	/** '' when everything is held. */
	school: string;
	reason: string;
	/** What to do but approving. */
	otherwise: string;
}

/** How many records of each school and kind the service has. */
async function presentIn(entries: Iterable<LedgerEntry>, turns: Turns): Promise<Tally> {
	const present: Tally = {};
	for (const { there, school, kind } of entries) {
		if (turns.areDue()) await turns.give();
		if (there === 'yes') tallyAdd(present, school, kind, 'create', 1);
	}
	return present;
}

/** Schools of which too much is new or gone. */
export async function tooMuch(
	candidates: readonly Candidate[],
	{ scopes, entries }: Ledger,
	options: PlanOptions,
	turns: Turns,
): Promise<HoldReason[]> {
	const scopeOf = (school: string) => scopes.get('') ?? scopes.get(school);
	const present = await presentIn(entries.values(), turns);
	const fresh: Tally = {};
	const schools = new Set<string>();
	for (const { isNew, school_external_id: school, kind, action, key } of candidates) {
		if (turns.areDue()) await turns.give();
		if (!isNew || wasPlanned(scopeOf(school)?.unfinished[action], key)) continue;
		schools.add(school);
		tallyAdd(fresh, school, kind, action, 1);
	}
	const reasons: HoldReason[] = [];
	for (const school of [...schools].sort()) {
		const left = scopeOf(school)?.left ?? {};
		for (const kind of KINDS) {
			for (const action of ACTIONS) {
				const count = tallied(fresh, school, kind, action) - tallied(left, school, kind, action);
				const there = tallied(present, school, kind, 'create');
				if (isTooMuch(action, count, there, options))
					reasons.push({ school, ...tooMuchOf(action, kind, school, count, there, options) });
			}
		}
	}
	return reasons;
}

/** Whether an interrupted run had planned just this. */
function wasPlanned(digests: ReadonlySet<string> | undefined, key: string): boolean {
	return digests !== undefined && digests.size > 0 && digests.has(shortDigestOf(key));
}

function limitsOf(action: Action, options: PlanOptions): { percent: number; from: number } {
	return action === 'remove'
		? { percent: options.holdRemovalsPercent, from: options.holdRemovalsFrom }
		: { percent: options.holdCreationsPercent, from: options.holdCreationsFrom };
}

function isTooMuch(action: Action, count: number, there: number, options: PlanOptions): boolean {
	const { percent, from } = limitsOf(action, options);
	if (percent >= 100 || count < from || count <= 0 || (options.firstRun && action !== 'remove')) return false;
	return count * 100 > there * percent;
}

const PLURALS: Record<Kind, string> = { class: 'classes', user: 'users', bond: 'bonds' };
const DONE: Record<Action, string> = {
	create: 'would be created',
	remove: 'would be removed',
	note: 'would be taken as done',
};

function tooMuchOf(
	action: Action,
	kind: Kind,
	school: string,
	count: number,
	there: number,
	options: PlanOptions,
) {
	const { percent } = limitsOf(action, options);
	const share =
		there === 0
			? 'the ledger has none yet'
			: `that is ${Math.round((count * 1000) / there) / 10} % of the ${there} that are there, and more than ${percent} % is held`;
	const otherwise =
		action === 'remove'
			? 'If it is not right, look why the export lacks them; nothing of this school is done until then.'
			: 'If it is not right, look whether the export or the ids in it are others than before; nothing of this school is done until then.';
	return { reason: `${count} ${PLURALS[kind]} of school ${school} ${DONE[action]}: ${share}`, otherwise };
}

/** What is wrong with the ledger or the export as a whole. */
export async function unsound(
	candidates: readonly Candidate[],
	{ scopes, items }: Ledger,
	roster: Roster,
	options: PlanOptions,
	turns: Turns,
): Promise<HoldReason[]> {
	const doubles = await doublesIn(candidates, scopes, turns);
	return [...scopes.values()].flatMap((scope) => [
		...interrupted(scope, items, options),
		...doubled(scope),
		...lostFiles(scope, roster),
		...notesLeft(scope, options, doubles.get(scope)),
	]);
}

/** What would be new in a journal, where its last run was to take records as done: of a school and kind of which it left some over, and just these when it was interrupted. */
interface Doubles {
	likely: number;
	certain: number;
}

async function doublesIn(
	candidates: readonly Candidate[],
	scopes: Ledger['scopes'],
	turns: Turns,
): Promise<Map<Scope, Doubles>> {
	const doubles = new Map<Scope, Doubles>();
	for (const { isNew, action, kind, key, school_external_id: school } of candidates) {
		if (turns.areDue()) await turns.give();
		const scope = scopes.get('') ?? scopes.get(school);
		if (scope === undefined || !isNew || action !== 'create') continue;
		const { likely, certain } = doubles.get(scope) ?? NO_DOUBLES;
		doubles.set(scope, {
			likely: likely + Number(tallied(scope.left, school, kind, 'note') > 0),
			certain: certain + Number(wasPlanned(scope.unfinished.note, key)),
		});
	}
	return doubles;
}

const NO_DOUBLES: Doubles = { likely: 0, certain: 0 };

/** n8n's Data Table node gives so many rows when Return All is off. */
export const ROWS_WHEN_CUT = 50;

function interrupted(
	{ school, isInterrupted, last }: Scope,
	items: number,
	{ afterInterruption }: PlanOptions,
): HoldReason[] {
	// Trap: a ledger of which only the first rows were read looks like a run that was interrupted early.
	if (!isInterrupted || (afterInterruption === 'goOn' && items !== ROWS_WHEN_CUT)) return [];
	return [
		{
			school,
			reason: `The last run${ofSchool(school)} (${last?.id}) did not come to its end: n8n was interrupted, or the ledger was not read to its end`,
			otherwise:
				'Approve it only if n8n was interrupted. Otherwise read all rows of the ledger (switch Return All on). Where rows could not be written, ' +
				'write those first that the executions since then have on the outputs Ledger Rows.',
		},
	];
}

function doubled({ school, isDoubled, last }: Scope): HoldReason[] {
	if (!isDoubled) return [];
	return [
		{
			school,
			reason: `Another run wrote into the ledger${ofSchool(school)} while the last one (${last?.id}) was planned: two ran at once`,
			otherwise:
				'See that the workflow never runs twice at the same time. Look into the service whether something is there twice before you approve.',
		},
	];
}

function lostFiles({ school, last }: Scope, { files }: Roster): HoldReason[] {
	const names = new Set(files.map(({ name }) => name));
	const lost = (last?.detail.files ?? []).filter((name) => !names.has(name));
	if (lost.length === 0) return [];
	return [
		{
			school,
			reason: `The last run${ofSchool(school)} had files that are not there now: ${lost.join(', ')}`,
			otherwise: 'If they should be there, look why the export lacks them.',
		},
	];
}

/** What was to be taken as done, and did not all come out or was not all written: planned without that option it would be created a second time. */
function notesLeft(
	{ school, last, left }: Scope,
	{ takeAsDone }: PlanOptions,
	{ likely, certain } = NO_DOUBLES,
): HoldReason[] {
	const count = Object.entries(left).reduce(
		(sum, [name, notes]) => sum + (name.split(' ', 2)[1] === 'note' ? notes : 0),
		0,
	);
	// Only Everything takes what is new: with another choice it would be created beside.
	const isLeft = count > 0 && (takeAsDone === 'nothing' || likely > 0);
	if (!isLeft && certain === 0) return [];
	const why = isLeft
		? `left ${count} records to be taken as done: it had more than Most Changes`
		: `was to take ${certain} records as done that would be created now, and did not come to its end`;
	return [
		{
			school,
			reason: `The last run${ofSchool(school)} (${last?.id}) ${why}`,
			otherwise: 'Run again with Take as Done as it was then, until Summary says that nothing is left.',
		},
	];
}

function ofSchool(school: string): string {
	return school === '' ? '' : ` of school ${school}`;
}
