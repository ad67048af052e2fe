import { startSandbox } from '../../sandbox/start.mts';
import { until } from '../../playground/eventually.mts';
import {
	PROFILES_PATH,
	studentParameters,
	students,
	TOKEN_PATH,
	USER_PATH,
	useWorkroom,
	wordsOf,
} from './workroom.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll' };

/** How the requests to the service were signed: scheme and fingerprint of the token, each once. */
async function signatures(): Promise<string[]> {
	const requests = await workroom.received();
	return [...new Set(requests.map(({ headers }) => String(headers.authorization)))];
}

describe('With no stored token', () => {
	test('a run asks for one with the secret in the form, whatever its size', async () => {
		const { error } = await workroom.run(studentParameters(), students(60));
		expect(error).toBeUndefined();
		const requests = await workroom.admin.requests({ path: TOKEN_PATH });
		expect(requests.map(({ method, body, withheld }) => ({ method, body, withheld }))).toEqual([
			{
				method: 'POST',
				body: { grant_type: 'client_credentials', client_id: workroom.sandbox.clientId },
				withheld: ['client_secret'],
			},
		]);
		expect(requests[0].headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
		expect(requests[0].headers.authorization).toBeUndefined();
		expect(await signatures()).toEqual([expect.stringMatching(/^Bearer [0-9a-f]{8}$/)]);
	});

	test('the scope of the credential is asked for', async () => {
		const credentials = await workroom.credentialWith({
			scope: 'platform-account platform-account-user.read',
		});
		const { error } = await workroom.run(profiles, undefined, { credentials });
		expect(error).toBeUndefined();
		const [{ body }] = await workroom.admin.requests({ path: TOKEN_PATH });
		expect(body).toMatchObject({ scope: 'platform-account platform-account-user.read' });
	});

	// Measured: 20, one for each run. n8n fetches the first token of a credential without a lock, so runs that start
	// at the same moment each fetch one; what must not happen is one for each request.
	test('twenty runs that start at once ask for no more than one each', async () => {
		const runs = await Promise.all(
			Array.from(
				{ length: 20 },
				async (_, run) =>
					await workroom.run(
						studentParameters({ externalId: `={{ "run-${run}-" + $json.id }}` }),
						students(15),
					),
			),
		);
		expect(runs.map(({ items, error }) => [items.length, error])).toEqual(Array(20).fill([15, undefined]));
		expect(await workroom.tokenRequests()).toBeLessThanOrEqual(20);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(300);
		await workroom.admin.clearRequests();
		await workroom.run(profiles);
		expect(await workroom.tokenRequests()).toBe(0);
	});
});

describe('With a stored token', () => {
	beforeEach(async () => await workroom.storeToken());

	test('a run asks for none, and reads the credential once', async () => {
		await workroom.run(studentParameters(), students(100));
		expect(await workroom.tokenRequests()).toBe(0);
		expect(workroom.credentials.reads).toBe(1);
	});

	test('that the service does not know any more, a run renews it once and stores it for the next', async () => {
		await workroom.admin.expireTokens();
		const { items, error } = await workroom.run(studentParameters(), students(100));
		expect([items.length, error]).toEqual([100, undefined]);
		expect(await workroom.tokenRequests()).toBe(1);
		expect(workroom.credentials.reads).toBeLessThan(10);
		await workroom.admin.clearRequests();
		await workroom.run(profiles);
		expect(await workroom.tokenRequests()).toBe(0);
	});

	test('a record that the service refuses each time costs the others no token', async () => {
		await workroom.admin.addFault({ pathPattern: '/accounts/account-20$' }, { status: 401 });
		const parameters = {
			...{ resource: 'account', operation: 'get', accountId: '={{ $json.id }}' },
			...{ tenantId: '11111111-2222-4333-8444-555555555555', options: { concurrency: 1 } },
		};
		const rows = Array.from({ length: 40 }, (_, place) => ({ id: `account-${place}` }));
		const { outputs } = await workroom.run(parameters, rows, { onError: 'continueErrorOutput' });
		expect(outputs[1].length).toBe(1);
		expect(await workroom.tokenRequests()).toBe(2);
	});

	test('that expires, twenty runs renew it under one lock', async () => {
		await workroom.admin.expireTokens();
		const runs = await Promise.all(
			Array.from({ length: 20 }, async () => await workroom.run({ ...profiles, options: { maxRetries: 0 } })),
		);
		expect(runs.map(({ error }) => error)).toEqual(Array(20).fill(undefined));
		expect(await workroom.tokenRequests()).toBe(1);
	});

	test('that expires with ten on their way, a run cuts none of them off because another one has tried the new token for long', async () => {
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: USER_PATH, after: 10 }, { delayMs: 1_200 });
		const options = { concurrency: 10, timeout: 2_000 };
		const { items, error } = await workroom.run(studentParameters({ options }), students(10));
		expect([items.length, error]).toEqual([10, undefined]);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(10);
	});

	test('that expires, a run waits for the one who tries the new token, however long that took to come', async () => {
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: TOKEN_PATH }, { delayMs: 1_200 });
		await workroom.admin.addFault({ path: USER_PATH, after: 5 }, { delayMs: 1_200 });
		const options = { concurrency: 5, timeout: 2_000, maxRetries: 0 };
		const { items, error } = await workroom.run(studentParameters({ options }), students(5));
		expect([items.length, error]).toEqual([5, undefined]);
		expect(await workroom.tokenRequests()).toBe(1);
	});

	test('that expires when somebody has saved another service in the credential meanwhile, a run sends nothing to that one', async () => {
		const other = await startSandbox({ students: 1, empty: true });
		await workroom.admin.addFault({ path: USER_PATH, nth: [5] }, { expireToken: true, delayMs: 500 });
		const running = workroom.run(studentParameters({ options: { concurrency: 1 } }), students(20), {
			onError: 'continueErrorOutput',
		});
		await until(async () => await Promise.resolve(workroom.credentials.reads > 0));
		workroom.credentials.data = { ...workroom.credentials.data, baseUrl: other.baseUrl };
		const { outputs } = await running;
		expect(await other.admin.countRequests({})).toBe(0);
		await other.stop();
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(outputs[0].length);
		expect(outputs[0].length).toBeLessThan(20);
		expect(new Set(outputs[1].map(({ json }) => String(json.error).replace(/ \[Item.*/s, '')))).toEqual(
			new Set(['The credential was changed during the run: it has another address or Client ID now']),
		);
	});

	test('that expires again and again, a long run renews it each time and loses nothing', async () => {
		await workroom.admin.addFault({ path: USER_PATH, nth: [20, 60, 100] }, { expireToken: true });
		const { items, error } = await workroom.run(studentParameters(), students(100));
		expect([items.length, error]).toEqual([100, undefined]);
		expect(await workroom.tokenRequests()).toBe(3);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(100);
	});
});

