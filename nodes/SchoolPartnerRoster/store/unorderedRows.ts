/**
 * Reads rows in the order of their ids where the store gives them in any order: n8n's Data Table node before it learned to sort
 * (2.4.8 on PostgreSQL). Of a query with a limit nobody knows there which rows it left out; so ids are asked for in ranges.
 */
import type { StoredRow } from '../ledger/row';

/** Rows with ids greater than `after` and at most `to`, where that is given, in any order; all of them, where no limit is given. */
export type RowsBetween = (after: number, to?: number, limit?: number) => Promise<StoredRow[]>;

export const byId = (one: StoredRow, other: StoredRow): number => one.id - other.id;

/** Ids of one range: as many rows as the node reads in one query. */
const RANGE = 1_000;

/** Rows with ids greater than this, ascending; fewer than `limit` only at the end. */
export async function rowsByRanges(
	rowsBetween: RowsBetween,
	after: number,
	limit: number,
): Promise<StoredRow[]> {
	const rows: StoredRow[] = [];
	let from: number | undefined = after;
	while (from !== undefined && rows.length < limit) {
		const range = await rowsBetween(from, from + RANGE);
		rows.push(...range.sort(byId));
		from += RANGE;
		if (range.length === 0) from = await endOfGap(rowsBetween, from);
	}
	return rows.slice(0, limit);
}

/** An id up to which there are no rows after this one, and soon behind it there are; undefined when there are none at all. */
async function endOfGap(rowsBetween: RowsBetween, after: number): Promise<number | undefined> {
	const [some] = await rowsBetween(after, undefined, 1);
	if (some === undefined) return undefined;
	let empty = after;
	let taken = some.id;
	while (taken - empty > RANGE) {
		const middle = empty + Math.floor((taken - empty) / 2);
		const [lower] = await rowsBetween(empty, middle, 1);
		if (lower === undefined) empty = middle;
		else taken = lower.id;
	}
	return empty;
}
