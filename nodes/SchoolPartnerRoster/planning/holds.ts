/** What is kept back until a person has looked at it, and how a person lets it go. */
import { hash } from 'node:crypto';

import { pairDigest, UnorderedDigest } from '../ledger/digest';
import { SAME_ROSTER } from '../roster/roster';

import type { Change } from './change';
import { changedIds } from './changedIds';
import { conditionsOf, IDS_CHANGED, type Circumstances, type HoldCondition } from './conditions';
import type { GroupCounts } from './counts';
import { hasSchoolLeft } from './desiredState';
import { schoolsHeldBefore } from './heldBefore';
import { newYearIn } from './newYear';
import type { PlanContext } from './planContext';
import { markMoves } from './schoolYears';
import { covers, tooMuchIn, type OwnReasons, type TooMuch } from './tooMuch';

export interface Hold {
	/** A digest of what it holds. */
	hold_id: string;
	/** '' for the whole network. */
	school_external_id: string;
	reason: string;
	what_to_do: string;
	/** What an approval lifts beside the changes. */
	conditions: string[];
	changes: Change[];
	/** Of each change. */
	digests: string[];
}

/**
 * Holds what is too much, or all when something is wrong as a whole. Marks held changes, and those that an approval lets go.
 * @param doubtfulIds how many ids look like known ones, or were somebody else's
 */
export async function holdsOf(
	changes: readonly Change[],
	circumstances: Circumstances,
	doubtfulIds: GroupCounts,
	context: PlanContext,
): Promise<{ holds: Hold[]; isDoubted: boolean }> {
	// A note that is nothing new only counts an absence: it does nothing that could be too much, and is lost when it waits.
	const due = changes.filter(({ action, isNew }) => action !== 'note' || isNew);
	const conditions = conditionsOf(due, circumstances, context);
	const isDoubted = conditions.length > 0;
	if (isDoubted && due.length > 0)
		return { holds: [await holdFrom('', becauseOf(conditions), due, context)], isDoubted };
	// A person should know, even when there is nothing to hold.
	for (const { code, reason, otherwise } of conditions) {
		const what_to_do = `Nothing is different tonight, so nothing is held. ${otherwise}`;
		context.findings.add({ severity: 'warning', code, message: reason, what_to_do });
	}
	return { holds: due.length === 0 ? [] : await holdTooMuch(due, doubtfulIds, context), isDoubted };
}

const becauseOf = (conditions: readonly HoldCondition[]) => ({
	reasons: conditions.map(({ reason }) => reason),
	otherwise: conditions.map(({ otherwise }) => otherwise).join(' '),
	marks: conditions.map(({ mark }) => mark),
});

async function holdTooMuch(
	changes: readonly Change[],
	doubtfulIds: GroupCounts,
	context: PlanContext,
): Promise<Hold[]> {
	const open = await withoutApproved(changes, context);
	await markMoves(open, changes, context);
	const holds: Hold[] = [];
	const year = await newYearIn(open, context);
	if (year !== undefined)
		holds.push(await holdFrom(year.school, { ...year, otherwise: OF_YEAR }, year.changes, context));
	const rest = open.filter(({ state }) => state !== 'held');
	const changed = await changedIds(rest, doubtfulIds, context);
	const out = new Map([...changed.out, ...leftSchools(rest, context)]);
	const heldBefore = await schoolsHeldBefore(rest, context);
	for (const tooMuch of await tooMuchIn(rest, { in: changed.in, out }, heldBefore, context)) {
		const { school, reasons } = tooMuch;
		const heldChanges = rest.filter((change) => covers(tooMuch, change));
		const why = { reasons, otherwise: otherwiseOf(tooMuch, changed), marks: [] };
		holds.push(await holdFrom(school, why, heldChanges, context));
	}
	return holds;
}

/** A school that has left is a person's to say, however small it is. */
function leftSchools(changes: readonly Change[], context: PlanContext): Map<string, string[]> {
	const schools = new Set(changes.map(({ school_external_id: school }) => school));
	const left = [...schools].filter((school) => hasSchoolLeft(school, context));
	const reasonOf = (school: string) =>
		`School ${school} has nothing in the export since ${context.desired.away.get(school)}`;
	return new Map(left.map((school) => [school, [reasonOf(school)]]));
}

const OF_YEAR =
	'If it is not right, look whether the year of the classes in the export is right. Everything else goes on.';
const OTHERWISE = {
	in: 'If it is not right, look whether the export or the ids in it are others than before. Nothing new of this is created until then; everything else goes on.',
	out: 'If it is not right, look why the export lacks them. Nothing of this is removed until then; everything else goes on.',
} as const;

/** @param changed why schools are held whose ids are no longer those of before */
function otherwiseOf({ direction, schools }: TooMuch, changed: OwnReasons): string {
	const isOfChangedIds = [...changed[direction].keys()].some((school) => schools?.has(school) !== false);
	return isOfChangedIds ? `${OTHERWISE[direction]} ${IDS_CHANGED}` : OTHERWISE[direction];
}

/** What no approval lets go. */
async function withoutApproved(
	changes: readonly Change[],
	{ ledger, now, turns }: PlanContext,
): Promise<Change[]> {
	const open: Change[] = [];
	await turns.forEach(changes, (change) => {
		const { action, key, known } = change;
		const doneIn = known !== undefined && USED_UP.has(known.state) ? known.id : 0;
		const hold = ledger.decisions.approvedHold(action, key, doneIn, now);
		if (hold === undefined) open.push(change);
		else change.hold = hold;
	});
	return open;
}

/** Done once, a change that comes again is another one. */
const USED_UP = new Set(['applied', 'missing', 'unconfirmed', 'removed', 'exists']);

interface WhyHeld {
	reasons: readonly string[];
	/** What to do but approving. */
	otherwise: string;
	/** What an approval lifts beside the changes. */
	marks: string[];
}

async function holdFrom(
	school: string,
	{ reasons, otherwise, marks }: WhyHeld,
	changes: Change[],
	{ roster, turns, absent }: PlanContext,
): Promise<Hold> {
	const [digests, all]: [string[], UnorderedDigest] = [[], new UnorderedDigest()];
	await turns.forEach(changes, ({ action, key }) => {
		digests.push(pairDigest(action, key));
		all.add(`${action} ${key}`);
	});
	// It begins with a letter, or a sheet would take some for numbers.
	const id = `hold-${hash('sha256', JSON.stringify([school, marks, all.value()]), 'hex').slice(0, 12)}`;
	for (const change of changes) {
		Object.assign(change, { state: 'held', hold: id } satisfies Partial<Change>);
		absent.add(change.key);
	}
	return {
		hold_id: id,
		school_external_id: school,
		reason: reasons.join('. '),
		what_to_do: `If it is right, run the operation Approve with hold_id ${id}, and start Sync again${roster.comesOnce ? ` ${SAME_ROSTER}` : ''}. ${otherwise}`,
		conditions: marks,
		changes,
		digests,
	};
}