describe('A service that takes its tokens back at every tenth request', () => {
	test.each([1, 4, 10, 20, 50])(
		'gets everything of a run all the same, with %d requests in flight',
		async (concurrency) => {
			await workroom.storeToken();
			await workroom.admin.addFault({ path: USER_PATH, every: 10 }, { expireToken: true });
			const run = await workroom.run(studentParameters({ options: { concurrency } }), students(100), {
				onError: 'continueErrorOutput',
			});
			expect(run.outputs.map((output) => output.length)).toEqual([100, 0]);
			expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(100);
		},
	);
});

describe('A service that takes no token at all', () => {
	beforeEach(async () => await workroom.admin.addFault({ path: '/data' }, { status: 401 }));

	test('is believed after few renewals, and the message names the settings to look at', async () => {
		const { message, description } = wordsOf(await workroom.run(profiles));
		expect(message).toBe('The service does not accept the token (401) [Item 0]');
		expect(description).toBe(
			'Check Client ID and Client Secret in the credential, and for provisioning and synchronisation that Authorization Scheme is the one your service expects.',
		);
		expect((await workroom.received(PROFILES_PATH)).length).toBeLessThanOrEqual(3);
		expect(await workroom.tokenRequests()).toBeLessThanOrEqual(3);
	});

	// Two fresh tokens that are refused in a row are enough for all: what is sent after that is sent once.
	test('costs a hundred items hardly more than a request each, and few tokens', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 401 });
		const run = await workroom.run(studentParameters(), students(100), { onError: 'continueErrorOutput' });
		expect(run.outputs.map((output) => output.length)).toEqual([0, 100]);
		expect((await workroom.received()).length).toBeLessThanOrEqual(125);
		expect(await workroom.tokenRequests()).toBeLessThanOrEqual(3);
	});
});

