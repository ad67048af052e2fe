/** Tokens, user info, discovery and logout addresses in n8n-core's own engine, against the sandbox's provider. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/start.mts';
import { CredentialStore, runNode } from '../support/engine.mts';
import { until } from '../../playground/eventually.mts';
import { SignOnStage, textOf } from './signOnStage.mts';

let stage: SignOnStage;

beforeAll(async () => {
	stage = await SignOnStage.set();
});
afterAll(async () => await stage.end());
beforeEach(async () => await stage.reset());

describe('tokens', () => {
	test('of a user are refreshed without another login', async () => {
		const user = await stage.signedInUser();
		const item = await stage.itemOf('refreshToken', { refreshToken: user.refresh_token });
		expect(item).toMatchObject({ access_token: expect.any(String), expires_in: 3600 });
		expect(item.access_token).not.toBe(user.access_token);
		const requests = await stage.sandbox.admin.requests();
		expect(requests.at(-1)?.body).toMatchObject({
			grant_type: 'refresh_token',
			scope: 'openid profile offline_access',
		});
	});

	test('of a login that asked for less than the credential are refreshed, with what the login asked for', async () => {
		const { given } = await stage.visit({ scope: 'openid offline_access' });
		const { refresh_token } = await stage.itemOf('exchangeCode', given);
		await stage.sandbox.admin.clearRequests();
		const item = await stage.itemOf('refreshToken', { refreshToken: textOf(refresh_token) });
		expect(item).toMatchObject({ access_token: expect.any(String), scope: 'openid offline_access' });
		const asked = (await stage.sandbox.admin.requests()).map(({ body }) => (body as IDataObject).scope);
		expect(asked).toEqual(['openid profile offline_access', undefined]);
	});

	test('are refreshed with the scope that is entered, and with no other', async () => {
		const { given } = await stage.visit({ scope: 'openid offline_access' });
		const { refresh_token } = await stage.itemOf('exchangeCode', given);
		const refreshToken = textOf(refresh_token);
		await stage.sandbox.admin.clearRequests();
		const refusal = await stage.refusalOf('refreshToken', {
			refreshToken,
			options: { scope: 'openid profile' },
		});
		expect(refusal.message).toMatch(/does not give this client one of the scopes/);
		const item = await stage.itemOf('refreshToken', { refreshToken, options: { scope: 'openid' } });
		expect(item).toMatchObject({ access_token: expect.any(String) });
		const asked = (await stage.sandbox.admin.requests()).map(({ body }) => (body as IDataObject).scope);
		expect(asked).toEqual(['openid profile', 'openid']);
	});

	test.each([
		['there is no token address', 404, 'not_found'],
		['the client is not accepted, without a word of OAuth', 401, 'invalid_client'],
		['the status says nothing', 400, undefined],
	])('are refused with failure.code where %s (%i)', async (_what, status, code) => {
		await stage.sandbox.admin.addFault({ path: '/identity/connect/token' }, { status });
		const { items } = await stage.run(
			'refreshToken',
			{ refreshToken: 'r' },
			undefined,
			'continueRegularOutput',
		);
		expect(items).toMatchObject([{ failure: { origin: 'signOn', status } }]);
		expect((items[0].failure as IDataObject).code).toBe(code);
	});

	test('are not refreshed with what is no refresh token', async () => {
		const refusal = await stage.refusalOf('refreshToken', { refreshToken: 'not-a-refresh-token' });
		expect(refusal.message).toMatch(/does not accept the refresh token/);
		expect(refusal.description).toMatch(/log in again/);
		expect(refusal.shown).not.toContain('not-a-refresh-token');
	});

	test('of the machine are given for client ID and secret, with the scope only when it is asked for', async () => {
		expect(await stage.itemOf('getMachineToken', {})).toMatchObject({
			access_token: expect.any(String),
			expires_in: 3600,
		});
		expect((await stage.sandbox.admin.requests()).at(-1)?.body).not.toHaveProperty('scope');
		const item = await stage.itemOf('getMachineToken', { options: { scope: 'platform-account' } });
		expect(item).toMatchObject({ scope: 'platform-account' });
	});
});

describe('a machine token that is not given costs nothing, and says nothing of a user', () => {
	test.each<[string, object]>([
		['an answer that is none', { status: 200 }],
		['a sign-on in trouble', { status: 500 }],
		['a connection that breaks', { drop: 'after' }],
	])('%s', async (_what, fault) => {
		await stage.sandbox.admin.addFault({ path: '/identity/connect/token' }, fault);
		const { items } = await stage.run(
			'getMachineToken',
			{ options: { maxRetries: 0 } },
			undefined,
			'continueRegularOutput',
		);
		expect(items).toMatchObject([{ failure: { origin: 'signOn', effect: 'none' } }]);
		expect(JSON.stringify(items)).not.toMatch(/log in again|may count as used/);
	});
});

describe('user info', () => {
	test('is read with a given access token, and without anybody connected', async () => {
		const user = await stage.signedInUser();
		const item = await stage.itemOf('getUserInfo', { accessToken: user.access_token });
		expect(item.sub).toBe(user.claims.sub);
	});

	test('is refused for a token that is none, without quoting it', async () => {
		const refusal = await stage.refusalOf('getUserInfo', { accessToken: 'stolen-token' });
		expect(refusal.message).toMatch(/does not accept the access token \(401\)/);
		expect(refusal.description).toMatch(/Refresh Token/);
		expect(refusal.shown).not.toContain('stolen-token');
	});

	test('is refused for a token without the scope, which a refreshed one would lack too', async () => {
		const body = { error: 'insufficient_scope', error_description: 'Needs platform-account-user.read' };
		await stage.sandbox.admin.addFault({ path: '/identity/connect/userinfo' }, { status: 403, body });
		const { message, description } = await stage.refusalOf('getUserInfo', { accessToken: 'token' });
		expect(message).toMatch(/does not give the user info for this access token \(403\)/);
		expect(description).toMatch(/which scope[^]*The sign-on says: Needs platform-account-user\.read/);
	});

	test('of the connected user is not to be had while nobody is connected', async () => {
		const refusal = await stage.refusalOf('getUserInfo', { user: 'connected' }, await stage.connectedWith());
		expect(refusal.message).toMatch(/^Nobody is connected in the credential/);
		expect(refusal.description).toMatch(/click Connect/);
	});

	test('of the connected user is read with the token that n8n keeps, renewed by n8n when it has expired', async () => {
		const { id_token, access_token, refresh_token } = await stage.signedInUser();
		const connected = await stage.connectedWith({ id_token, access_token, refresh_token });
		const first = await stage.itemOf('getUserInfo', { user: 'connected' }, connected);
		await stage.sandbox.admin.expireTokens();
		await stage.sandbox.admin.clearRequests();
		expect(await stage.itemOf('getUserInfo', { user: 'connected' }, connected)).toEqual(first);
		const requests = await stage.sandbox.admin.requests();
		const [renewal, ...others] = requests.filter(({ path }) => path.endsWith('/connect/token'));
		expect(others).toEqual([]);
		// What n8n's own renewal sends: no scope.
		expect(renewal.body).toMatchObject({ grant_type: 'refresh_token', client_id: stage.sandbox.clientId });
		expect(renewal.body).not.toHaveProperty('scope');
		expect((connected.data.oauthTokenData as IDataObject).access_token).not.toBe(access_token);
	});

	test('of a sign-on that wants the scope with a renewal, too, is not renewed by n8n, while Refresh Token sends it', async () => {
		const { access_token, refresh_token } = await stage.signedInUser();
		const connected = await stage.connectedWith({ access_token, refresh_token });
		await stage.sandbox.admin.expireTokens();
		await stage.sandbox.admin.changeSettings({ strict: ['scope'] });
		const refusal = await stage.refusalOf('getUserInfo', { user: 'connected' }, connected);
		const renewed = await stage.itemOf('refreshToken', { refreshToken: refresh_token });
		await stage.sandbox.admin.changeSettings({ strict: [] });
		expect(refusal.message).toBe('The sign-on area gives no token: invalid_request [Item 0]');
		expect(textOf(renewed.access_token)).not.toBe(access_token);
	});

	test('of a connection that has ended says so, at once', async () => {
		const { access_token } = await stage.signedInUser();
		await stage.sandbox.admin.expireTokens();
		for (const [refresh_token, tokenRequests] of [
			['withdrawn', 1],
			[undefined, 0],
		] as const) {
			const ended = await stage.connectedWith({ access_token, refresh_token });
			await stage.sandbox.admin.clearRequests();
			const refusal = await stage.refusalOf('getUserInfo', { user: 'connected' }, ended);
			expect(refusal.message).toMatch(/gives no token: invalid_grant/);
			expect(refusal.description).toMatch(/click Connect and log in again/);
			// What is refused once stays refused: nothing is tried again.
			const path = '/identity/connect/token';
			expect(await stage.sandbox.admin.countRequests({ path })).toBe(tokenRequests);
		}
	});
});

describe('a sign-on that asks to wait longer than a minute is told as that, with its wait', () => {
	const connectedStore = async () => {
		const { access_token, refresh_token } = await stage.signedInUser();
		return await stage.connectedWith({ access_token, refresh_token });
	};

	test.each([
		['of the connected user', 'getUserInfo', { user: 'connected' }, '/identity/connect/userinfo'],
		['with a given token', 'getUserInfo', { accessToken: 'given' }, '/identity/connect/userinfo'],
		['for a machine token', 'getMachineToken', {}, '/identity/connect/token'],
		['for the discovery document', 'getDiscovery', {}, '/identity-test/.well-known/openid-configuration'],
	])('%s', async (_what, operation, given, path) => {
		// An issuer that was not asked before.
		const other = { issuerUrl: stage.sandbox.testIssuerUrl + '//' };
		const isConnected = 'user' in given;
		const store = isConnected
			? await connectedStore()
			: await stage.credentialsWith(operation === 'getDiscovery' ? other : {});
		await stage.sandbox.admin.addFault({ path }, { status: 429, retryAfter: 4_000 });
		await stage.sandbox.admin.clearRequests();
		const { error } = await stage.run(operation, given, store);
		expect(error?.message).toBe('The sign-on asks to wait 67 min before the next request [Item 0]');
		expect(error?.description).toMatch(/^Run the item again after that time/);
		expect(error).toMatchObject({ httpCode: '429' });
		expect(await stage.sandbox.admin.countRequests({ path })).toBe(1);
	});

	test.each([
		[429, 'The sign-on receives too many requests (429) [Item 0]'],
		[503, 'The sign-on is not available at the moment (503) [Item 0]'],
		[500, 'The sign-on could not complete the request (500) [Item 0]'],
		[407, 'A proxy on the way wants to know who asks (407) [Item 0]'],
	])('and one that answers %i is not told as a wrong Issuer URL', async (status, message) => {
		const connected = await connectedStore();
		await stage.sandbox.admin.addFault({ path: '/identity/connect/userinfo' }, { status });
		for (const [given, store] of [
			[{ user: 'connected' }, connected],
			[{ accessToken: 'given' }, undefined],
		] as const) {
			const { error } = await stage.run('getUserInfo', { ...given, options: { maxRetries: 0 } }, store);
			expect(error?.message).toBe(message);
			expect(error?.description).not.toContain('Issuer URL');
		}
	});
});

test('a sign-on that goes away in the middle of a run costs each item its retries: somebody waits for it', async () => {
	const users = [await stage.signedInUser(), await stage.signedInUser()];
	await stage.sandbox.admin.addFault({ path: '/identity/connect/token', after: 1 }, { documented: 503 });
	await stage.sandbox.admin.clearRequests();
	const begin = Date.now();
	const { items, error } = await runNode({
		parameters: {
			...{ resource: 'signOn', operation: 'refreshToken', refreshToken: '={{ $json.token }}' },
			options: { concurrency: 1, maxRetries: 1 },
		},
		items: users.map(({ refresh_token }) => ({ token: refresh_token })),
		credentials: stage.credentials,
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(items.map((item) => 'error' in item)).toEqual([false, true]);
	expect(await stage.sandbox.admin.countRequests({ path: '/identity/connect/token' })).toBe(3);
	expect(Date.now() - begin).toBeLessThan(10_000);
});

describe('discovery', () => {
	test('is fetched once for many items, and its issuer is the one of the credential', async () => {
		const items = Array.from({ length: 20 }, () => ({}));
		const parameters = { resource: 'signOn', operation: 'getDiscovery' };
		const store = await stage.credentialsWith({ issuerUrl: stage.sandbox.testIssuerUrl });
		const { items: given, error } = await runNode({ parameters, items, credentials: store });
		expect(error).toBeUndefined();
		expect(given).toHaveLength(20);
		expect(given[0]).toMatchObject({
			issuer: stage.sandbox.testIssuerUrl,
			authorization_endpoint: `${stage.sandbox.testIssuerUrl}/connect/authorize`,
			jwks_uri: expect.any(String),
		});
		const asked = await stage.sandbox.admin.countRequests({
			path: '/identity-test/.well-known/openid-configuration',
		});
		expect(asked).toBe(1);
	});

	test('and keys are there for a run that waits, whatever becomes of the run that asked for it first', async () => {
		// A sandbox of its own: this process has kept the documents of the other.
		const other = await startSandbox({ students: 1 });
		try {
			const path = '/identity/.well-known/openid-configuration';
			const { issuerUrl, clientId, clientSecret } = other;
			const credentials = await CredentialStore.of('schoolPartnerOidcApi', {
				issuerUrl,
				clientId,
				clientSecret,
			});
			const asked = async (count: number) =>
				await until(async () => (await other.admin.countRequests({ path })) >= count);
			const run = async (parameters: INodeParameters) =>
				await runNode({
					parameters: { resource: 'signOn', ...parameters },
					items: [{}],
					credentials,
				});
			await other.admin.addFault({ path, times: 2 }, { delayMs: 1_500 });
			const hurried = run({
				operation: 'exchangeCode',
				code: 'a-code',
				redirectUri: 'http://localhost:9/callback',
				startedBy: 'other',
				codeVerifier: 'v'.repeat(43),
				options: { timeout: 500, maxRetries: 0 },
			});
			await asked(1);
			const patient = run({ operation: 'validateToken', token: 'no-token', tokenUse: 'idToken' });
			expect((await hurried).error?.message).toMatch(/cannot be reached/);
			expect((await patient).error?.message).toMatch(/of three parts/);
		} finally {
			await other.stop();
		}
	});

	test('of another address is refused', async () => {
		const wrong = await stage.credentialsWith({ issuerUrl: stage.sandbox.baseUrl });
		expect((await stage.refusalOf('getDiscovery', {}, wrong)).message).toMatch(
			/does not give its discovery document/,
		);
		const notAnAddress = await stage.credentialsWith({ issuerUrl: 'login.school.example' });
		expect((await stage.refusalOf('getDiscovery', {}, notAnAddress)).message).toBe(
			'Issuer URL in the credential is not an address that can be used: it does not begin with https:// or http:// [Item 0]',
		);
	});
});

describe('the logout address', () => {
	test.each([
		['client', '/connect/client-endsession'],
		['full', '/connect/full-endsession'],
	])('for %s has both parameters', async (logoutFrom, path) => {
		const user = await stage.signedInUser();
		const given = { logoutFrom, idTokenHint: user.id_token, postLogoutRedirectUri: 'http://localhost:9/bye' };
		const url = new URL(textOf((await stage.itemOf('getLogoutUrl', given)).logout_url));
		expect(url.origin + url.pathname).toBe(stage.sandbox.issuerUrl + path);
		expect(Object.fromEntries(url.searchParams)).toEqual({
			id_token_hint: user.id_token,
			post_logout_redirect_uri: 'http://localhost:9/bye',
		});
	});

	test('is not made with an access token, which is not quoted', async () => {
		const user = await stage.signedInUser();
		const given = {
			logoutFrom: 'client',
			idTokenHint: user.access_token,
			postLogoutRedirectUri: 'http://localhost:9/bye',
		};
		const refusal = await stage.refusalOf('getLogoutUrl', given);
		expect(refusal.message).toMatch(/^The ID Token Hint is not an ID token/);
		expect(refusal.shown).not.toContain(user.access_token.slice(0, 40));
	});
});
