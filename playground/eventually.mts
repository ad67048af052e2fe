/** Waiting for what comes by itself: a busy machine only takes longer, and what never comes still ends the waiting. */
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Asks until the answer is not undefined. On a busy machine the questions would be most of what n8n has to do, so that who is asked is left
 * alone for three times as long as an answer took, and at most a second.
 * @param timeoutMs only what hangs should ever take it
 * @param unanswered what the failure says that comes then
 */
export async function eventually<T>(
	ask: () => Promise<T | undefined> | T | undefined,
	timeoutMs = 560_000,
	unanswered = () => 'Nothing',
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const askedAt = Date.now();
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`${unanswered()} within ${timeoutMs} ms`);
		await wait(Math.min(Math.max(50, 3 * (Date.now() - askedAt)), 1_000));
	}
}

/** Asks until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean, timeoutMs?: number): Promise<void> {
	await eventually(async () => ((await isSo()) ? true : undefined), timeoutMs);
}
