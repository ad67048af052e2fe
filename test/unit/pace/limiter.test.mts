/** The limiter of a run: what really leaves, when many ask at once and when the service does not answer. The clock is the real one. */
import { setTimeout as wait } from 'node:timers/promises';

import { Pace, type Permit } from '../../../nodes/shared/pace/pace.ts';
import { feedbackOf, type Attempt } from '../../../nodes/shared/transport/attempt.ts';
import { Deadlines } from '../../../nodes/shared/transport/deadline.ts';
import { Limiter } from '../../../nodes/shared/transport/limiter.ts';
import { SERVICE } from '../../../nodes/shared/transport/requestWords.ts';
import { PausesOfRun } from '../../../nodes/shared/transport/sendWithRetries.ts';

const ANSWER: Attempt = { kind: 'answered', reply: { status: 200, headers: {}, text: '{}' } };
const refusal = (status: number, headers = {}): Attempt => ({
	kind: 'answered',
	reply: { status, headers, text: '' },
});
const MINUTE = 60_000;
const isSent = (permit: unknown) => typeof permit === 'object';
/** A request that is sent at this time. */
const sent = (pace: Pace, now: number): Permit => {
	const permit = pace.acquire(now);
	if (typeof permit !== 'object') throw new Error(`Not let out at ${now}: ${permit}`);
	return permit;
};
const fixed = (most: number) => new Pace({ isFixed: true, most });
/** The computer's clock is put right by so much. */
const clockPut = (ms: number) => {
	const { now } = Date;
	return jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
};

/** Requests that all ask in the same moment; gives how many were on their way at most. */
async function mostInFlight(pace: Pace, count: number): Promise<number> {
	const limiter = new Limiter(pace);
	let [now, most] = [0, 0];
	const sendOne = async () => {
		const permit = await limiter.acquire(false);
		if (typeof permit === 'string') throw new Error(permit);
		most = Math.max(most, ++now);
		await new Promise((done) => setImmediate(done));
		now--;
		limiter.release(permit, ANSWER, 1, false);
	};
	await Promise.all(Array.from({ length: count }, sendOne));
	return most;
}

test('however many ask in one moment, no more leave than may be in flight', async () => {
	expect(await mostInFlight(fixed(3), 50)).toBe(3);
	expect(await mostInFlight(new Pace({ isFixed: false, most: 64 }), 600)).toBeLessThanOrEqual(64);
});

test('a clock that is put back lengthens no pause', async () => {
	const limiter = new Limiter(fixed(1));
	const permit = await limiter.acquire(false);
	limiter.release(permit as Permit, refusal(503), 1, false);
	const clock = clockPut(-60 * MINUTE);
	expect(await Promise.race([limiter.acquire(true), wait(3_000)])).toMatchObject({ isProbe: true });
	clock.mockRestore();
	limiter.close();
});

test('a clock that is put forward ends nothing that is on its way, and one that is put back gives it no more time', async () => {
	const answered = async (timeoutMs: number) =>
		await new Deadlines(timeoutMs).during(
			async (deadline) => await deadline.within(wait(1_500, 'answered')).catch(() => deadline.trouble),
		);
	for (const [put, timeoutMs, came] of [
		[60 * MINUTE, 30_000, 'answered'],
		[-60 * MINUTE, 200, 'timeout'],
	] as const) {
		const ending = answered(timeoutMs);
		const clock = clockPut(put);
		expect(await ending).toBe(came);
		clock.mockRestore();
	}
});

test('a service that never answers in time is given up two minutes after its first silence, and one that answers is not', () => {
	const pace = fixed(2);
	const silent = feedbackOf({ kind: 'lost', trouble: 'timeout' }, 0, 0);
	pace.release(sent(pace, 0), 30_000, silent, 0);
	expect(isSent(pace.acquire(30_000 + MINUTE))).toBe(true);
	pace.release(sent(pace, 90_000), 120_000, silent, 0);
	expect(pace.acquire(30_000 + 2 * MINUTE)).toBe('unavailable');
	pace.release(sent(pace, 120_000), 121_000, { kind: 'served', tookMs: 5 }, 0);
	expect(isSent(pace.acquire(30_000 + 2 * MINUTE))).toBe(true);
});

test('a pause that the service has asked for holds the run, also where a plain 503 came before it', () => {
	const pace = fixed(3);
	const [first, second, older] = [sent(pace, 0), sent(pace, 0), sent(pace, 0)];
	pace.release(first, 100, feedbackOf(refusal(503), 5, 100), 0);
	pace.release(second, 110, feedbackOf(refusal(429, { 'retry-after': '20' }), 5, 110), 0);
	pace.release(older, 120, { kind: 'served', tookMs: 5 }, 0);
	expect(pace.acquire(1_000)).toEqual(expect.any(Number));
	expect(isSent(pace.acquire(20_200))).toBe(true);
});

test('what an earlier batch met long ago does not make a short trouble of the next one the end', () => {
	const pace = fixed(1);
	pace.release(sent(pace, 0), 10, feedbackOf(refusal(503), 5, 10), 0);
	const later = 10 * MINUTE;
	pace.release(sent(pace, later), later + 10, feedbackOf(refusal(503), 5, later), 0);
	expect(isSent(pace.acquire(later + 2_000))).toBe(true);
});

test('what an earlier batch waited for long ago does not make one late answer of the next one the end', () => {
	const pace = fixed(2);
	const silent = feedbackOf({ kind: 'lost', trouble: 'timeout' }, 0, 0);
	for (let minute = 0; minute < 3; minute++)
		pace.release(sent(pace, minute * MINUTE), minute * MINUTE + 30_000, silent, 0);
	pace.release(sent(pace, 10 * MINUTE), 10 * MINUTE + 30_000, silent, 0);
	expect(isSent(pace.acquire(10 * MINUTE + 30_000))).toBe(true);
	pace.release(sent(pace, 12 * MINUTE), 12 * MINUTE + 30_000, silent, 0);
	expect(pace.acquire(12 * MINUTE + 30_000)).toBe('unavailable');
});

test('one refusal for too many requests does not slow the rest of a run for good', () => {
	const pace = fixed(10);
	pace.release(sent(pace, 0), 5, { kind: 'served', tookMs: 5 }, 0);
	pace.release(sent(pace, 10), 1_010, feedbackOf(refusal(429), 1_000, 1_010), 0);
	const later = 5 * MINUTE;
	for (let request = 0; request < 9; request++) expect(isSent(pace.acquire(later))).toBe(true);
});

test('a last request that is always refused, when nobody else waits, spends its retries after half a minute', () => {
	const pace = fixed(1);
	const refused = refusal(503);
	const pauses = new PausesOfRun({ peer: SERVICE }, new Limiter(pace));
	const isPauseAt = (now: number) => {
		pace.release(sent(pace, now), now, feedbackOf(refused, 5, now), 0);
		return pauses.include(refused, now);
	};
	pace.release(sent(pace, 0), 5, { kind: 'served', tookMs: 5 }, 0);
	expect([1_000, 30_000, 31_000, 32_000, 33_000].map(isPauseAt)).toEqual([true, true, true, false, false]);
});