describe('The authorization scheme "token"', () => {
	test('holds for the first request, for all others, and for renewed ones', async () => {
		const credentials = await workroom.credentialWith({ authorizationScheme: 'token' });
		await workroom.run(studentParameters(), students(5), { credentials });
		const [first, ...others] = await signatures();
		expect(first).toMatch(/^[0-9a-f]{8}$/);
		expect(others).toEqual([]);
		await workroom.admin.expireTokens();
		const { error } = await workroom.run(profiles, undefined, { credentials });
		expect(error).toBeUndefined();
		const [, renewed] = await signatures();
		expect(renewed).toMatch(/^[0-9a-f]{8}$/);
		expect(renewed).not.toBe(first);
	});
});

describe('A client or secret that the sign-on area refuses', () => {
	const refusedClient = 'The sign-on area gives no token: invalid_client';

	test.each([
		['secret', { clientSecret: 'wrong' }],
		['client id', { clientId: 'nobody' }],
	])(
		'fails the whole run at the first try, and nothing reaches the service: wrong %s',
		async (_what, change) => {
			const credentials = await workroom.credentialWith(change);
			const { outputs } = await workroom.run(studentParameters(), students(100), {
				credentials,
				onError: 'continueErrorOutput',
			});
			expect(outputs[0]).toEqual([]);
			expect(outputs[1].map(({ json }) => json.error)).toEqual(
				students(100).map(
					(_, item) =>
						`${refusedClient} [Item ${item}]\nCheck Client ID and Client Secret in the credential.`,
				),
			);
			expect(await workroom.received()).toEqual([]);
			expect(await workroom.tokenRequests()).toBe(1);
		},
	);

	test('after a token was stored fails the run without a token request for each item', async () => {
		await workroom.storeToken();
		await workroom.admin.expireTokens();
		workroom.credentials.data = { ...workroom.credentials.data, clientSecret: 'rotated' };
		const { outputs } = await workroom.run(studentParameters(), students(100), {
			onError: 'continueErrorOutput',
		});
		expect(outputs[1].map(({ json }) => json.error)).toEqual(
			students(100).map(
				(_, item) => `${refusedClient} [Item ${item}]\nCheck Client ID and Client Secret in the credential.`,
			),
		);
		expect(await workroom.tokenRequests()).toBeLessThanOrEqual(1);
		expect((await workroom.received()).length).toBeLessThanOrEqual(16);
	});

	test('does not keep a later run from trying with the corrected credential', async () => {
		const credentials = await workroom.credentialWith({ clientSecret: 'wrong' });
		await workroom.run(profiles, undefined, { credentials });
		credentials.data = { ...credentials.data, clientSecret: workroom.sandbox.clientSecret };
		expect((await workroom.run(profiles, undefined, { credentials })).error).toBeUndefined();
	});

	test.each([
		['invalid_scope', 'Check Scope in the credential; it may be left empty.'],
		['unauthorized_client', 'Check Client ID and Client Secret in the credential.'],
		[
			'unsupported_grant_type',
			'Check the values in the credential, and that the client may use the client credentials grant.',
		],
	])('is told by the code that the sign-on area gives: %s', async (error, advice) => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 400, body: { error } });
		expect(wordsOf(await workroom.run(profiles))).toEqual({
			message: `The sign-on area gives no token: ${error} [Item 0]`,
			description: advice,
		});
	});
});

