/** Time as a night needs it, and waiting for a store that fails for a while. */
import { storeResult, StoreError } from '../store/store';

/** Passed in, so that tests run a night in time that is only counted. */
export interface Clock {
	/** Milliseconds since 1970; may jump. */
	wall: () => number;
	/** Milliseconds that only grow; stands still, on some systems, while the machine sleeps. */
	steady: () => number;
	sleep: (milliseconds: number) => Promise<void>;
}

/** Between two tries; nothing here sleeps longer in one piece, so that a run that is over ends soon. */
export const RETRY_EVERY_MS = 1_000;

/** A database that restarts, or is locked by a backup, comes back within this time. */
export const RETRY_FOR_MS = 2 * 60_000;

/** Calls the store again, each second, while it fails for a reason that passes. @param isOver says that nothing is worth trying any more */
export async function retryStore<T>(
	clock: Clock,
	call: () => Promise<T>,
	forMs = RETRY_FOR_MS,
	isOver = () => false,
): Promise<T> {
	const began = clock.steady();
	for (;;) {
		const result = await storeResult(call());
		if (result.ok) return result.value;
		if (!result.failure.isPassing || isOver() || clock.steady() - began >= forMs)
			throw new StoreError(result.failure);
		await clock.sleep(RETRY_EVERY_MS);
	}
}
