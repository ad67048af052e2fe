/** Rows in their order from a table that gives them in none. */
import fc from 'fast-check';

import { ledgerRow, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row';
import { rowsByRanges } from '../../../../nodes/SchoolPartnerRoster/store/unorderedRows';

/** A table whose rows lie in this order; a limit cuts wherever it comes to. */
function table(ids: number[], count?: () => void) {
	const rows = ids.map((id): StoredRow => ({ id, ...ledgerRow({ kind: 'class', key: String(id) }) }));
	return async (after: number, to = Infinity, limit = Infinity): Promise<StoredRow[]> => {
		count?.();
		return rows.filter(({ id }) => id > after && id <= to).slice(0, limit);
	};
}

async function readIds(ids: number[], after: number, limit: number, count?: () => void): Promise<number[]> {
	const read = await rowsByRanges(table(ids, count), after, limit);
	return read.map(({ id }) => id);
}

it('gives the first rows after an id, ascending, however they lie and whatever is missing between them', async () => {
	const ids = fc.uniqueArray(
		fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 10_000_000 })),
	);
	await fc.assert(
		fc.asyncProperty(ids, fc.nat(10_000), fc.integer({ min: 1, max: 20 }), async (lying, after, limit) => {
			const expected = lying.filter((id) => id > after).sort((one, other) => one - other);
			expect(await readIds(lying, after, limit)).toEqual(expected.slice(0, limit));
		}),
	);
});

it('asks once for each thousand rows, and a few times for what a compaction has left empty', async () => {
	let asked = 0;
	const ids = Array.from({ length: 10_000 }, (_, index) => 5_000_000 - index);
	expect(await readIds(ids, 0, 20_000, () => (asked += 1))).toHaveLength(10_000);
	expect(asked).toBeLessThan(40);
});

it('ends with the first range that cannot be read', async () => {
	const failure = new Error('The database is away');
	await expect(rowsByRanges(async () => await Promise.reject(failure), 0, 10)).rejects.toBe(failure);
});
