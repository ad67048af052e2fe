/** Waiting for what comes by itself: a busy machine only takes longer, and what never comes still ends the test. */
import { setTimeout as wait } from 'node:timers/promises';

/** Asks until the answer is not undefined, without keeping who is asked from working. Only what hangs should ever take `timeoutMs`. */
export async function eventually<T>(
	ask: () => Promise<T | undefined> | T | undefined,
	timeoutMs = 560_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const askedAt = Date.now();
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Nothing within ${timeoutMs} ms`);
		await wait(Math.min(Math.max(50, 3 * (Date.now() - askedAt)), 1_000));
	}
}

/** Asks until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean, timeoutMs?: number): Promise<void> {
	await eventually(async () => ((await isSo()) ? true : undefined), timeoutMs);
}
