/** How fast a run sends, and what it does when the service wants less: seen by the service. */
import type { Failure } from '../../nodes/shared/failure.ts';
import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import type { NodeRun } from '../support/engine.mts';
import { linesDuring, REQUESTS_OF_A_RUN } from '../support/debugLog.mts';

import { studentParameters, students, USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

beforeEach(async () => await workroom.storeToken());

async function created(): Promise<number> {
	return (await workroom.admin.users({ provisioned: true, limit: 1 })).count;
}

async function mostInFlight(): Promise<number> {
	return (await workroom.admin.requestLog({ countOnly: true })).maxInFlight;
}

/** When requests arrived, in milliseconds since 1970, with what they were answered. */
async function arrivals(): Promise<Array<{ at: number; status: number }>> {
	return (await workroom.admin.requests({ path: USER_PATH })).map(({ at, status }: LoggedRequest) => ({
		at: Date.parse(at),
		status: status ?? 0,
	}));
}

const waitFor = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Other students than those of another run: the service refuses whom it has. */
const others = (count: number, run: number) =>
	students(count).map(({ id }) => ({ id: `${run}-${String(id)}` }));

async function tookMs(work: () => Promise<unknown>): Promise<number> {
	const begin = Date.now();
	await work();
	return Date.now() - begin;
}

/** When the service has received so many. */
async function untilReceived(count: number): Promise<void> {
	while ((await workroom.admin.countRequests({ path: USER_PATH })) < count) await waitFor(20);
}

describe('The automatic pace', () => {
	// What that is worth is measured (npm run bench): a busy machine would say that it is nothing.
	test('finds out that a far service takes more than ten at a time, and keeps to Max Concurrency', async () => {
		await workroom.admin.changeSettings({ latencyMs: 200 });
		// A machine with other work answers more slowly, as a busy service does: then it finds out another time.
		for (let run = 0; run < 5 && (await mostInFlight()) <= 20; run++) {
			const { items, error } = await workroom.run(studentParameters(), others(600, run));
			expect([items.length, error]).toEqual([600, undefined]);
		}
		expect(await mostInFlight()).toBeGreaterThan(20);
		expect(await mostInFlight()).toBeLessThanOrEqual(128);
	});

	test.each([
		[{ maxConcurrency: 20 }, 17, 20, 200, 150],
		// So far away that a machine with other work has sent a hundred before the first answer.
		[{ concurrency: 100 }, 100, 100, 200, 5_000],
		[{ concurrency: 5, maxConcurrency: 100 }, 5, 5, 40, 150],
	])('with %j has so many on their way at most: %d to %d', async (options, least, most, items, latencyMs) => {
		await workroom.admin.changeSettings({ latencyMs });
		const { error } = await workroom.run(studentParameters({ options }), students(items));
		expect(error).toBeUndefined();
		expect(await mostInFlight()).toBeGreaterThanOrEqual(least);
		expect(await mostInFlight()).toBeLessThanOrEqual(most);
	});

	test('does not overrun a service that works on eight at a time', async () => {
		await workroom.admin.changeSettings({ capacity: { atOnce: 8, workMs: 40, queue: 20 } });
		const { error } = await workroom.run(studentParameters(), students(400));
		expect(error).toBeUndefined();
		const { refused } = await workroom.admin.pace();
		// None on a quiet machine; with a fixed 128 it refuses hundreds.
		expect(refused.queue).toBeLessThanOrEqual(15);
	});

	test('sends the parts of snapshots side by side, more of them than ten', async () => {
		await workroom.admin.changeSettings({ latencyMs: 100 });
		const facts = await workroom.admin.facts();
		const users = await workroom.admin.users({ limit: 60 });
		const accounts = [...new Set(users.items.map((user) => user.account_id))];
		const { error } = await workroom.run(
			{
				resource: 'account',
				operation: 'getSnapshot',
				accountId: '={{ $json.account }}',
				tenantId: facts.tenantId,
			},
			accounts.map((account) => ({ account })),
		);
		expect(error).toBeUndefined();
		expect(await mostInFlight()).toBeGreaterThan(10);
	});
});

describe('A run is one client:', () => {
	test.each([{}, { concurrency: 10 }])(
		'Retry-After on one request holds all of them, and then all is done (%j)',
		async (options) => {
			await workroom.admin.changeSettings({ latencyMs: 20 });
			await workroom.admin.addFault({ path: USER_PATH, nth: 100 }, { status: 429, retryAfter: 2 });
			const { items, error } = await workroom.run(studentParameters({ options }), students(300));
			expect([items.length, error]).toEqual([300, undefined]);
			const all = await arrivals();
			const refusedAt = all.find(({ status }) => status === 429)?.at ?? 0;
			// What was on its way when the refusal was answered arrives; it travels for 20 ms and comes back as long.
			const during = all.filter(({ at }) => at > refusedAt + 500 && at < refusedAt + 1_900);
			expect(during).toEqual([]);
		},
	);

	test('against a service that allows 100 requests a second it settles near that', async () => {
		const rate = { perSecond: 100, burst: 20, retryAfter: null };
		await workroom.admin.changeSettings({ latencyMs: 20 });
		const tookWithoutIt = await tookMs(async () => await workroom.run(studentParameters(), others(300, 1)));
		const createdBefore = await created();
		await workroom.admin.changeSettings({ rate });
		const begin = Date.now();
		const { items, error } = await workroom.run(studentParameters(), students(300));
		expect([items.length, error]).toEqual([300, undefined]);
		// The ideal is 3 s; a machine with other work takes longer for both. With Retry-After, and longer: in the models (test/unit/pace).
		expect(Date.now() - begin).toBeLessThan(6_000 + 2 * tookWithoutIt);
		expect((await workroom.admin.pace()).refused.rate).toBeLessThanOrEqual(60);
		expect((await created()) - createdBefore).toBe(300);
	});

	const OUTAGE_MS = 2_000;

	test.each<[string, () => Promise<void>]>([
		[
			'answers 503',
			async () => {
				const id = await workroom.admin.addFault({ path: USER_PATH }, { documented: 503 });
				await waitFor(OUTAGE_MS);
				await workroom.admin.clearFaults(id);
			},
		],
		[
			'refuses connections',
			async () => {
				await workroom.admin.refuseConnections(OUTAGE_MS);
				await waitFor(OUTAGE_MS);
			},
		],
	])(
		'while the service %s it asks at most twice a second, and goes on when it is back',
		async (_what, outage) => {
			await workroom.admin.changeSettings({ latencyMs: 20 });
			const running = workroom.run(studentParameters({ options: { maxRetries: 1 } }), students(1_500), {
				onError: 'continueErrorOutput',
			});
			await untilReceived(500);
			await outage();
			const until = Date.now();
			const { outputs, error } = await running;
			expect(error).toBeUndefined();
			// Creations whose answer was cut off may be done; nothing else fails.
			const failures = outputs[1].map(({ json }) => (json.failure as { code?: string }).code);
			expect(failures.filter((code) => code !== 'broken')).toEqual([]);
			expect(failures.length).toBeLessThanOrEqual(128);
			const all = await arrivals();
			const refused = all.filter(({ status }) => status === 503).length;
			expect(refused).toBeLessThanOrEqual(128 + (2 * OUTAGE_MS) / 1_000);
			// Back at full pace.
			const done = all.filter(({ status, at }) => status === 200 && at > until);
			expect(done.length).toBeGreaterThan(750);
			expect((done[0]?.at ?? Infinity) - until).toBeLessThan(2_000);
		},
	);

	/**
	 * The end of a run whose clock goes ahead by half a minute each half second: nobody wants to wait for two minutes here. Trap: with one
	 * leap, what was refused last would be long ago, and no trouble of now.
	 */
	async function hurried(running: Promise<NodeRun>): Promise<NodeRun> {
		const now = performance.now.bind(performance);
		let ahead = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
		const ticking = setInterval(() => (ahead += 30_000), 500);
		try {
			return await running;
		} finally {
			clearInterval(ticking);
			clock.mockRestore();
		}
	}

	const failuresOf = ({ outputs }: NodeRun) => outputs[1].map(({ json }) => json.failure as Failure);

	test('after two minutes without an answer the rest fails, and nothing was done for it', async () => {
		const running = workroom.run(studentParameters(), students(5_000), { onError: 'continueErrorOutput' });
		await untilReceived(300);
		await workroom.admin.addFault({ path: USER_PATH }, { documented: 503 });
		const run = await hurried(running);
		const { outputs, error } = run;
		expect(error).toBeUndefined();
		expect(outputs[0].length).toBeGreaterThanOrEqual(200);
		expect(outputs[0].length + outputs[1].length).toBe(5_000);
		expect(outputs[0].length).toBe(await created());
		const [{ json }] = outputs[1].slice(-1);
		expect(json.error).toMatch(
			/^The service is not available at the moment \(503\): PROV-0503: The request was refused\., and there was no answer for 2 minutes \[Item 4999\]\nThe run did not ask any longer/,
		);
		expect([...new Set(failuresOf(run).map(({ effect }) => effect))]).toEqual(['none']);
	});

	test('where nobody listens from the first request on, all 5,000 items have failed after two minutes, and nothing was sent', async () => {
		const nowhere = await workroom.credentialWith({ baseUrl: 'http://127.0.0.1:1' });
		nowhere.data = { ...nowhere.data, oauthTokenData: workroom.credentials.data.oauthTokenData };
		const run = await hurried(
			workroom.run(studentParameters(), students(5_000), {
				credentials: nowhere,
				onError: 'continueErrorOutput',
			}),
		);
		expect(run.error).toBeUndefined();
		expect(run.outputs.map((output) => output.length)).toEqual([0, 5_000]);
		expect([...new Set(failuresOf(run).map(({ origin, effect }) => `${origin} ${effect}`))]).toEqual([
			'network none',
		]);
		expect(run.outputs[1].at(-1)?.json.error).toMatch(
			/^Nothing answers at http:\/\/127\.0\.0\.1:1, and there was no answer for 2 minutes \[Item 4999\]\n/,
		);
	});

	test('one record that is always refused is tried as often as Max Retries says, and holds up nobody for long', async () => {
		const tookWithoutIt = await tookMs(async () => await workroom.run(studentParameters(), others(1_000, 1)));
		await workroom.admin.clearRequests();
		await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"student-50"' }, { documented: 503 });
		const begin = Date.now();
		const { outputs } = await workroom.run(
			studentParameters({ options: { maxRetries: 2 } }),
			students(1_000),
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(outputs[1].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 49 }]);
		expect(outputs[0]).toHaveLength(999);
		// A machine with other work takes longer for all of them.
		expect(Date.now() - begin).toBeLessThan(10_000 + 2 * tookWithoutIt);
		const received = await workroom.received(USER_PATH);
		const pauses = received.slice(1).map(({ at }, place) => Date.parse(at) - Date.parse(received[place].at));
		expect(Math.max(...pauses)).toBeLessThan(5_000);
		const tried = received.filter(
			({ body }) => (body as { external_id: string }).external_id === 'student-50',
		);
		// The first refusal may have been about anybody.
		expect(tried.length).toBeGreaterThanOrEqual(3);
		expect(tried.length).toBeLessThanOrEqual(4);
	});

	test('what waits for its turn is not sent any more once a failure has ended the run', async () => {
		await workroom.admin.changeSettings({ latencyMs: 50 });
		await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"student-5"' }, { status: 422 });
		await workroom.admin.addFault(
			{ path: USER_PATH, bodyContains: '"student-8"' },
			{ status: 429, retryAfter: 20 },
		);
		const begin = Date.now();
		const { error } = await workroom.run(studentParameters(), students(500));
		expect(error?.message).toMatch(/\(422\)/);
		// The first sixteen, and what took their places before the refusal was read.
		expect((await workroom.received(USER_PATH)).length).toBeLessThanOrEqual(30);
		expect(Date.now() - begin).toBeLessThan(10_000);
	});
});

test("n8n's log tells of a run at its level debug, and nothing of whom it was about", async () => {
	await workroom.admin.changeSettings({ latencyMs: 20 });
	await workroom.admin.addFault({ path: USER_PATH, nth: 15 }, { status: 429, retryAfter: 1 });
	const told = await linesDuring(async () => await workroom.run(studentParameters(), students(40)));
	const summary = told.find(({ message }) => message === REQUESTS_OF_A_RUN);
	expect(summary?.details).toEqual({
		workflowId: expect.any(String),
		nodeName: 'School Partner',
		resource: 'user',
		operation: 'createStudent',
		requests: 41,
		retries: 1,
		highestInFlight: expect.any(Number),
		pauses: 1,
		pausedMs: expect.any(Number),
	});
	expect(JSON.stringify(summary)).not.toMatch(/student|Abelia|school-001/);
});
