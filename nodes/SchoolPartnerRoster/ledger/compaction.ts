/** A ledger without its past: the rows that stand for all that it knows. Pure; night/compacting.ts writes them. */
import type { AccessDetail, HoldDetail, RecordDetail } from './detail';
import { detailOf } from './detail';
import { SEEN_TURN } from './decisions';
import type { Ledger } from './ledger';
import type { LedgerRow, StoredRow } from './row';
import { toldRows } from './told';

/** Rows that a small ledger may have beyond its keys. */
const ROWS_TO_SPARE = 5_000;

/** True when more than half of the rows say nothing that counts. */
export function isWorthCompacting({ ids, entries, decisions: { access } }: Ledger): boolean {
	return ids.size > (entries.size + access.size) * 2 + ROWS_TO_SPARE;
}

/** Holds that were reported longer ago are forgotten: no approval of them holds any more. */
const HOLDS_KEPT_MS = 14 * 24 * 3_600_000;

/**
 * Copies of the rows that count, each with the id of its original, so that what a person adds meanwhile counts more.
 * @param now milliseconds since 1970
 */
export function copiesOf(
	{ entries, decisions, told, lastRun }: Ledger,
	now: number,
): Array<Partial<LedgerRow>> {
	const copies: Array<Partial<LedgerRow>> = [...entries.values()].map(({ row }) => copyOf(row));
	const keys = new Set(entries.keys());
	for (const [id, hold] of decisions.holds) {
		if (now - hold.reportedAt > HOLDS_KEPT_MS) continue;
		const at = new Date(hold.reportedAt).toISOString();
		for (const row of hold.rows) copies.push({ ...copyOf<HoldDetail>(row), at });
		const approval = decisions.approvals.get(id);
		if (approval !== undefined) copies.push(copyOf(approval));
	}
	for (const [key, row] of decisions.resolutions) {
		if (!keys.has(key) || decisions.resolution(entries.get(key)?.row ?? row) !== undefined)
			copies.push(copyOf(row));
	}
	for (const row of decisions.access.values()) copies.push(copyOf<AccessDetail>(row));
	for (const [key, row] of decisions.seen) if (key === SEEN_TURN || keys.has(key)) copies.push(copyOf(row));
	copies.push(...toldRows(told));
	if (lastRun !== undefined) copies.push(copyOf(lastRun.row));
	return copies;
}

function copyOf<Detail = RecordDetail>({ id, ...row }: StoredRow): LedgerRow {
	const detail = { ...detailOf<Detail>(row), of: id };
	return { ...row, detail: JSON.stringify(detail) };
}
