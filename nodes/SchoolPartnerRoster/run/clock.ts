/** n8n's process, as the parts without n8n see it. */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../../shared/pace/clock';
import type { Clock } from '../night/clock';
import type { Host } from '../roster/turns';

export const CLOCK: Clock = {
	wall: () => Date.now(),
	steady: steadyNow,
	sleep: async (milliseconds) => await sleep(milliseconds),
};

export const HOST: Host = { pause: async () => await sleep(0), clock: () => Date.now() };
