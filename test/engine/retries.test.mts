import type { FaultAction } from '../../sandbox/admin-types.mts';
import type { OnError } from '../support/engine.mts';

import { PROFILES_PATH, studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll' };

beforeEach(async () => await workroom.storeToken());

/** How often the service was asked. */
async function asked(path: string): Promise<number> {
	return await workroom.admin.countRequests({ path });
}

async function created(): Promise<number> {
	return (await workroom.admin.users({ provisioned: true, limit: 1 })).count;
}

describe('A service that is busy for a moment', () => {
	test('is waited for as long as Retry-After says, and then everything succeeds', async () => {
		await workroom.admin.addFault({ path: USER_PATH, nth: [2, 5] }, { status: 429, retryAfter: 1 });
		const begin = Date.now();
		const { items, error } = await workroom.run(studentParameters(), students(10));
		expect([items.length, error]).toEqual([10, undefined]);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(1_000);
		expect(await asked(USER_PATH)).toBe(12);
		expect(await created()).toBe(10);
	});

	test('is asked again after 503 twice, for a creation too', async () => {
		await workroom.admin.addFault({ path: USER_PATH, times: 2 }, { documented: 503 });
		const { items, error } = await workroom.run(studentParameters(), students(1));
		expect([items.length, error]).toEqual([1, undefined]);
		expect(await asked(USER_PATH)).toBe(3);
		expect(await created()).toBe(1);
	});

	test('that answers 503 through a gateway after the work gets no second creation: the item says that the record may exist', async () => {
		const page = { status: 503, htmlPage: true, afterwards: true };
		await workroom.admin.addFault({ path: USER_PATH, times: 1 }, page);
		const { items, outputs } = await workroom.run(studentParameters(), students(2), {
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(1);
		expect(outputs[1][0].json.failure).toMatchObject({ status: 503, effect: 'unknown' });
		expect(outputs[1][0].json.error).toContain('The record may exist all the same');
		expect([await asked(USER_PATH), await created()]).toEqual([2, 2]);
	});

	test('is waited for until the moment that Retry-After names as a date', async () => {
		const moment = new Date(Date.now() + 2_000).toUTCString();
		await workroom.admin.addFault({ path: PROFILES_PATH, times: 1 }, { status: 503, retryAfter: moment });
		const { error } = await workroom.run(profiles);
		expect(error).toBeUndefined();
		// A date of HTTP has no parts of seconds.
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(moment));
	});

	test.each(['-1', 'soon', '1.5', '', '1, 2', 'NaN', '0x10'])(
		'is asked again soon when Retry-After says %p',
		async (retryAfter) => {
			await workroom.admin.addFault({ path: PROFILES_PATH, times: 1 }, { status: 429, retryAfter });
			const begin = Date.now();
			const { error } = await workroom.run(profiles);
			expect(error).toBeUndefined();
			expect(Date.now() - begin).toBeLessThan(20_000);
		},
	);

	test('is not asked four times in a moment when Retry-After names a moment that has passed', async () => {
		const retryAfter = new Date(Date.now() - 60_000).toUTCString();
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 503, retryAfter });
		const begin = Date.now();
		const { error } = await workroom.run(profiles);
		expect(error?.message).toContain('(503)');
		expect(await asked(PROFILES_PATH)).toBe(4);
		// The usual waits are at least 250 ms, 500 ms and 1 s.
		expect(Date.now() - begin).toBeGreaterThanOrEqual(1_750);
	});

	test('is not asked again for a creation after 503 when the user forbids it, and the record may exist', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 503, afterwards: true });
		const options = { retryCreationsOn503: false };
		const { message, description } = wordsOf(await workroom.run(studentParameters({ options }), students(1)));
		expect(message).toBe('The service is not available at the moment (503) [Item 0]');
		expect(description).toContain('The record may exist all the same');
		expect(await asked(USER_PATH)).toBe(1);
		expect(await created()).toBe(1);
	});

	test('for good fails after as many tries as the options say, with what to do', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 429, retryAfter: 0 });
		const failing = await workroom.run({ ...profiles, options: { maxRetries: 2 } });
		expect(wordsOf(failing)).toEqual({
			message: 'The service receives too many requests (429) [Item 0]',
			description: 'Lower the concurrency in the options of this node, or run the item again later.',
		});
		expect(failing.error).toMatchObject({ httpCode: '429' });
		expect(await asked(PROFILES_PATH)).toBe(3);
	});

	test('is asked once when the options allow no retry', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 503 });
		const { message } = wordsOf(await workroom.run({ ...profiles, options: { maxRetries: 0 } }));
		expect(message).toBe('The service is not available at the moment (503) [Item 0]');
		expect(await asked(PROFILES_PATH)).toBe(1);
	});
});

