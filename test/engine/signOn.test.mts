/** The sign-on's operations in n8n-core's own engine, against the sandbox's certified provider. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as independent from 'openid-client';

import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { openState } from '../../nodes/shared/signOn/sealedState.ts';
import { CredentialStore, runNode, type NodeRun } from '../support/engine.mts';

const REDIRECT = 'http://localhost:9/callback';
const OTHER_REDIRECT = 'http://localhost:9/elsewhere';

let sandbox: Sandbox;
let browser: SandboxBrowser;
let credentials: CredentialStore;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 12 });
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.admin.reset();
	await sandbox.admin.changeRegistration({ redirectUris: [REDIRECT, OTHER_REDIRECT] });
	await sandbox.admin.clearRequests();
	browser = new SandboxBrowser(sandbox.baseUrl);
	credentials = await credentialsWith({});
});
afterEach(() => browser.close());

async function credentialsWith(change: IDataObject): Promise<CredentialStore> {
	const { issuerUrl, clientId, clientSecret } = sandbox;
	return await CredentialStore.of('schoolPartnerOidcOAuth2Api', {
		issuerUrl: `${issuerUrl}/`,
		clientId,
		clientSecret,
		...change,
	} as IDataObject as never);
}

/** The values come with the item, and the parameters refer to them, as in a real workflow. */
async function run(operation: string, given: INodeParameters, store = credentials): Promise<NodeRun> {
	const { options = {}, ...values } = given;
	const references = Object.fromEntries(Object.keys(values).map((name) => [name, `={{ $json.${name} }}`]));
	return await runNode({
		parameters: { resource: 'signOn', operation, ...references, options },
		items: [values as IDataObject],
		credentials: store,
	});
}

async function itemOf(
	operation: string,
	parameters: INodeParameters,
	store?: CredentialStore,
): Promise<IDataObject> {
	const { items, error } = await run(operation, parameters, store);
	if (error !== undefined) throw error;
	expect(items).toHaveLength(1);
	return items[0];
}

/** What n8n shows of a refused item; everything of it is searched for things that must not be there. */
async function refusalOf(operation: string, parameters: INodeParameters, store?: CredentialStore) {
	const { error } = await run(operation, parameters, store);
	const shown = JSON.stringify({ message: error?.message, description: error?.description, error });
	expect(shown).not.toContain(sandbox.clientSecret);
	return { message: error?.message ?? '', description: String(error?.description ?? ''), shown };
}

interface Start {
	authorization_url: string;
	state: string;
	browser_binding: string;
	expires_at: string;
}

const start = async (options: INodeParameters = {}, redirectUri = REDIRECT) =>
	(await itemOf('getAuthorizationUrl', { redirectUri, options })) as unknown as Start;

/** A visitor who starts, logs in and comes back. */
async function visit(options: INodeParameters = {}) {
	const started = await start(options);
	const back = await browser.signIn(started.authorization_url, 'student1');
	const [code, state] = ['code', 'state'].map((name) => back.searchParams.get(name) ?? '');
	return {
		started,
		back,
		given: { code, state, browserBinding: started.browser_binding, redirectUri: REDIRECT },
	};
}

async function signedInUser(): Promise<
	IDataObject & { id_token: string; access_token: string; refresh_token: string }
> {
	const { given } = await visit();
	return (await itemOf('exchangeCode', given)) as never;
}