describe('A sign-on area that is down', () => {
	test.each([
		['answers 500', { status: 500 }],
		['answers 503', { status: 503 }],
		['answers 429', { status: 429 }],
		['answers 429 with words', { status: 429, body: { error: 'Too Many Requests' } }],
		['answers 400 and says that it is busy', { status: 400, body: { error: 'temporarily_unavailable' } }],
		['breaks the connection', { drop: 'before' as const }],
		['answers with half of a token', { cutBody: true }],
	])('and comes back is waited for: it first %s', async (_how, fault) => {
		await workroom.admin.addFault({ path: TOKEN_PATH, times: 2 }, fault);
		const { items, error } = await workroom.run(studentParameters(), students(20));
		expect([items.length, error]).toEqual([20, undefined]);
		expect(await workroom.tokenRequests()).toBeLessThanOrEqual(5);
	});

	test('while a token is renewed is waited for, too', async () => {
		await workroom.storeToken();
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: TOKEN_PATH, times: 1 }, { status: 503 });
		const { items, error } = await workroom.run(studentParameters(), students(20));
		expect([items.length, error]).toEqual([20, undefined]);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(20);
	});

	test('behind a bare 401, of which the document shows no body, may have refused the secret', async () => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 401, body: '' });
		const { message, description } = wordsOf(await workroom.run(profiles));
		expect(message).toBe(`The sign-on area at ${workroom.sandbox.issuerUrl} gives no token (401) [Item 0]`);
		expect(description).toMatch(
			/^Check Client ID and Client Secret in the credential\.\nCheck that Issuer URL /,
		);
	});

	test('for good fails with its address and status', async () => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 503 });
		const { message, description } = wordsOf(await workroom.run({ ...profiles, options: { maxRetries: 1 } }));
		expect(message).toBe(`The sign-on area at ${workroom.sandbox.issuerUrl} gives no token (503) [Item 0]`);
		expect(description).toBe('Run the item again later.');
		expect(await workroom.received()).toEqual([]);
	});
});

describe('An answer of the sign-on area', () => {
	test('that names an unusual token type does not put the token into an address', async () => {
		await workroom.storeToken();
		const { access_token } = workroom.credentials.data.oauthTokenData as { access_token: string };
		const credentials = await workroom.credentialWith({});
		const body = { access_token, token_type: 'mac', expires_in: 3600 };
		await workroom.admin.addFault({ path: TOKEN_PATH }, { body });
		const { error } = await workroom.run(profiles, undefined, { credentials });
		expect(error).toBeUndefined();
		expect((await workroom.received()).map(({ query }) => query)).toEqual([{}]);
		expect(await signatures()).toEqual([expect.stringMatching(/^Bearer /)]);
	});

	test.each([
		['is a page', { htmlPage: true, status: 200 }, /gives no token \(200\)/],
		['has no token in it', { body: { token_type: 'Bearer' } }, /holds no token/],
	])('that %s fails the run with a message, not with a crash', async (_what, fault, expected) => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, fault);
		const { message, description } = wordsOf(await workroom.run(profiles));
		expect(message).toMatch(expected);
		expect(description).toMatch(/^Check /);
	});
});

test('An answer without a token is not kept: the next run asks again and succeeds', async () => {
	await workroom.admin.addFault({ path: TOKEN_PATH, times: 1 }, { body: { status: 'maintenance' } });
	await workroom.run(profiles);
	expect(workroom.credentials.data.oauthTokenData).toEqual({ status: 'maintenance' });
	const { items, error } = await workroom.run(studentParameters(), students(20));
	expect([items.length, error]).toEqual([20, undefined]);
	expect(await workroom.tokenRequests()).toBe(2);
});

describe('An Issuer URL that is not the address of the sign-on area', () => {
	test.each([
		['a path that is not there', (base: string) => `${base}/nowhere`, /gives no token \(404\)/],
		['an address where nobody listens', () => 'http://127.0.0.1:1', /cannot be reached/],
		['no address', () => 'not an address', /.*/],
	])('fails with a message that names Issuer URL: %s', async (_what, issuer, expected) => {
		const credentials = await workroom.credentialWith({ issuerUrl: issuer(workroom.sandbox.baseUrl) });
		const failing = await workroom.run({ ...profiles, options: { maxRetries: 0 } }, undefined, {
			credentials,
		});
		const { message, description } = wordsOf(failing);
		expect(message).toMatch(expected);
		expect(description).toContain('Issuer URL');
		expect(await workroom.received()).not.toContainEqual(expect.objectContaining({ path: PROFILES_PATH }));
	});
});
