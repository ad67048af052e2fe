/** Ids of runs: as text they stand in the order of time, and each is greater than any that the ledger has. */

const FORM = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-/;

function written(moment: number, tail: string): string {
	return `${new Date(moment).toISOString().replace(/[-:.]/g, '')}-${tail}`;
}

/** The moment in an id; undefined when it was not written here. */
export function momentOf(runId: string): number | undefined {
	if (!FORM.test(runId)) return undefined;
	const moment = Date.parse(runId.replace(FORM, '$1-$2-$3T$4:$5:$6.$7Z ').split(' ')[0]);
	return Number.isNaN(moment) ? undefined : moment;
}

/**
 * The id of a new run.
 * @param tail random, so that two runs of one millisecond differ
 * @param greatest of the ids in the ledger, '' when there are none
 */
export function nextRunId(now: number, tail: string, greatest: string): string {
	const fresh = written(now, tail);
	if (fresh > greatest) return fresh;
	// The clock went back, or the ledger was written by a machine whose clock is ahead.
	const moment = momentOf(greatest);
	return moment === undefined ? justAbove(greatest, tail) : written(moment + 1, tail);
}

/** No run takes longer from its plan to the first rows that it writes. */
const LONGEST_UNREAD_MS = 24 * 3_600_000;

/**
 * The id of a compaction: above the greatest id of its journal, and below those of runs that are planned and have no rows yet. In a journal that
 * rests it goes with the time all the same, or no rows could be deleted below it.
 */
export function compactionId(now: number, tail: string, greatest: string): string {
	const lately = written(now - LONGEST_UNREAD_MS, tail);
	return lately > greatest ? lately : justAbove(greatest, tail);
}

/** An id above this one, and below that of every run that begins a millisecond later. */
function justAbove(runId: string, tail: string): string {
	return `${runId}-${tail}`;
}
