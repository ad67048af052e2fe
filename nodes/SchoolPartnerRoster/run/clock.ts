/** n8n's process, as a night sees it. */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../../shared/pace/clock';
import type { Clock } from '../night/clock';

export const CLOCK: Clock = {
	wall: () => Date.now(),
	steady: steadyNow,
	sleep: async (milliseconds) => await sleep(milliseconds),
};