describe('A service that asks to wait too long', () => {
	const year = 365 * 24 * 3_600;

	test.each<[string, () => string, string]>([
		['61 seconds', () => '61', '61 s'],
		['a year', () => String(year), '365 days'],
		// Made when the test begins: the tests before it may take more than the minute in which "60 min" is right.
		['an hour', () => new Date(Date.now() + 3_600_000).toUTCString(), '60 min'],
		['more than time itself', () => '9'.repeat(30), 'more than 36500 days'],
		['more than a number holds', () => '9'.repeat(400), 'more than 36500 days'],
	])('fails the item at once and names the wait: %s', async (_what, retryAfter, words) => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 429, retryAfter: retryAfter() });
		const begin = Date.now();
		const failing = await workroom.run(studentParameters(), students(1));
		expect(Date.now() - begin).toBeLessThan(20_000);
		const { message, description } = wordsOf(failing);
		expect(message).toMatch(/^The service asks to wait .* before the next request \[Item 0\]$/);
		expect(message).toContain(words);
		expect(description).toContain('Run the item again after that time');
		expect(await asked(USER_PATH)).toBe(1);
	});
});

describe('A service that refuses connections for a moment', () => {
	test.each([
		['lookups', profiles, [{}]],
		['creations', studentParameters(), students(5)],
	])('is tried again: %s', async (_what, parameters, items) => {
		await workroom.admin.refuseConnections(300);
		const { error } = await workroom.run(parameters, items);
		expect(error).toBeUndefined();
	});

	test('for good fails with its address', async () => {
		const credentials = await workroom.credentialWith({ baseUrl: 'http://127.0.0.1:1' });
		credentials.data = { ...credentials.data, oauthTokenData: workroom.credentials.data.oauthTokenData };
		const { message, description } = wordsOf(
			await workroom.run({ ...studentParameters(), options: { maxRetries: 1 } }, students(1), {
				credentials,
			}),
		);
		expect(message).toBe('Nothing answers at http://127.0.0.1:1 [Item 0]');
		expect(description).toContain('Base URL');
	});

	test('whose name has no address fails with what to check', async () => {
		const credentials = await workroom.credentialWith({ baseUrl: 'http://no-such-host.invalid' });
		credentials.data = { ...credentials.data, oauthTokenData: workroom.credentials.data.oauthTokenData };
		const failing = await workroom.run({ ...profiles, options: { maxRetries: 0 } }, undefined, {
			credentials,
		});
		const { message, description } = wordsOf(failing);
		expect(message).toBe('There is no host of the name in http://no-such-host.invalid [Item 0]');
		expect(description).toContain('Base URL');
	});
});

/** So long the runs below wait for an answer: much longer than any takes that is not held back. */
const patience = { timeout: 3_000 };

