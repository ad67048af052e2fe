/** What the service refuses again and again with the same answer: it is tried less and less often (ROSTER.md section 3, rule 8). */
import { detailOf, type RecordDetail, type RefusalDetail, type Refused } from '../ledger/detail';
import type { LedgerEntry, RecordState } from '../ledger/ledger';
import type { FindingType } from '../roster/finding';
import { SAME_ROSTER, type Roster } from '../roster/roster';

import type { Change } from './change';
import { wholeDigest } from './fieldDigests';
import { willBeThere } from './order';
import { leaveOut, type PlanContext } from './planContext';
import { dayAfter, utcDay, daysBetween } from './days';

/** Days after the first refusal on which it is tried again; then every seventh. */
const DAYS = [1, 3, 7];

/** The day on which it is tried next, YYYY-MM-DD. */
export function nextTry({ since, last }: Refused): string {
	const past = daysBetween(since, last);
	return dayAfter(since, DAYS.find((days) => days > past) ?? (Math.floor(past / 7) + 1) * 7);
}

/** Trap: a day that is still to come was noted by a clock that was wrong. */
function isDue(refused: Refused, today: string): boolean {
	return refused.again === true || nextTry(refused) <= today || refused.last > today;
}

/** What a refusal is about: with other values it is another one. */
export function requestMark({ action, fields }: Pick<Change, 'action' | 'fields'>): string {
	return `${action} ${wholeDigest(fields)}`;
}

/** Whether it was refused on an earlier night, with these same values. */
export function wasRefused(change: Change): boolean {
	const { known } = change;
	return known !== undefined && detailOf<RecordDetail>(known).refused?.what === requestMark(change);
}

/** Whether tonight's values are others than those with which its creation was refused. */
export function hasOtherValues({ row }: LedgerEntry, { fields }: RecordState): boolean {
	const { refused } = detailOf<RecordDetail>(row);
	return refused !== undefined && refused.what !== requestMark({ action: 'create', fields });
}

/** The changes that are tried tonight, in their order; the others are counted and told. @param ordered what something needs stands before it */
export async function withoutRefused(ordered: readonly Change[], context: PlanContext): Promise<Change[]> {
	const { absent, now, turns } = context;
	const created = new Set<string>();
	const tried: Change[] = [];
	await turns.forEach(ordered, (change) => {
		const { action, key, needs } = change;
		const refusal = knownRefusal(change, context);
		// What needs something that is not sent tonight waits for that one, unless the service has it.
		const isLacking = (need: string) => absent.has(need) && !willBeThere(need, change, context);
		const waits = action === 'create' && needs.some(isLacking);
		// With a class or a user that comes anew, the answer may be another one.
		const isOther = waits || needs.some((need) => created.has(need));
		if (refusal !== undefined && !isOther && !isDue(refusal.refused, utcDay(now))) {
			leaveOut(change, 'waiting', refusedBefore(change, refusal, context.roster), context);
			return;
		}
		if (action === 'create' && !waits) created.add(key);
		tried.push(change);
	});
	return tried;
}

/** The refusal of just this change, when no person has settled it since, and the next roster holds the change too. */
function knownRefusal(change: Change, { ledger, roster }: PlanContext): RefusalDetail | undefined {
	const { known } = change;
	if (roster.comesOnce) return undefined;
	if (known === undefined || ledger.decisions.resolution(known) !== undefined) return undefined;
	const { refused, ...detail } = detailOf<RecordDetail>(known);
	return refused?.what === requestMark(change) ? { ...detail, refused } : undefined;
}

function refusedBefore(
	change: Change,
	{ status, code, refused }: RefusalDetail,
	roster: Roster,
): FindingType {
	const { kind, action } = change;
	const answer = [status === undefined ? [] : `status ${status}`, code ?? []].flat().join(', ');
	const what = action === 'remove' ? 'The removal of a bond' : `A ${kind}`;
	return {
		severity: 'error',
		code: 'refusedBefore',
		...{ kind, isOfOne: true, ...(action !== 'note' && { action }) },
		message: `${what} is refused by the service since ${refused.since}${answer && ` (${answer})`}, and was not sent tonight`,
		what_to_do: `${mayLackNeeds(change)}It is tried next on ${nextTry(refused)}${sooner(change)}`,
		ofSeveral: {
			message: `${what} was refused by the service before, and was not sent tonight`,
			what_to_do: eachDoneLater(change, roster),
		},
	};
}

/** What is to be done about a change that was not done tonight. */
export function doneLater(change: Change, { comesOnce }: Roster): string {
	const { refused } = change;
	const needs = refused === undefined ? '' : mayLackNeeds(change);
	if (comesOnce) return `${needs}${WITH_SAME_ROSTER}`;
	if (refused === undefined) return 'The next run tries it again.';
	return `${needs}It is tried again on ${nextTry(refused)}, then less and less often${sooner(change)}`;
}

/** The same of several refusals of one kind, of one action: without their days and keys. */
export function eachDoneLater(change: Change, { comesOnce }: Roster): string {
	const days = `Each is tried again 1, 3 and 7 days after its first time, then weekly${sooner(change)}`;
	return `${oneMayLackNeeds(change)}${comesOnce ? WITH_SAME_ROSTER : days}`;
}

const WITH_SAME_ROSTER = `When the cause is gone, start Sync again ${SAME_ROSTER}.`;

/** A bond is sent only where the ledger has its class and its user, a student only where it has the responsible persons. */
function mayLackNeeds({ kind, action, key, needs: all }: Change): string {
	// Trap: a user may have waited for a class of the school too.
	const needs = kind === 'bond' ? all : all.filter((key) => key.startsWith('u:'));
	if (action !== 'create' || needs.length === 0) return '';
	const needed = kind === 'bond' ? 'its class and its user' : 'the responsible persons';
	return `${mayBeThere(kind, key)}${lacksNeeds(kind, `The ledger has ${needed}`, needs.join(' or '))}`;
}

/** Trap: whom somebody has put into the class by hand stays in the one before, too, as long as the new bond is refused. */
function mayBeThere(kind: Change['kind'], key: string): string {
	return kind === 'bond'
		? `If the service has it already, run the operation Resolve with ${key} and "inService". `
		: '';
}

function oneMayLackNeeds({ kind, action }: Change): string {
	if (action !== 'create' || kind === 'class') return '';
	const has =
		kind === 'bond'
			? 'Of each the ledger has the class and the user'
			: 'Where one has responsible persons, the ledger has them';
	return `${mayBeThere(kind, 'its key')}${lacksNeeds(kind, has, 'the key of that one')}`;
}

function lacksNeeds(kind: Change['kind'], ledgerHas: string, keys: string): string {
	return `${ledgerHas}: the service may not have one of them. If so, run the operation Resolve with ${keys} and "notInService": it is created again${kind === 'bond' ? ', with its bonds' : ''}. `;
}

/** Trap: what is said to be not in the service is never removed there. */
function sooner({ action }: Change): string {
	return action === 'remove'
		? '. Only if the service does not have it any more, run the operation Resolve with its key and "notInService".'
		: ', and at once when its values in the roster change, or when the operation Resolve gets its key and "notInService".';
}
