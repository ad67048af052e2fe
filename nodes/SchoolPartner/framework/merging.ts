/**
 * Updates that travel together. A request that the service refuses with 400 is halved until the refused updates
 * stand alone, so that one bad record never sinks the others: for one bad record in a batch of n, this costs
 * about 2 log2(n) requests more. Requests for one key go one after another, so that the order of the input holds.
 */
import type { Outcome } from '../../shared/transport/failure';
import type { Send } from '../../shared/transport/send';

import { readAnswer, type Found } from '../../shared/calls/answer';
import type { Manner } from './manner';
import type { Work } from './operation';

/** An item and what its update says. */
export interface Update {
	item: number;
	input: unknown;
}

type Merged = Extract<Work<unknown>, { kind: 'merged' }>;
type Settle = (item: number, outcome: Outcome<Found>) => void;

export async function sendMerged(
	updates: readonly Update[],
	manner: Manner,
	work: Merged,
	send: Send,
	settle: Settle,
): Promise<void> {
	for (let start = 0; start < updates.length; start += manner.batchSize) {
		await sendBatch(updates.slice(start, start + manner.batchSize), manner, work, send, settle);
	}
}

async function sendBatch(batch: readonly Update[], manner: Manner, work: Merged, send: Send, settle: Settle): Promise<void> {
	const request = work.request(batch.map(({ input }) => input));
	const reply = await send(request);
	if (!reply.ok && reply.failure.status === 400 && batch.length > 1) {
		const middle = Math.ceil(batch.length / 2);
		await sendBatch(batch.slice(0, middle), manner, work, send, settle);
		await sendBatch(batch.slice(middle), manner, work, send, settle);
		return;
	}
	for (const { item } of batch) {
		// Read anew for each item: what follows may change an item without changing its neighbour.
		settle(item, reply.ok ? readAnswer(request, reply.value, work.answer, manner.simplify) : reply);
	}
}
