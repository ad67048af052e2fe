/** Where the time of a run goes: a CPU profile of n8n while the node creates pupils. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createWorkflow } from '../../../playground/n8n-client.mts';

import { contestsOf } from '../contests.mts';
import { openHall } from '../hall.mts';
import { sharesOf, type CpuProfile } from '../measuring/cpu-profile.mts';
import { runToItsEnd } from '../measuring/runs.mts';
import type { Plan, Share } from '../results.mts';

/** Enough that a profile at one sample per millisecond tells shares apart. */
const ITEMS = 20_000;

export async function profileWork({ say }: Plan): Promise<Share[]> {
	const folder = mkdtempSync(join(tmpdir(), 'school-partner-profile-'));
	try {
		const hall = await openHall(100, { env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } });
		let runMs = 0;
		try {
			const contest = contestsOf(hall, ITEMS).find(({ id }) => id === 'create-dragged');
			if (contest === undefined) throw new Error('There is no contest "create-dragged"');
			say(`${contest.what}: the profile`);
			const { id } = await createWorkflow(hall.session, contest.ours.workflow);
			const startedAt = performance.now();
			await runToItsEnd(hall.session, id);
			runMs = performance.now() - startedAt;
		} finally {
			// n8n writes its profile when it ends.
			await hall.end();
		}
		return sharesOf(largestProfileIn(folder), runMs);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** n8n's main process has run longest; its task runner writes one as well. */
function largestProfileIn(folder: string): CpuProfile {
	const profiles = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
	const largest = profiles.sort((one, other) => other.length - one.length)[0];
	if (largest === undefined) throw new Error('n8n has written no profile');
	return JSON.parse(largest) as CpuProfile;
}