/** Everything that loses the answer of a request which the service may have done. */
const lostAnswers: Array<[string, FaultAction]> = [
	['the connection breaks before the answer', { drop: 'before' }],
	['the connection breaks after the work', { drop: 'after' }],
	['the answer is cut short', { cutBody: true }],
	['a gateway answers 502 with a page', { htmlPage: true, afterwards: true }],
	['a gateway answers 504', { status: 504, afterwards: true }],
	['there is no answer in time', { delayMs: 30_000 }],
];

describe('When the answer is lost', () => {
	test.each(lostAnswers)('a creation is not repeated and may have happened: %s', async (_how, fault) => {
		await workroom.admin.addFault({ path: USER_PATH, nth: 1 }, fault);
		const failing = await workroom.run(studentParameters({ options: patience }), students(1));
		const { message, description } = wordsOf(failing);
		expect(`${message}\n${description}`).toContain('The record may exist all the same');
		expect(description).toContain('Look for the record before you send it again');
		expect(await asked(USER_PATH)).toBe(1);
	});

	test.each(lostAnswers)('a lookup is repeated and succeeds: %s', async (_how, fault) => {
		await workroom.admin.addFault({ path: PROFILES_PATH, nth: 1 }, fault);
		const { items, error } = await workroom.run({ ...profiles, options: patience });
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThan(3);
		expect(await asked(PROFILES_PATH)).toBe(2);
	});

	test('the other items of the run are done', async () => {
		await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"student-3"' }, { drop: 'after' });
		const { outputs } = await workroom.run(studentParameters(), students(10), {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]).toHaveLength(9);
		expect(outputs[1].map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['student-3', { item: 2 }],
		]);
		expect(await created()).toBe(10);
	});

	test('of the first request of a run without a token, a creation is not repeated either', async () => {
		const credentials = await workroom.credentialWith({});
		await workroom.admin.addFault({ path: USER_PATH, nth: 1 }, { drop: 'after' });
		const failing = await workroom.run(studentParameters(), students(1), { credentials });
		expect(wordsOf(failing).message).toContain('The record may exist all the same');
		expect(await asked(USER_PATH)).toBe(1);
	});
});

describe('With Retry On Fail of n8n, which the page says to leave off,', () => {
	/** How often the service was asked to create each of three students, of whom it refuses one the first time. */
	async function askedFor(refused: string, onError: OnError): Promise<number[]> {
		await workroom.admin.addFault(
			{ path: USER_PATH, bodyContains: `"${refused}"`, times: 1 },
			{ status: 422 },
		);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		await workroom.run(studentParameters({ options: { concurrency: 1 } }), students(3), {
			onError,
			settings,
		});
		const ids = (await workroom.received(USER_PATH)).map(
			({ body }) => (body as { external_id: string }).external_id,
		);
		return ['student-1', 'student-2', 'student-3'].map(
			(student) => ids.filter((id) => id === student).length,
		);
	}

	test('a node that fails is run again with all items', async () => {
		// The second time the service knows the first student, and the run stops there.
		expect(await askedFor('student-2', 'stopWorkflow')).toEqual([2, 1, 0]);
	});

	test.each<OnError>(['continueErrorOutput', 'continueRegularOutput'])(
		'so is one that goes on (%s) when its first item fails, and only then',
		async (onError) => {
			expect(await askedFor('student-1', onError)).toEqual([2, 2, 2]);
			await workroom.reset();
			await workroom.storeToken();
			expect(await askedFor('student-2', onError)).toEqual([1, 1, 1]);
		},
	);
});

describe('A refusal is not repeated', () => {
	test.each([400, 403, 404, 409, 422, 500, 501])('with the status %d', async (status) => {
		await workroom.admin.addFault(
			{ path: PROFILES_PATH },
			{ status, body: { Errors: [{ Code: 'X-1', Message: 'Not so.' }] } },
		);
		const { message, description } = wordsOf(await workroom.run(profiles));
		expect(message).toContain(`(${status}): X-1: Not so. [Item 0]`);
		expect(description).not.toBe('');
		expect(await asked(PROFILES_PATH)).toBe(1);
	});
});
