/**
 * Updates that travel together. A request that the service refuses with 400 is halved until the refused updates
 * stand alone, so that one bad record never sinks the others: for one bad record in a batch of n, this costs
 * about 2 log2(n) requests more. Requests for one address go one after another, so that the order of the input holds.
 */
import { readReply } from '../calls/answer';

import type { Outcomes } from './outcomes';
import type { Work, WorkMeans } from './tasks';

/** An item and what its update says. */
export interface Update {
	item: number;
	input: unknown;
}

type Merged = Extract<Work, { kind: 'merged' }>;

export async function sendMerged(
	updates: readonly Update[],
	means: WorkMeans,
	work: Merged,
	outcomes: Outcomes,
): Promise<void> {
	for (let start = 0; start < updates.length; start += means.batchSize) {
		await sendBatch(updates.slice(start, start + means.batchSize), means, work, outcomes);
	}
}

async function sendBatch(
	batch: readonly Update[],
	means: WorkMeans,
	work: Merged,
	outcomes: Outcomes,
): Promise<void> {
	const request = work.request(batch.map(({ input }) => input));
	const reply = await means.send(request);
	if (!reply.ok && reply.failure.status === 400 && batch.length > 1) {
		const middle = Math.ceil(batch.length / 2);
		await sendBatch(batch.slice(0, middle), means, work, outcomes);
		await sendBatch(batch.slice(middle), means, work, outcomes);
		return;
	}
	for (const { item } of batch) {
		// Read anew for each item: what follows may change an item without changing its neighbour.
		outcomes.settle(item, readReply(reply, work.answer, means));
	}
}
