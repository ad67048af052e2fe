/**
 * From inputs to outcomes: one for every input, in their order, whatever happens. Knows nothing of n8n's nodes and
 * items. Everything that can be said about the inputs without sending anything comes first, for all of them; then
 * what is to be done is begun in their order.
 */
import { sleep } from 'n8n-workflow';
import pMap from 'p-map';

import type { Outcome } from '../../shared/failure';

import type { Found } from '../../shared/calls/answer';
import { Ledger, type ResultOf, type StopRule } from './ledger';
import type { Work } from './operation';
import { planOf, type Means } from './tasks';

/** Everything that the engine has to know. */
export interface Job extends StopRule, Means {
	/** How many inputs there are. */
	count: number;
	/** Reads and checks one of them, and sends nothing. */
	inputOf: (item: number) => Outcome<unknown>;
	work: Work<unknown>;
	resultOf: ResultOf;
	/** How many requests may be on their way at the same time. */
	concurrency: number;
}

/** Reading many inputs in one go would keep n8n from answering anything else: after so many, it gets its turn. */
const INPUTS_IN_ONE_GO = 200;

/** Never throws. With `stopsAtFailure`, inputs that were not begun have {@link NOT_BEGUN} as their outcome. */
export async function outcomesOf(job: Job): Promise<Array<Outcome<Found>>> {
	const ledger = new Ledger(job, job.resultOf);
	const plan = planOf(job.work, job, ledger);
	for (let item = 0; item < job.count && !ledger.isOver; item++) {
		if (item % INPUTS_IN_ONE_GO === INPUTS_IN_ONE_GO - 1) await sleep(0);
		await ledger.guard([item], 'nothingSent', async () => {
			const input = job.inputOf(item);
			if (input.ok) await plan.add(item, input.value);
			else ledger.settle(item, input);
		});
	}
	if (!ledger.isOver) {
		const perform = async ({ items, perform }: (typeof plan.tasks)[number]) => await ledger.guard(items, 'unknown', perform);
		await pMap(plan.tasks, perform, { concurrency: job.concurrency });
	}
	return Array.from({ length: job.count }, (_, item) => ledger.of(item));
}
