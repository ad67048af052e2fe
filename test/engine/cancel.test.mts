import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../../playground/eventually.mts';
import { studentParameters, students, USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

beforeEach(async () => await workroom.storeToken());

/** So long the service keeps requests waiting. A cancelled run ends long before, also on a machine that is busy. */
const HELD_MS = 5_000;

const sent = async () => await workroom.admin.countRequests({ path: USER_PATH });

/** Cancels the run as soon as the service has received so many requests. */
async function cancelAfter(requests: number, cancel: () => void): Promise<number> {
	await until(async () => (await sent()) >= requests);
	cancel();
	return Date.now();
}

/** Runs 500 creations and cancels them; gives the milliseconds from the cancellation to the end of the run. */
async function cancelledRun(onError: 'stopWorkflow' | 'continueRegularOutput'): Promise<number> {
	let cancelled: Promise<number> | undefined;
	const run = await workroom.run(studentParameters(), students(500), {
		onError,
		whenStarted: (cancel) => {
			cancelled = cancelAfter(20, cancel);
		},
	});
	expect(run.run.status).toBe('canceled');
	// Nothing is shown of what it had done (docs/reliability.md, "You stopped the run").
	expect(run.outputs.flat()).toEqual([]);
	return Date.now() - ((await cancelled) ?? 0);
}

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('A cancelled run (%s)', (onError) => {
	test('of slow requests ends at once and sends nothing more', async () => {
		await workroom.admin.addFault({ path: USER_PATH, after: 10 }, { delayMs: HELD_MS });
		expect(await cancelledRun(onError)).toBeLessThan(HELD_MS);
		// The connections are given up too; as long as one is open, its answer could let the run go on.
		await until(async () => (await workroom.admin.requestLog({ countOnly: true })).inFlight === 0);
		// How many had begun when the run was cancelled is the pace's to say, and the machine's.
		const before = await sent();
		expect(before).toBeLessThan(500);
		await wait(HELD_MS + 200);
		expect(await sent()).toBe(before);
	});

	test('that waits for a busy service does not wait any longer', async () => {
		await workroom.admin.addFault(
			{ path: USER_PATH, after: 15 },
			{ status: 429, retryAfter: HELD_MS / 1_000 },
		);
		expect(await cancelledRun(onError)).toBeLessThan(HELD_MS);
		const before = await sent();
		await wait(HELD_MS + 200);
		expect(await sent()).toBe(before);
	});
});
