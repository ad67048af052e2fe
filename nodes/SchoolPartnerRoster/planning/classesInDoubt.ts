/** Schools of which the service may have everything, although the ledger does not know it. */
import { detailOf, type RecordDetail } from '../ledger/detail';
import type { LedgerEntry } from '../ledger/ledger';

import { GroupCounts } from './counts';
import { addTo } from './desiredState';
import type { PlanContext } from './planContext';

/** Fewer classes, of all schools, may each have a mistake of their own. */
const FEWEST = 5;
/** More than this part of the classes of a school. */
const MOST = 1 / 2;

/**
 * By school, a class that its new users wait for: most of its classes were refused, or are said to exist. Trap: so the service answers when a ledger was
 * lost, and it may take every user a second time.
 */
export async function classesInDoubt({
	desired,
	ledger,
	turns,
}: PlanContext): Promise<ReadonlyMap<string, string>> {
	const [all, doubtful] = [new GroupCounts(), new Map<string, string[]>()];
	let count = 0;
	for await (const slice of turns.slices(desired.records.values()))
		for (const { kind, key, school } of slice) {
			if (kind !== 'class') continue;
			all.add(school, kind);
			if (!isInDoubt(ledger.entries.get(key))) continue;
			addTo(doubtful, school, key);
			count += 1;
		}
	if (count < FEWEST) return new Map();
	const most = [...doubtful].filter(([school, { length }]) => length > all.of(school, 'class') * MOST);
	return new Map(most.map(([school, [key]]) => [school, key]));
}

function isInDoubt(entry: LedgerEntry | undefined): boolean {
	if (entry?.there === 'exists') return true;
	return entry?.isUnfinished === true && detailOf<RecordDetail>(entry.row).refused !== undefined;
}