describe('a visitor', () => {
	test('is signed in without n8n remembering anything between start and callback', async () => {
		const { started, given } = await visit({ additionalState: '/books/7' });
		expect(given.state).toBe(started.state);
		const lifetime = Date.parse(started.expires_at) - Date.now();
		expect(lifetime).toBeGreaterThan(590_000);
		expect(lifetime).toBeLessThanOrEqual(600_000);
		const item = await itemOf('exchangeCode', given);
		expect(item).toMatchObject({
			id_token: expect.any(String),
			access_token: expect.any(String),
			refresh_token: expect.any(String),
			expires_in: 3600,
			claims: {
				sub: expect.any(String),
				iss: sandbox.issuerUrl,
				aud: sandbox.clientId,
				nonce: expect.any(String),
			},
			additional_state: '/books/7',
		});
	});

	test('is redeemed with the documented form, the secret in it and the scope that was asked for', async () => {
		const { given } = await visit({ scope: 'openid profile offline_access platform-account' });
		await itemOf('exchangeCode', given);
		const [request] = (await sandbox.admin.requests()).filter(({ path }) => path.endsWith('/connect/token'));
		expect(request.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
		expect(request.headers.authorization).toBeUndefined();
		// The sandbox's log leaves the secret out; without it there would have been no tokens.
		expect(request.body).toEqual({
			grant_type: 'authorization_code',
			code: expect.any(String),
			client_id: sandbox.clientId,
			redirect_uri: REDIRECT,
			code_verifier: expect.stringMatching(/^[\w-]{43}$/),
			scope: 'openid profile offline_access platform-account',
		});
	});

	test('can be signed in by openid-client from what we send', async () => {
		const { started, back } = await visit();
		const { clientId, clientSecret, issuerUrl } = sandbox;
		const owner = { issuer: issuerUrl, clientId, clientSecret, redirectUri: REDIRECT };
		const opened = openState(started.state, owner, started.browser_binding, Date.now());
		if (!opened.valid) throw new Error('the state must open');
		const tokens = await independent.authorizationCodeGrant(await openidClient(), back, {
			pkceCodeVerifier: opened.codeVerifier,
			expectedNonce: opened.nonce,
			expectedState: started.state,
		});
		expect(tokens.claims()?.aud).toBe(clientId);
	});

	test('who was sent on by openid-client can be signed in by us, with its verifier and nonce', async () => {
		const verifier = independent.randomPKCECodeVerifier();
		const nonce = independent.randomNonce();
		const url = independent.buildAuthorizationUrl(await openidClient(), {
			redirect_uri: REDIRECT,
			scope: 'openid profile offline_access',
			nonce,
			code_challenge: await independent.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
		});
		const back = await browser.signIn(url.href, 'student1');
		const code = back.searchParams.get('code') ?? '';
		const item = await itemOf('exchangeCode', {
			code,
			redirectUri: REDIRECT,
			codeVerifier: verifier,
			options: { nonce },
		});
		const user = await independent.fetchUserInfo(
			await openidClient(),
			String(item.access_token),
			String((item.claims as IDataObject).sub),
		);
		expect(user.sub).toBe((item.claims as IDataObject).sub);
	});
});

async function openidClient(): Promise<independent.Configuration> {
	const { issuerUrl, clientId, clientSecret } = sandbox;
	const auth = independent.ClientSecretPost(clientSecret);
	const options = { execute: [independent.allowInsecureRequests] };
	return await independent.discovery(new URL(issuerUrl), clientId, undefined, auth, options);
}

describe('a callback is refused, with its reason and the next step, and the code is not spent', () => {
	test.each<[string, (given: INodeParameters) => INodeParameters | Promise<INodeParameters>, RegExp]>([
		[
			'an altered state',
			(given) => ({ ...given, state: `${String(given.state).slice(0, -2)}AA` }),
			/The state was altered/,
		],
		[
			'another redirect URI',
			(given) => ({ ...given, redirectUri: OTHER_REDIRECT }),
			/made for another redirect URI/,
		],
		[
			'another browser',
			async (given) => ({ ...given, browserBinding: (await start()).browser_binding }),
			/started in another browser/,
		],
		[
			'no browser binding',
			(given) => ({ ...given, browserBinding: '' }),
			/^Browser Binding must not be empty/,
		],
		['neither state nor verifier', (given) => ({ ...given, state: '' }), /^State must not be empty, unless/],
		[
			'state and verifier at once',
			(given) => ({ ...given, codeVerifier: 'v'.repeat(43) }),
			/^Code Verifier must be empty/,
		],
		[
			'a verifier that is none',
			(given) => ({ ...given, state: '', codeVerifier: 'short' }),
			/^Code Verifier must be 43 to 128/,
		],
		['no code', (given) => ({ ...given, code: '' }), /^Code must not be empty/],
	])('%s', async (_, bent, message) => {
		const { given } = await visit();
		const refusal = await refusalOf('exchangeCode', await bent(given));
		expect(refusal.message).toMatch(message);
		expect(refusal.message).toMatch(/\[Item 0\]$/);
		expect(refusal.description).not.toBe('');
		expect(refusal.shown).not.toContain(given.code);
		expect(await sandbox.admin.countRequests({ path: '/identity/connect/token' })).toBe(0);
		expect(await itemOf('exchangeCode', given)).toHaveProperty('claims');
	});

	test('a state of another client, and one of another secret', async () => {
		const { given } = await visit();
		const another = await credentialsWith({ clientId: 'chess-club' });
		expect((await refusalOf('exchangeCode', given, another)).message).toMatch(/made for another client/);
		const changed = await credentialsWith({ clientSecret: 'changed' });
		expect((await refusalOf('exchangeCode', given, changed)).message).toMatch(
			/or the client secret was changed/,
		);
	});

	test('an ID token for another sign-on: the nonce differs', async () => {
		const verifier = independent.randomPKCECodeVerifier();
		const url = independent.buildAuthorizationUrl(await openidClient(), {
			redirect_uri: REDIRECT,
			scope: 'openid',
			nonce: 'sent',
			code_challenge: await independent.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
		});
		const code = (await browser.signIn(url.href, 'student1')).searchParams.get('code') ?? '';
		const given = { code, redirectUri: REDIRECT, codeVerifier: verifier, options: { nonce: 'another' } };
		expect((await refusalOf('exchangeCode', given)).message).toMatch(
			/does not belong to this sign-on \(nonce\)/,
		);
	});
});

describe('a code that the provider refuses is told in plain words, with what to do', () => {
	const plain =
		/^The sign-on does not accept the code: it was used before, is older than 5 minutes, or does not belong/;

	test('used twice', async () => {
		const { given } = await visit();
		await itemOf('exchangeCode', given);
		const refusal = await refusalOf('exchangeCode', given);
		expect(refusal.message).toMatch(plain);
		expect(refusal.description).toMatch(/^Send the visitor to the start of the sign-on again/);
		expect(refusal.shown).not.toContain(given.code);
	});

	test('expired', async () => {
		await sandbox.admin.changeSettings({ codeLifetime: 1 });
		const { given } = await visit();
		await new Promise((resolve) => setTimeout(resolve, 2_100));
		expect((await refusalOf('exchangeCode', given)).message).toMatch(plain);
	});

	test('with the wrong verifier', async () => {
		const { given } = await visit();
		const wrong = { code: given.code, redirectUri: REDIRECT, codeVerifier: 'w'.repeat(43) };
		const refusal = await refusalOf('exchangeCode', wrong);
		expect(refusal.message).toMatch(plain);
		expect(refusal.shown).not.toContain('w'.repeat(43));
	});

	test('with the wrong secret', async () => {
		const { code } = (await visit()).given;
		const changed = await credentialsWith({ clientSecret: 'changed' });
		const refusal = await refusalOf(
			'exchangeCode',
			{ code, redirectUri: REDIRECT, codeVerifier: 'w'.repeat(43) },
			changed,
		);
		expect(refusal.message).toMatch(/does not accept the client ID or the client secret/);
	});

	test('at an address where nothing answers: the code is not sent', async () => {
		const nowhere = await credentialsWith({ issuerUrl: 'http://127.0.0.1:9' });
		const given = {
			code: 'x',
			redirectUri: REDIRECT,
			codeVerifier: 'w'.repeat(43),
			options: { maxRetries: 0 },
		};
		const refusal = await refusalOf('exchangeCode', given, nowhere);
		expect(refusal.message).toMatch(
			/^The sign-on cannot be reached at http:\/\/127\.0\.0\.1:9 \(the connection was refused\)/,
		);
		expect(refusal.description).toMatch(/Check Issuer URL/);
	});
});

describe('tokens', () => {
	test('of a user are refreshed without another login', async () => {
		const user = await signedInUser();
		const item = await itemOf('refreshToken', { refreshToken: user.refresh_token });
		expect(item).toMatchObject({ access_token: expect.any(String), expires_in: 3600 });
		expect(item.access_token).not.toBe(user.access_token);
		const requests = await sandbox.admin.requests();
		expect(requests.at(-1)?.body).toMatchObject({
			grant_type: 'refresh_token',
			scope: 'openid profile offline_access',
		});
	});

	test('are not refreshed with what is no refresh token', async () => {
		const refusal = await refusalOf('refreshToken', { refreshToken: 'not-a-refresh-token' });
		expect(refusal.message).toMatch(/does not accept the refresh token/);
		expect(refusal.description).toMatch(/log in again/);
		expect(refusal.shown).not.toContain('not-a-refresh-token');
	});

	test('of the machine are given for client ID and secret, with the scope only when it is asked for', async () => {
		expect(await itemOf('getMachineToken', {})).toMatchObject({
			access_token: expect.any(String),
			expires_in: 3600,
		});
		expect((await sandbox.admin.requests()).at(-1)?.body).not.toHaveProperty('scope');
		const item = await itemOf('getMachineToken', { options: { scope: 'platform-account' } });
		expect(item).toMatchObject({ scope: 'platform-account' });
	});
});

describe('user info', () => {
	test('is read with a given access token, and without anybody connected', async () => {
		const user = await signedInUser();
		const item = await itemOf('getUserInfo', { accessToken: user.access_token });
		expect(item.sub).toBe((user.claims as IDataObject).sub);
	});

	test('is refused for a token that is none, without quoting it', async () => {
		const refusal = await refusalOf('getUserInfo', { accessToken: 'stolen-token' });
		expect(refusal.message).toMatch(/does not accept the access token \(401\)/);
		expect(refusal.description).toMatch(/Refresh Token/);
		expect(refusal.shown).not.toContain('stolen-token');
	});

	test('of the connected user is not to be had while nobody is connected', async () => {
		const refusal = await refusalOf('getUserInfo', { accessToken: '' });
		expect(refusal.message).toMatch(/^Nobody is connected in the credential/);
		expect(refusal.description).toMatch(/click Connect/);
	});

	test('of the connected user is read with the token that n8n keeps, renewed by n8n when it has expired', async () => {
		const { id_token, access_token, refresh_token } = await signedInUser();
		const connected = await credentialsWith({
			oauthTokenData: { id_token, access_token, refresh_token, token_type: 'Bearer' },
		});
		const first = await itemOf('getUserInfo', {}, connected);
		await sandbox.admin.expireTokens();
		await sandbox.admin.clearRequests();
		expect(await itemOf('getUserInfo', {}, connected)).toEqual(first);
		const requests = await sandbox.admin.requests();
		const [renewal, ...others] = requests.filter(({ path }) => path.endsWith('/connect/token'));
		expect(others).toEqual([]);
		// What n8n's own renewal sends: no scope.
		expect(renewal.body).toMatchObject({ grant_type: 'refresh_token', client_id: sandbox.clientId });
		expect(renewal.body).not.toHaveProperty('scope');
		expect((connected.data.oauthTokenData as IDataObject).access_token).not.toBe(access_token);
	});

	test('of a connection that has ended says so, at once', async () => {
		const { access_token } = await signedInUser();
		await sandbox.admin.expireTokens();
		for (const refresh_token of ['withdrawn', undefined]) {
			const ended = await credentialsWith({
				oauthTokenData: { access_token, refresh_token, token_type: 'Bearer' } as IDataObject,
			});
			const began = Date.now();
			const refusal = await refusalOf('getUserInfo', {}, ended);
			expect(refusal.message).toMatch(/gives no token: invalid_grant/);
			expect(refusal.description).toMatch(/click Connect and log in again/);
			expect(Date.now() - began).toBeLessThan(5_000);
		}
	});
});

describe('discovery', () => {
	test('is fetched once for many items, and its issuer is the one of the credential', async () => {
		const items = Array.from({ length: 20 }, () => ({}));
		const parameters = { resource: 'signOn', operation: 'getDiscovery' };
		// Another spelling of the same issuer: this process has kept the document of the usual one from other tests.
		const store = await credentialsWith({ issuerUrl: sandbox.testIssuerUrl });
		const { items: given, error } = await runNode({ parameters, items, credentials: store });
		expect(error).toBeUndefined();
		expect(given).toHaveLength(20);
		expect(given[0]).toMatchObject({
			issuer: sandbox.testIssuerUrl,
			authorization_endpoint: `${sandbox.testIssuerUrl}/connect/authorize`,
			jwks_uri: expect.any(String),
		});
		const asked = await sandbox.admin.countRequests({
			path: '/identity-test/.well-known/openid-configuration',
		});
		expect(asked).toBe(1);
	});

	test('of another address is refused', async () => {
		const wrong = await credentialsWith({ issuerUrl: sandbox.baseUrl });
		expect((await refusalOf('getDiscovery', {}, wrong)).message).toMatch(
			/does not give its discovery document/,
		);
		const notAnAddress = await credentialsWith({ issuerUrl: 'login.school.example' });
		expect((await refusalOf('getDiscovery', {}, notAnAddress)).message).toMatch(
			/Issuer URL is not a web address/,
		);
	});
});

describe('token validation', () => {
	const validate = async (parameters: INodeParameters) => await itemOf('validateToken', parameters);

	test('believes what the sandbox gave, and gives its claims', async () => {
		const user = await signedInUser();
		const idToken = await validate({ token: user.id_token, tokenUse: 'idToken', audience: '' });
		expect(idToken).toMatchObject({
			valid: true,
			reasons: [],
			claims: user.claims as IDataObject,
			header: { alg: 'RS256' },
		});
		const nonce = (user.claims as IDataObject).nonce as string;
		expect(await validate({ token: user.id_token, tokenUse: 'idToken', options: { nonce } })).toMatchObject({
			valid: true,
		});
		for (const audience of ['', sandbox.baseUrl, `somebody, ${sandbox.baseUrl}`]) {
			const accessToken = await validate({ token: user.access_token, tokenUse: 'accessToken', audience });
			expect(accessToken).toMatchObject({ valid: true });
		}
	});

	test('gives every reason against a token, as words and as codes, instead of failing', async () => {
		const now = Math.floor(Date.now() / 1000);
		const claims = {
			iss: 'https://evil.example',
			aud: 'chess-club',
			sub: 'x',
			iat: now - 900,
			exp: now - 600,
		};
		const token = await sandbox.admin.signToken({ claims });
		const item = await validate({ token, tokenUse: 'idToken', audience: '' });
		expect(item).toMatchObject({
			valid: false,
			reason_codes: ['wrong_issuer', 'wrong_audience', 'expired'],
			reasons: [
				'The token was issued by another issuer (iss)',
				'The token is meant for another audience (aud)',
				'The token has expired (exp)',
			],
			claims: null,
		});
		expect(item.next_steps).toHaveLength(3);
		expect(JSON.stringify(item)).not.toContain(token.slice(0, 40));
	});

	test('tells an ID token from an access token', async () => {
		const user = await signedInUser();
		const asAccess = await validate({ token: user.id_token, tokenUse: 'accessToken', audience: '' });
		const asId = await validate({ token: user.access_token, tokenUse: 'idToken', audience: '' });
		expect([asAccess.reason_codes, asId.reason_codes]).toEqual([
			['wrong_kind'],
			expect.arrayContaining(['wrong_kind']),
		]);
	});

	test('has a clock tolerance from 0 to 300 seconds', async () => {
		const now = Math.floor(Date.now() / 1000);
		const claims = {
			iss: sandbox.issuerUrl,
			aud: sandbox.clientId,
			sub: 'x',
			iat: now - 900,
			exp: now - 100,
		};
		const token = await sandbox.admin.signToken({ claims });
		const given = { token, tokenUse: 'idToken', audience: '' };
		expect(await validate(given)).toMatchObject({ valid: false });
		expect(await validate({ ...given, options: { clockTolerance: 200 } })).toMatchObject({ valid: true });
		const refusal = await refusalOf('validateToken', { ...given, options: { clockTolerance: 301 } });
		expect(refusal.message).toMatch(/^Clock Tolerance must be a number of seconds from 0 to 300/);
	});

	test('fails, and does not say “invalid”, while the issuer cannot be reached', async () => {
		const nowhere = await credentialsWith({ issuerUrl: 'http://127.0.0.1:9' });
		const given = { token: 'a.b.c', tokenUse: 'idToken', audience: '', options: { maxRetries: 0 } };
		expect((await refusalOf('validateToken', given, nowhere)).message).toMatch(/cannot be reached/);
	});
});

describe('the logout address', () => {
	test.each([
		['client', '/connect/client-endsession'],
		['full', '/connect/full-endsession'],
	])('for %s has both parameters', async (logoutFrom, path) => {
		const user = await signedInUser();
		const given = { logoutFrom, idTokenHint: user.id_token, postLogoutRedirectUri: 'http://localhost:9/bye' };
		const url = new URL(String((await itemOf('getLogoutUrl', given)).logout_url));
		expect(url.origin + url.pathname).toBe(sandbox.issuerUrl + path);
		expect(Object.fromEntries(url.searchParams)).toEqual({
			id_token_hint: user.id_token,
			post_logout_redirect_uri: 'http://localhost:9/bye',
		});
	});

	test('is not made with an access token, which is not quoted', async () => {
		const user = await signedInUser();
		const given = {
			logoutFrom: 'client',
			idTokenHint: user.access_token,
			postLogoutRedirectUri: 'http://localhost:9/bye',
		};
		const refusal = await refusalOf('getLogoutUrl', given);
		expect(refusal.message).toMatch(/^The ID Token Hint is not an ID token/);
		expect(refusal.shown).not.toContain(user.access_token.slice(0, 40));
	});
});

test('every item of a run keeps its own values and its own pair', async () => {
	const items = [{ page: '/a' }, { page: '/b' }];
	const parameters = {
		resource: 'signOn',
		operation: 'getAuthorizationUrl',
		redirectUri: REDIRECT,
		options: { additionalState: '={{ $json.page }}' },
	};
	const { outputs } = await runNode({ parameters, items, credentials });
	const { clientId, clientSecret, issuerUrl } = sandbox;
	const owner = { issuer: issuerUrl, clientId, clientSecret, redirectUri: REDIRECT };
	const pages = outputs[0].map(({ json, pairedItem }) => {
		const opened = openState(String(json.state), owner, String(json.browser_binding), Date.now());
		return [opened.valid && opened.additionalState, pairedItem];
	});
	expect(pages).toEqual([
		['/a', { item: 0 }],
		['/b', { item: 1 }],
	]);
	const tooLong = { ...parameters, options: { additionalState: 'é'.repeat(513) } };
	const { error } = await runNode({ parameters: tooLong, items, credentials });
	expect(error?.message).toBe('Additional State must be at most 1024 bytes long [Item 0]');
	expect(credentials.reads).toBeLessThanOrEqual(2);
});
