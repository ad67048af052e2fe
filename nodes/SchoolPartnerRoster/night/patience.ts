/** A store that fails for a reason that passes is asked again. */
import type { StoreResult } from '../store/store';

import type { Clock } from './clock';

/** Between two tries; nothing here sleeps longer in one piece, so that nobody lingers when it is over. */
export const RETRY_MS = 1_000;

/** Asks again each second, for at most so long. */
export async function retryStore<T>(
	clock: Clock,
	mostMs: number,
	ask: () => Promise<StoreResult<T>>,
): Promise<StoreResult<T>> {
	const began = clock.steady();
	for (;;) {
		const answer = await ask();
		if (answer.ok || !answer.failure.isPassing || clock.steady() - began >= mostMs) return answer;
		await clock.sleep(RETRY_MS);
	}
}
