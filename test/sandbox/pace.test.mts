/**
 * A sandbox that is far, limited in rate or limited in capacity: what a client of such a service sees, and what the counters
 * say of it. Bounds are generous, since the machine may be busy: waits have a least, and no most that matters.
 */
import { Agent } from 'node:http';
import type { Capacity, RateLimit } from '../../sandbox/settings-types.mts';
import { TokenBucket } from '../../sandbox/http/token-bucket.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, requestToken, send, type ErrorsBody, type Reply } from './support.mts';

const profiles = '/data/v1/profiles';

let sandbox: Sandbox;
let api: Api;
let authorization: string;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 12 });
	api = await Api.open(sandbox);
	authorization = `Bearer ${(await requestToken(sandbox)).data.access_token}`;
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

const atOnce = async (count: number): Promise<Array<Reply<ErrorsBody>>> =>
	await Promise.all(Array.from({ length: count }, async () => await api.get<ErrorsBody>(profiles)));
const countOf = (answers: ReadonlyArray<{ status: number }>, status: number): number =>
	answers.filter((answer) => answer.status === status).length;
/** Milliseconds that it took. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

describe('far away', () => {
	test('Every answer of the API waits for the latency, and signing on does not', async () => {
		await sandbox.admin.changeSettings({ latencyMs: 400 });
		expect(await timeOf(async () => await api.get(profiles))).toBeGreaterThanOrEqual(395);
		const signOn = await Promise.all([0, 1, 2].map(async () => await timeOf(() => requestToken(sandbox))));
		expect(Math.min(...signOn)).toBeLessThan(395);
	});

	test('The first request on a connection waits longer, those after it do not', async () => {
		await sandbox.admin.changeSettings({ connectionLatencyMs: 400 });
		const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 });
		const read = async (): Promise<number> =>
			await timeOf(
				async () => await send({ url: sandbox.baseUrl + profiles, headers: { authorization }, httpAgent }),
			);
		const [first, ...others] = [await read(), await read(), await read()];
		httpAgent.destroy();
		expect(first).toBeGreaterThanOrEqual(395);
		expect(Math.min(...others)).toBeLessThan(395);
		// Each token request of this test opens a connection of its own.
		expect(await timeOf(async () => await requestToken(sandbox))).toBeGreaterThanOrEqual(395);
	});

	test('The counters tell how many connections were opened, without the admin', async () => {
		await sandbox.admin.resetPace();
		await atOnce(3);
		const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 });
		for (let number = 0; number < 5; number += 1)
			await send({ url: sandbox.baseUrl + profiles, headers: { authorization }, httpAgent });
		httpAgent.destroy();
		expect((await sandbox.admin.pace()).connectionsOpened).toBe(4);
	});
});

describe('limited in rate', () => {
	const limit = async (rate: RateLimit | null): Promise<unknown> =>
		await sandbox.admin.changeSettings({ rate });

	test('What is more than the burst is refused with 429 and Retry-After', async () => {
		await limit({ perSecond: 0.01, burst: 4 });
		const answers = await atOnce(10);
		expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([4, 6]);
		const refused = answers.find(({ status }) => status === 429);
		expect(refused?.headers['retry-after']).toBe('1');
		expect(refused?.data.Errors[0].Message).toBe('Too many requests.');
		expect((await sandbox.admin.pace()).refused).toEqual({ rate: 6, queue: 0 });
	});

	test('Retry-After can be another one, or none', async () => {
		await limit({ perSecond: 0.01, burst: 1, retryAfter: 7 });
		expect((await atOnce(2)).find(({ status }) => status === 429)?.headers['retry-after']).toBe('7');
		await limit({ perSecond: 0.01, burst: 1, retryAfter: null });
		const refused = (await atOnce(2)).find(({ status }) => status === 429);
		expect(refused?.headers['retry-after']).toBeUndefined();
	});

	test('After a pause it takes requests again, and signing on is never limited', async () => {
		await limit({ perSecond: 4, burst: 1 });
		expect(countOf(await atOnce(2), 429)).toBeGreaterThanOrEqual(1);
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect((await api.get(profiles)).status).toBe(200);
		await limit({ perSecond: 0.01, burst: 1 });
		const tokens = await Promise.all([0, 1, 2].map(async () => await requestToken(sandbox)));
		expect(countOf(tokens, 200)).toBe(3);
	});

	test('The limit can be taken back while it runs', async () => {
		await limit({ perSecond: 0.01, burst: 1 });
		expect(countOf(await atOnce(3), 429)).toBe(2);
		await limit(null);
		expect(countOf(await atOnce(3), 200)).toBe(3);
	});

	test('Over a second it lets through the burst and the rate, and no more', () => {
		const bucket = new TokenBucket({ perSecond: 100, burst: 20 }, 0);
		let taken = 0;
		for (let now = 0; now <= 1_000; now += 1) if (bucket.take(now)) taken += 1;
		expect(taken).toBeGreaterThanOrEqual(119);
		expect(taken).toBeLessThanOrEqual(120);
	});

	test('A long pause saves up the burst, and no more', () => {
		const bucket = new TokenBucket({ perSecond: 100, burst: 3 }, 0);
		const taken = Array.from({ length: 8 }, () => bucket.take(60_000)).filter(Boolean);
		expect(taken).toHaveLength(3);
	});

	test('Without a burst, those of one second may come at once', () => {
		const bucket = new TokenBucket({ perSecond: 5 }, 0);
		const taken = Array.from({ length: 8 }, () => bucket.take(0)).filter(Boolean);
		expect(taken).toHaveLength(5);
		expect([bucket.take(100), bucket.take(200), bucket.take(200)]).toEqual([false, true, false]);
	});
});

describe('limited in capacity', () => {
	const limit = async (capacity: Capacity | null): Promise<unknown> =>
		await sandbox.admin.changeSettings({ capacity });

	test('So many are worked on at once, the others wait in line and are served', async () => {
		await limit({ atOnce: 3, workMs: 100 });
		const took = await timeOf(async () => expect(countOf(await atOnce(9), 200)).toBe(9));
		expect(took).toBeGreaterThanOrEqual(290);
		const { highestAtWork, highestWaiting, refused, queueWaitMs } = await sandbox.admin.pace();
		expect([highestAtWork, refused]).toEqual([3, { rate: 0, queue: 0 }]);
		expect(highestWaiting).toBeGreaterThanOrEqual(1);
		expect(highestWaiting).toBeLessThanOrEqual(6);
		expect(queueWaitMs.count).toBe(9);
		// Six of nine waited for those before them, the last ones for two rounds.
		expect(queueWaitMs.p95).toBeGreaterThanOrEqual(queueWaitMs.p50);
		expect(queueWaitMs.max).toBeGreaterThanOrEqual(100);
	});

	test('What finds the line full is refused with 503', async () => {
		await limit({ atOnce: 2, workMs: 1_500, queue: 3 });
		const answers = await atOnce(12);
		expect([countOf(answers, 200), countOf(answers, 503)]).toEqual([5, 7]);
		const { refused, highestWaiting, highestAtWork } = await sandbox.admin.pace();
		expect([refused, highestWaiting, highestAtWork]).toEqual([{ rate: 0, queue: 7 }, 3, 2]);
		const message = answers.find(({ status }) => status === 503)?.data.Errors[0].Message;
		expect(message).toBe('The service is busy.');
	});

	test('Who waits comes in the order of arrival', async () => {
		await limit({ atOnce: 1, workMs: 150 });
		const order: number[] = [];
		const ask = async (number: number): Promise<void> => {
			await api.get(profiles);
			order.push(number);
		};
		const all: Array<Promise<void>> = [];
		for (const number of [1, 2, 3]) {
			all.push(ask(number));
			await new Promise((resolve) => setTimeout(resolve, 60));
		}
		await Promise.all(all);
		expect(order).toEqual([1, 2, 3]);
	});

	test('A client that goes away leaves its place to the next', async () => {
		await limit({ atOnce: 1, workMs: 300 });
		const gone = send({
			url: sandbox.baseUrl + profiles,
			headers: { authorization },
			signal: AbortSignal.timeout(100),
		});
		await expect(gone).rejects.toThrow();
		expect((await api.get(profiles)).status).toBe(200);
		expect((await api.get(profiles)).status).toBe(200);
	});

	test('A capacity that is taken back lets everybody in', async () => {
		await limit({ atOnce: 1, workMs: 300 });
		const waiting = atOnce(4);
		while ((await sandbox.admin.pace()).highestWaiting < 3)
			await new Promise((resolve) => setTimeout(resolve, 10));
		await limit(null);
		expect(countOf(await waiting, 200)).toBe(4);
		expect(countOf(await atOnce(4), 200)).toBe(4);
	});

	test('The counters start anew when they are set back', async () => {
		await limit({ atOnce: 1, workMs: 50, queue: 1 });
		await atOnce(5);
		expect((await sandbox.admin.pace()).highestInFlight).toBeGreaterThan(1);
		// The answer reaches the client a moment before its place is free.
		while ((await sandbox.admin.requestLog({ countOnly: true })).inFlight > 0)
			await new Promise((resolve) => setTimeout(resolve, 10));
		await sandbox.admin.resetPace();
		expect(await sandbox.admin.pace()).toEqual({
			highestInFlight: 0,
			highestAtWork: 0,
			highestWaiting: 0,
			refused: { rate: 0, queue: 0 },
			queueWaitMs: { count: 0, p50: 0, p95: 0, max: 0 },
			connectionsOpened: 0,
		});
	});
});

test.each([
	['rate', { perSecond: 0 }, '"rate.perSecond" must be a number from 0.001 to 1000000.'],
	['rate', { perSecond: 5, brst: 3 }, '"rate" has no "brst". It has: perSecond, burst, retryAfter.'],
	['capacity', { atOnce: 0 }, '"capacity.atOnce" must be a whole number from 1.'],
	['capacity', { workMs: 5 }, '"capacity.atOnce" must be a whole number from 1.'],
	['connectionLatencyMs', -1, '"connectionLatencyMs" must be a number from 0 to 600000.'],
])('A setting that makes no sense is refused: %s %j', async (name, value, sentence) => {
	await expect(sandbox.admin.changeSettings({ [name]: value })).rejects.toThrow(sentence);
});
