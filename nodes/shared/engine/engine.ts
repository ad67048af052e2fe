/**
 * From inputs to outcomes: one for every input, in their order, whatever happens. Knows nothing of n8n's nodes and
 * items. Everything that can be said about the inputs without sending anything comes first, for all of them; then
 * what is to be done is begun in their order.
 */
import { sleep } from 'n8n-workflow';
import pMap from 'p-map';

import type { Found } from '../calls/answer';
import type { Outcome } from '../failure';

import { Outcomes, type ResultOf, type StopRule } from './outcomes';
import { planOf, type Work, type WorkMeans } from './tasks';

/** Everything that the engine has to know. */
export interface Job extends StopRule, WorkMeans {
	/** How many inputs there are. */
	count: number;
	/** Reads and checks one of them, and sends nothing. */
	inputOf: (item: number) => Outcome<unknown>;
	work: Work;
	resultOf: ResultOf;
	/** How many tasks may be begun at the same time: the most that the pace can ever let out. When each sends is the gate's to say. */
	begunAtOnce: number;
}

/** Reading many inputs in one go would keep n8n from answering anything else: after so many, it gets its turn. */
const INPUTS_IN_ONE_GO = 200;

/** Never throws. With `stopsAtFailure`, inputs that were not begun have NOT_BEGUN as their outcome. */
export async function outcomesOf(job: Job): Promise<Array<Outcome<Found>>> {
	const outcomes = new Outcomes(job, job.resultOf);
	const plan = planOf(job.work, job, outcomes);
	for (let item = 0; item < job.count && !outcomes.isOver; item++) {
		if (item % INPUTS_IN_ONE_GO === INPUTS_IN_ONE_GO - 1) await sleep(0);
		await outcomes.guard([item], 'none', async () => {
			const input = job.inputOf(item);
			if (input.ok) await plan.add(item, input.value);
			else outcomes.settle(item, input);
		});
	}
	if (!outcomes.isOver) {
		const perform = async ({ items, perform }: (typeof plan.tasks)[number]) =>
			await outcomes.guard(items, 'unknown', perform);
		await pMap(plan.tasks, perform, { concurrency: job.begunAtOnce });
	}
	return Array.from({ length: job.count }, (_, item) => outcomes.of(item));
}
