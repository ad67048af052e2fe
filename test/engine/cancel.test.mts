import { setTimeout as wait } from 'node:timers/promises';

import { studentParameters, students, USER_PATH, useBench } from './bench.mts';

const bench = useBench();

beforeEach(async () => await bench.storeToken());

/** Cancels the run as soon as the service has received so many requests. */
async function cancelAfter(requests: number, cancel: () => void): Promise<number> {
	while ((await bench.admin.countRequests({ path: USER_PATH })) < requests) await wait(10);
	cancel();
	return Date.now();
}

/** Runs 500 creations and cancels them; gives the milliseconds from the cancellation to the end of the run. */
async function cancelledRun(onError: 'stopWorkflow' | 'continueRegularOutput'): Promise<number> {
	let cancelled: Promise<number> | undefined;
	const run = await bench.run(studentParameters(), students(500), {
		onError,
		whenStarted: (cancel) => {
			cancelled = cancelAfter(20, cancel);
		},
	});
	expect(run.run.status).toBe('canceled');
	return Date.now() - ((await cancelled) ?? 0);
}

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('A cancelled run (%s)', (onError) => {
	test('of slow requests ends at once and sends nothing more', async () => {
		await bench.admin.changeSettings({ latencyMs: 2_000 });
		expect(await cancelledRun(onError)).toBeLessThan(1_500);
		const sent = await bench.admin.countRequests({ path: USER_PATH });
		await wait(2_200);
		expect(await bench.admin.countRequests({ path: USER_PATH })).toBe(sent);
		expect(sent).toBeLessThanOrEqual(40);
	});

	test('that waits for a busy service does not wait any longer', async () => {
		await bench.admin.addFault({ path: USER_PATH, after: 15 }, { status: 429, retryAfter: 2 });
		expect(await cancelledRun(onError)).toBeLessThan(1_500);
		const sent = await bench.admin.countRequests({ path: USER_PATH });
		await wait(2_200);
		expect(await bench.admin.countRequests({ path: USER_PATH })).toBe(sent);
	});
});
