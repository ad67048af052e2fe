/** The rows by which a ledger knows what a hold keeps back, so that just this is approved. */
import { holdKey } from '../ledger/decisions';
import type { HoldDetail } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import type { Hold } from '../planning/holds';

/** Digests in one row, so that a cell stays below 25 KB. */
const DIGESTS_IN_A_ROW = 2_000;

/** Of the holds that the ledger does not know yet. */
export function holdRows(holds: readonly Hold[], { decisions }: Ledger): Array<Partial<LedgerRow>> {
	return holds.filter(({ hold_id: id }) => (decisions.holds.get(id)?.rows.length ?? 0) === 0).flatMap(rowsOf);
}

function rowsOf({ hold_id: id, school_external_id: school, reason, conditions, digests }: Hold) {
	const rows: Array<Partial<LedgerRow>> = [];
	for (let start = 0; start < Math.max(digests.length, 1); start += DIGESTS_IN_A_ROW) {
		const detail: HoldDetail = {
			school,
			reason,
			conditions,
			changes: digests.slice(start, start + DIGESTS_IN_A_ROW),
		};
		rows.push({
			...{ kind: 'hold', key: holdKey(id, rows.length + 1), school_external_id: school },
			...{ state: 'reported', detail: JSON.stringify(detail) },
		});
	}
	return rows;
}
