/** Several runs of one ledger that start in the same instant. */
import { doublesIn, uncertainIn, type Load } from './load.mts';
import type { Night } from './stage.mts';

/** What the runs said, most frequent first, such as "4 busy, 1 done". */
export type Outcomes = string;

/**
 * First runs on a ledger that is not there yet, then runs that may send: whoever is not the first is busy, or finds nothing left.
 * @param start starts the workflow so many times in the same instant
 */
export async function expectOneSender(
	load: Load,
	times: number,
	start = async (workflowId: string) => await load.startTogether(workflowId, times),
): Promise<{ first: Outcomes; sending: Outcomes }> {
	const workflowId = await load.save();
	const first = await nightsOf(load, await start(workflowId));
	const held = first.find(({ summary }) => summary.outcome === 'held');
	expect(first.filter(({ summary }) => !['held', 'busy'].includes(String(summary.outcome)))).toEqual([]);
	expect(await load.writes()).toBe(0);
	await load.approve(held as Night);
	const sending = await nightsOf(load, await start(workflowId));
	expect(await load.writes()).toBe(load.network.keys.length);
	expect(await load.held()).toEqual(load.network.keys);
	await expectOneAfterAnother(load);
	return { first: outcomesOf(first), sending: outcomesOf(sending) };
}

async function nightsOf(load: Load, ids: readonly string[]): Promise<Night[]> {
	const nights = await Promise.all(ids.map(async (id) => await load.end(id)));
	for (const { said } of nights) expect(said).toBe('');
	return nights;
}

/** Each run has written its rows before another wrote one, and there is one lease. */
async function expectOneAfterAnother(load: Load): Promise<void> {
	const rows = await load.rows();
	const runs = rows.filter(({ kind }) => kind !== 'lease' && kind !== 'approve').map(({ run_id }) => run_id);
	expect(doublesIn(runs.filter((run, place) => run !== runs[place - 1]))).toEqual([]);
	expect(rows.filter(({ kind }) => kind === 'lease')).toHaveLength(1);
	expect(uncertainIn(rows)).toEqual([]);
}

export function outcomesOf(nights: readonly Night[]): Outcomes {
	const counts = new Map<string, number>();
	for (const { summary } of nights) {
		const outcome = String(summary.outcome);
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	return [...counts]
		.sort()
		.map(([outcome, count]) => `${count} ${outcome}`)
		.join(', ');
}
