/** Whole runs of requests, as they are sent: who waits behind whom, and for how long. Time is only counted; the service is a model. */
import pMap from 'p-map';

import type { Outcome } from '../../../nodes/shared/failure.ts';
import { Pace } from '../../../nodes/shared/pace/pace.ts';
import { Deadlines } from '../../../nodes/shared/transport/deadline.ts';
import { Limiter } from '../../../nodes/shared/transport/limiter.ts';
import { SERVICE } from '../../../nodes/shared/transport/requestWords.ts';
import type { Reply } from '../../../nodes/shared/transport/request.ts';
import { sendWithRetries } from '../../../nodes/shared/transport/sendWithRetries.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

interface Ran {
	seconds: number;
	outcomes: Array<Outcome<Reply>>;
	/** How often the request of each item arrived. */
	arrivals: number[];
}

/**
 * Sends one request for each item, as the engine does.
 * @param refuses whether the service refuses the n-th request (0 is the first) of an item
 */
async function ran(
	count: number,
	status: number,
	refuses: (item: number, nth: number) => boolean,
): Promise<Ran> {
	const arrivals = Array.from({ length: count }, () => 0);
	const httpRequest = async ({ url }: { url: string }) => {
		const item = Number(new URL(url).pathname.slice(1));
		const isRefused = refuses(item, arrivals[item]++);
		await new Promise((answered) => setTimeout(answered, 20));
		return isRefused
			? { statusCode: status, headers: { 'retry-after': '1' }, body: '' }
			: { statusCode: 200, headers: {}, body: '{}' };
	};
	const limiter = new Limiter(new Pace({ isFixed: false, most: 128 }));
	const policy = { timeoutMs: 30_000, maxRetries: 3 };
	const context = { helpers: { httpRequest }, policy, limiter, deadlines: new Deadlines(30_000) };
	const begin = Date.now();
	let ended: { at: number; outcomes: Ran['outcomes'] } | undefined;
	const item = async (index: number) =>
		await sendWithRetries(
			{ method: 'GET', url: `https://service.example/${index}`, isBounded: false, peer: SERVICE },
			context,
		);
	void pMap(arrivals.keys(), item, { concurrency: limiter.pace.ceiling }).then(
		(outcomes) => (ended = { at: Date.now(), outcomes }),
	);
	while (ended === undefined) await jest.advanceTimersByTimeAsync(50);
	return { seconds: (ended.at - begin) / 1_000, outcomes: ended.outcomes, arrivals };
}

const failures = ({ outcomes }: Ran) => outcomes.filter(({ ok }) => !ok).length;

describe.each([429, 503])('A service that answers %d with Retry-After: 1', (status) => {
	test.each([20, 50])(
		'to the first request of every item is no service that is away: %d items are done, in less than three seconds each',
		async (count) => {
			const seen = await ran(count, status, (_item, nth) => nth === 0);
			expect(failures(seen)).toBe(0);
			expect(Math.max(...seen.arrivals)).toBe(2);
			expect(seen.seconds).toBeLessThan(count * 3);
		},
	);

	test('to some items always fails these after their retries, and no other', async () => {
		const isStruck = (item: number) => item % 10 === 3;
		const seen = await ran(200, status, isStruck);
		expect(seen.outcomes.map(({ ok }) => !ok)).toEqual(seen.arrivals.map((_, item) => isStruck(item)));
		expect(seen.arrivals.filter((_, item) => !isStruck(item))).toEqual(Array.from({ length: 180 }, () => 1));
		expect(Math.max(...seen.arrivals)).toBeLessThanOrEqual(6);
	});
});
