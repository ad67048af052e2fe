/**
 * What people have been told, and since when, so that a run can say what is new, and what nobody can act on is told once. A journal within
 * the journal: a run adds rows of kind `told` only when something was told for the first time, or is no longer so.
 */
import { detailOf, type ToldDetail } from './detail';
import { piecesOf } from './digest';
import type { LedgerRow, StoredRow } from './row';

/** Codes of what is told of single users, and explains why somebody is not there: told by the key alone, so that Explain finds it. */
export const TOLD_OF_USERS = [
	...['looksLikeKnown', 'newTwice', 'personTwice', 'needsUnknown', 'userLeft', 'anotherPerson'],
];

/** By digest of what was said. */
export type Told = ReadonlyMap<string, { since: string; isOnce: boolean }>;

/** @param rows of kind `told`, in the order in which they were written */
export function toldBy(rows: readonly StoredRow[]): Told {
	const told = new Map<string, { since: string; isOnce: boolean }>();
	for (const row of rows) {
		const { since, state } = row;
		for (const digest of detailOf<ToldDetail>(row).told ?? []) {
			if (state === 'settled') told.delete(digest);
			else told.set(digest, { since, isOnce: state === 'once' });
		}
	}
	return told;
}

/**
 * The rows by which the ledger learns what is new tonight, and what is no longer so; none when nothing is different.
 * @param items digests of all that is so; `isOnce`: nobody can act on it, so that it is told once
 * @param day YYYY-MM-DD
 * @param isWhole the roster said all there is, of all schools: what is told once and is not so tonight has ended
 */
export function tellingRows(
	before: Told,
	items: ReadonlyArray<{ digest: string; isOnce: boolean }>,
	day: string,
	isWhole: boolean,
): Array<Partial<LedgerRow>> {
	const tonight = new Set(items.map(({ digest }) => digest));
	const fresh = new Map<string, { since: string; isOnce: boolean }>();
	for (const { digest, isOnce } of items) if (!before.has(digest)) fresh.set(digest, { since: day, isOnce });
	const settled = [...before].filter(([digest, { isOnce }]) => !tonight.has(digest) && (isWhole || !isOnce));
	const ended = settled.map(([digest]) => digest);
	return [...toldRows(fresh), ...rowsOfTold('settled', '', ended)];
}

/** Rows that say all at once what the rows so far say one after another. */
export function toldRows(told: Told): Array<Partial<LedgerRow>> {
	const groups = new Map<string, string[]>();
	for (const [digest, { since, isOnce }] of told) {
		const group = `${isOnce ? 'once' : 'told'} ${since}`;
		const known = groups.get(group);
		if (known === undefined) groups.set(group, [digest]);
		else known.push(digest);
	}
	return [...groups].flatMap(([group, digests]) => {
		const [state, since] = group.split(' ');
		return rowsOfTold(state, since, digests);
	});
}

function rowsOfTold(state: string, since: string, digests: readonly string[]): Array<Partial<LedgerRow>> {
	return piecesOf(digests).map((told) => {
		const detail = JSON.stringify({ told } satisfies ToldDetail);
		return { kind: 'told', key: 'told', state, since, detail };
	});
}
