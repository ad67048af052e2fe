/** What the service refuses again and again with the same answer: it is tried less and less often (ROSTER.md section 3, rule 8). */
import { detailOf, type RecordDetail, type RefusalDetail, type Refused } from '../ledger/detail';
import type { LedgerEntry, RecordState } from '../ledger/ledger';

import type { Change } from './change';
import type { PlanContext } from './context';
import { dayAfter, dayOf, daysBetween } from './days';
import { refusedBefore } from './findingsOfRecords';

/** Days after the first refusal on which it is tried again; then every seventh. */
const DAYS = [1, 3, 7];

/** The day on which it is tried next, YYYY-MM-DD. */
export function nextTry({ since, last }: Refused): string {
	const past = daysBetween(since, last);
	return dayAfter(since, DAYS.find((days) => days > past) ?? (Math.floor(past / 7) + 1) * 7);
}

/** Trap: a day that is still to come was noted by a clock that was wrong. */
function isDue(refused: Refused, today: string): boolean {
	return nextTry(refused) <= today || refused.last > today;
}

/** What a refusal is about: with other values it is another one. */
export function requestMark({ action, fields }: Pick<Change, 'action' | 'fields'>): string {
	return `${action} ${fields.split(' ', 1)[0]}`;
}

/** Whether tonight's values are others than those with which its creation was refused. */
export function hasOtherValues({ row }: LedgerEntry, { fields }: RecordState): boolean {
	const { refused } = detailOf<RecordDetail>(row);
	return refused !== undefined && refused.what !== requestMark({ action: 'create', fields });
}

/**
 * The changes that are tried tonight, in their order; the others are counted and told.
 * @param ordered what something needs stands before it
 * @param absent keys of what will not be there; those that are not tried are added
 */
export async function withoutRefused(
	ordered: readonly Change[],
	absent: Set<string>,
	context: PlanContext,
): Promise<Change[]> {
	const { counts, findings, now, turns } = context;
	const created = new Set<string>();
	const tried: Change[] = [];
	for await (const slice of turns.slices(ordered))
		for (const change of slice) {
			const { action, kind, key, school_external_id: school, source, needs } = change;
			const refusal = knownRefusal(change, context);
			// With a class or a user that comes anew, the answer may be another one.
			const isRetried = refusal === undefined || isDue(refusal.refused, dayOf(now));
			// What needs something that is not sent tonight waits for that one.
			const waits = action === 'create' && needs.some((need) => absent.has(need));
			if (!isRetried && !waits && !needs.some((need) => created.has(need))) {
				counts.add(school, kind, 'waiting');
				findings.add(refusedBefore(change, refusal, nextTry(refusal.refused)), source, key);
				absent.add(key);
				continue;
			}
			if (action === 'create' && !waits) created.add(key);
			tried.push(change);
		}
	return tried;
}

/** The refusal of just this change, when no person has settled it since. */
function knownRefusal(change: Change, { ledger }: PlanContext): RefusalDetail | undefined {
	const { known } = change;
	if (known === undefined || ledger.decisions.resolution(known) !== undefined) return undefined;
	const { refused, ...detail } = detailOf<RecordDetail>(known);
	return refused?.what === requestMark(change) ? { ...detail, refused } : undefined;
}
