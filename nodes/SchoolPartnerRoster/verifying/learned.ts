/** What the ledger learns of what was seen, as rows that nobody's lease counts. Pure. */
import type { Ledger } from '../ledger/ledger';
import { SEEN_TURN } from '../ledger/decisions';
import type { DecisionDetail, SeenDetail } from '../ledger/detail';
import type { LedgerRow } from '../ledger/row';

import { BY } from './difference';
import type { PersonSeen } from './person';

/** The share that comes next. */
export function nextTurn({ decisions }: Ledger, share: number): number {
	const last = Number(decisions.seen.get(SEEN_TURN)?.state ?? -1);
	return (last + 1) % share;
}

/** @param settled keys of bonds that were uncertain, and are there */
export function learnedRows(
	{ decisions, entries }: Ledger,
	people: ReadonlyArray<Pick<PersonSeen, 'key' | 'seen'>>,
	settled: readonly string[],
	turn: number,
): Array<Partial<LedgerRow>> {
	const rows: Array<Partial<LedgerRow>> = [{ kind: 'seen', key: SEEN_TURN, state: String(turn) }];
	for (const { key, seen } of people) {
		const detail = JSON.stringify({ seen } satisfies SeenDetail);
		const before = decisions.seen.get(key);
		const isNews =
			before === undefined ? Object.keys(seen).length > 0 : !before.detail.startsWith(detail.slice(0, -1));
		const school_external_id = entries.get(key)?.school ?? '';
		if (isNews) rows.push({ kind: 'seen', key, school_external_id, state: 'seen', detail });
	}
	const by = JSON.stringify({ by: BY } satisfies DecisionDetail);
	for (const key of settled) rows.push({ kind: 'resolve', key, state: 'inService', detail: by });
	return rows;
}
