import type { LoggedRequest } from '../../sandbox/admin-types.mts';

import { studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const COUNT = 1_000;
const items = students(COUNT);

/** The external ids that were sent, oldest first. */
async function sentIds(status?: number): Promise<string[]> {
	const requests = await workroom.admin.requests({ path: USER_PATH, status });
	return requests.map(({ body }: LoggedRequest) => (body as { external_id: string }).external_id);
}

const refusedItem = 499;
const refusal = { documented: 400, message: 'The document value is not valid.' };
const refusedMessage =
	'The service refuses the data (400): PROV-0400: The document value is not valid. [Item 499]';
const refusedAdvice = 'Correct the values that the service names and run the item again.';
const refusedJson = {
	id: 'student-500',
	error: `${refusedMessage}\n${refusedAdvice}`,
	failure: { origin: 'service', effect: 'none', status: 400, code: 'PROV-0400', next: refusedAdvice },
};

async function refuseOne(): Promise<void> {
	await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"student-500"' }, refusal);
}

describe('1,000 items', () => {
	test.each(['createStudent', 'createResponsible'])(
		'create 1,000 users with %s, at most 128 at a time, in order and paired',
		async (operation) => {
			await workroom.admin.changeSettings({ latencyMs: 2 });
			const { outputs, error } = await workroom.run(studentParameters({ operation }), items);
			expect(error).toBeUndefined();
			const ids = items.map(({ id }) => id);
			expect(outputs[0].map(({ json }) => json.external_id)).toEqual(ids);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
			expect((await sentIds()).sort()).toEqual([...ids].sort());
			expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(COUNT);
			const { maxInFlight } = await workroom.admin.requestLog({ countOnly: true });
			expect(maxInFlight).toBeGreaterThan(1);
			expect(maxInFlight).toBeLessThanOrEqual(128);
		},
	);

	test('of which the service refuses one leave as 999 and 1, with its input data and what to do', async () => {
		await refuseOne();
		const { outputs, error } = await workroom.run(studentParameters(), items, {
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		const [succeeded, failed] = outputs;
		expect(succeeded.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })).filter(({ item }) => item !== refusedItem),
		);
		expect(failed).toEqual([
			{
				json: refusedJson,
				pairedItem: { item: refusedItem },
			},
		]);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(COUNT - 1);
	});

	test('of which the service refuses one stay together when the failed go on too', async () => {
		await refuseOne();
		const { outputs } = await workroom.run(studentParameters(), items, { onError: 'continueRegularOutput' });
		expect(outputs).toHaveLength(1);
		expect(outputs[0]).toHaveLength(COUNT);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(outputs[0][refusedItem].json).toEqual(refusedJson);
	});

	test('stop at the one that the service refuses, and the run names it', async () => {
		await refuseOne();
		// What arrives after the first 499 is held, so that nothing is done and followed by another while the refusal travels.
		await workroom.admin.addFault({ path: USER_PATH, after: 499 }, { delayMs: 2_000 });
		const stopped = await workroom.run(studentParameters({ options: { maxConcurrency: 64 } }), items);
		expect(stopped.outputs).toEqual([]);
		expect(wordsOf(stopped)).toEqual({ message: refusedMessage, description: refusedAdvice });
		expect(stopped.error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '400',
		});
		// Those that were on their way beside it arrive; no other is begun.
		expect((await sentIds()).length).toBeLessThanOrEqual(500 + 63);
	});

	test('need one renewal when the token expires in the middle; none is lost and none is sent twice', async () => {
		await workroom.storeToken();
		await workroom.admin.changeSettings({ latencyMs: 2 });
		await workroom.admin.addFault({ path: USER_PATH, nth: 400 }, { expireToken: true });
		const { outputs, error } = await workroom.run(studentParameters(), items);
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(COUNT);
		expect(await workroom.tokenRequests()).toBe(1);
		const accepted = await sentIds(200);
		expect(accepted).toHaveLength(COUNT);
		expect(new Set(accepted).size).toBe(COUNT);
		// Only requests that were on their way when the token expired were answered 401.
		expect((await sentIds(401)).length).toBeLessThanOrEqual(128);
	});
});

test('One at a time is one at a time', async () => {
	await workroom.admin.changeSettings({ latencyMs: 5 });
	await workroom.run(studentParameters({ options: { concurrency: 1 } }), students(20));
	expect((await workroom.admin.requestLog({ countOnly: true })).maxInFlight).toBe(1);
	expect(await sentIds()).toEqual(students(20).map(({ id }) => id));
});

test('Fifty at a time are more than ten and no more than fifty', async () => {
	await workroom.storeToken();
	// The first fifty are held long enough for all of them to arrive.
	await workroom.admin.addFault({ path: USER_PATH, times: 50 }, { delayMs: 1_500 });
	await workroom.run(studentParameters({ options: { concurrency: 50 } }), students(200));
	const { maxInFlight } = await workroom.admin.requestLog({ countOnly: true });
	expect(maxInFlight).toBeGreaterThan(10);
	expect(maxInFlight).toBeLessThanOrEqual(50);
});
