/** Where the time of a run goes: a CPU profile of n8n while the node creates pupils. */
import { createWorkflow } from '../../../playground/n8n-client.mts';

import { contestsOf } from '../contests.mts';
import { openHall } from '../hall.mts';
import { sharesOf } from '../measuring/cpu-profile.mts';
import { profiled } from '../measuring/profiled.mts';
import { runToItsEnd } from '../measuring/runs.mts';
import type { Plan, Share } from '../results.mts';

/** Enough that a profile at one sample per millisecond tells shares apart. */
const ITEMS = 20_000;

export async function profileWork({ say }: Plan): Promise<Share[]> {
	const { result: runMs, profile } = await profiled(async (env) => {
		const hall = await openHall(100, { env });
		try {
			const contest = contestsOf(hall, ITEMS).find(({ id }) => id === 'create-dragged');
			if (contest === undefined) throw new Error('There is no contest "create-dragged"');
			say(`${contest.what}: the profile`);
			const { id } = await createWorkflow(hall.session, contest.ours.workflow);
			const startedAt = performance.now();
			await runToItsEnd(hall.session, id);
			return performance.now() - startedAt;
		} finally {
			await hall.end();
		}
	});
	return sharesOf(profile, runMs);
}
