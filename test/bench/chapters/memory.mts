/** Most memory that n8n holds while it works on 20,000 items: with this node, and with the HTTP Request node. */
import { createWorkflow } from '../../../playground/n8n-client.mts';

import { openHall } from '../hall.mts';
import { peakMemoryMb } from '../measuring/machine.mts';
import { runToItsEnd } from '../measuring/runs.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Comparison, Plan } from '../results.mts';
import { lookupSides } from '../contests.mts';

const ITEMS = 20_000;

/** A round takes two minutes and more, and what is seen is far from the target. */
const MOST_ROUNDS = 2;

/** Each measurement in an n8n of its own: what an earlier run left behind would count as well. */
export async function measureMemory({ rounds: asked, say }: Plan): Promise<Comparison[]> {
	const rounds = Math.min(asked, MOST_ROUNDS);
	const what = `peak memory, ${ITEMS.toLocaleString('en')} account.get`;
	const peaks = { ours: [] as number[], theirs: [] as number[] };
	for (let round = 0; round < rounds; round++) {
		say(`${what}, round ${round + 1} of ${rounds}`);
		const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
		for (const side of order) peaks[side].push(await peakOf(side));
	}
	return [
		{
			id: 'memory',
			what,
			against: 'HTTP Request node',
			unit: 'MB',
			target: { atMost: 1 },
			ours: spreadOf(peaks.ours),
			theirs: spreadOf(peaks.theirs),
			ratio: spreadOf(ratiosOf(peaks.ours, peaks.theirs)),
		},
	];
}

async function peakOf(side: 'ours' | 'theirs'): Promise<number> {
	const hall = await openHall(ITEMS);
	try {
		const { workflow } = lookupSides(hall, ITEMS, ITEMS)[side];
		const { id } = await createWorkflow(hall.session, workflow);
		await runToItsEnd(hall.session, id);
		return peakMemoryMb(hall.n8n.process.pid);
	} finally {
		await hall.end();
	}
}
