/** What the ledger learns of what was seen, as rows that nobody's lease counts. Pure. */
import { SEEN_TURN } from '../ledger/decisions';
import { detailOf, type DecisionDetail, type SeenDetail } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';

import { BY } from './believed';
import { RESPONSIBLE, type PersonComparison } from './compared';

/** @param settled keys of bonds that were uncertain, and are there */
export function learnedRows(
	{ decisions, entries }: Ledger,
	compared: ReadonlyArray<Pick<PersonComparison, 'key' | 'seen' | 'responsible'>>,
	settled: readonly string[],
	turn: number,
): Array<Partial<LedgerRow>> {
	const rows: Array<Partial<LedgerRow>> = [{ kind: 'seen', key: SEEN_TURN, state: String(turn) }];
	for (const { key, seen, responsible } of compared) {
		// What was not seen now stays as it was seen last.
		if (seen === undefined) continue;
		const row = decisions.seen.get(key);
		const { seen: before = {} } = row === undefined ? {} : detailOf<SeenDetail>(row);
		const isKept = responsible === 'notSeen' && RESPONSIBLE in before;
		const now = isKept ? { ...seen, [RESPONSIBLE]: before[RESPONSIBLE] } : seen;
		if (JSON.stringify(now) === JSON.stringify(before)) continue;
		const detail = JSON.stringify({ seen: now } satisfies SeenDetail);
		rows.push({
			kind: 'seen',
			key,
			school_external_id: entries.get(key)?.school ?? '',
			state: 'seen',
			detail,
		});
	}
	const by = JSON.stringify({ by: BY } satisfies DecisionDetail);
	for (const key of settled) rows.push({ kind: 'resolve', key, state: 'inService', detail: by });
	return rows;
}
