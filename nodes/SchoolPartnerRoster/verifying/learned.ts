/** What the ledger learns of what was seen, as rows that nobody's lease counts. Pure. */
import { SEEN_TURN } from '../ledger/decisions';
import { detailOf, type DecisionDetail, type SeenDetail } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';

import { BY } from './believed';
import { RESPONSIBLE_IDS, type PersonComparison } from './compared';

/** @param settled keys of bonds that were uncertain, and are there @param turn the part that was asked for, from 0; undefined where it is to be asked for again */
export function learnedRows(
	{ decisions, entries }: Ledger,
	compared: ReadonlyArray<Pick<PersonComparison, 'key' | 'seen' | 'responsible'>>,
	settled: readonly string[],
	turn: number | undefined,
): Array<Partial<LedgerRow>> {
	const rows: Array<Partial<LedgerRow>> = [];
	if (turn !== undefined) rows.push({ kind: 'seen', key: SEEN_TURN, state: String(turn) });
	for (const one of compared) {
		const before = decisions.seen.get(one.key);
		const detail = seenDetail(one, before === undefined ? {} : (detailOf<SeenDetail>(before).seen ?? {}));
		const school_external_id = entries.get(one.key)?.school ?? '';
		if (detail !== undefined)
			rows.push({ kind: 'seen', key: one.key, school_external_id, state: 'seen', detail });
	}
	const by = JSON.stringify({ by: BY } satisfies DecisionDetail);
	for (const key of settled) rows.push({ kind: 'resolve', key, state: 'inService', detail: by });
	return rows;
}

/** What was not seen now stays as it was seen last. Undefined where nothing is new. */
function seenDetail(
	{ seen, responsible }: Pick<PersonComparison, 'seen' | 'responsible'>,
	before: Readonly<Record<string, string>>,
): string | undefined {
	if (seen === undefined) return undefined;
	const isKept = responsible === 'notSeen' && RESPONSIBLE_IDS in before;
	const now = isKept ? { ...seen, [RESPONSIBLE_IDS]: before[RESPONSIBLE_IDS] } : seen;
	const isNew = JSON.stringify(now) !== JSON.stringify(before);
	return isNew ? JSON.stringify({ seen: now } satisfies SeenDetail) : undefined;
}
