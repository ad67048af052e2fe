/** A visitor's way through the sign-on in n8n-core's own engine, against the sandbox's certified provider. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as independent from 'openid-client';

import { openState } from '../../nodes/SchoolPartner/browser/sealedState.ts';
import { CredentialStore, runNode } from '../support/engine.mts';
import { OTHER_REDIRECT, REDIRECT, SignOnStage, textOf } from './signOnStage.mts';

let stage: SignOnStage;

beforeAll(async () => {
	stage = await SignOnStage.set();
});
afterAll(async () => await stage.end());
beforeEach(async () => await stage.reset());

describe('a visitor', () => {
	test('is signed in without n8n remembering anything between start and callback', async () => {
		const before = Date.now();
		const { started, given } = await stage.visit({ additionalState: '/books/7' });
		expect(given.state).toBe(started.state);
		// Ten minutes from a moment between these two.
		const expiresAt = Date.parse(textOf(started.expires_at));
		expect(expiresAt).toBeGreaterThanOrEqual(before + 600_000);
		expect(expiresAt).toBeLessThanOrEqual(Date.now() + 600_000);
		const item = await stage.itemOf('exchangeCode', given);
		expect(item).toMatchObject({
			id_token: expect.any(String),
			access_token: expect.any(String),
			refresh_token: expect.any(String),
			expires_in: 3600,
			claims: {
				sub: expect.any(String),
				iss: stage.sandbox.issuerUrl,
				aud: stage.sandbox.clientId,
				nonce: expect.any(String),
			},
			additional_state: '/books/7',
		});
	});

	test('is redeemed with the documented form, the secret in it and the scope that was asked for', async () => {
		const { given } = await stage.visit({ scope: 'openid profile offline_access platform-account' });
		await stage.itemOf('exchangeCode', given);
		const [request] = (await stage.sandbox.admin.requests()).filter(({ path }) =>
			path.endsWith('/connect/token'),
		);
		expect(request.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
		expect(request.headers.authorization).toBeUndefined();
		// The sandbox's log leaves the secret out; without it there would have been no tokens.
		expect(request.body).toEqual({
			grant_type: 'authorization_code',
			code: expect.any(String),
			client_id: stage.sandbox.clientId,
			redirect_uri: REDIRECT,
			code_verifier: expect.stringMatching(/^[\w-]{43}$/),
			scope: 'openid profile offline_access platform-account',
		});
	});

	test('can be signed in by openid-client from what we send', async () => {
		const { started, back } = await stage.visit();
		const { clientId, clientSecret, issuerUrl } = stage.sandbox;
		const owner = { issuer: issuerUrl, clientId, clientSecret, redirectUri: REDIRECT };
		const opened = openState(textOf(started.state), owner, textOf(started.browser_binding), Date.now());
		if (!opened.ok) throw new Error('the state must open');
		const tokens = await independent.authorizationCodeGrant(await stage.openidClient(), back, {
			pkceCodeVerifier: opened.value.codeVerifier,
			expectedNonce: opened.value.nonce,
			expectedState: textOf(started.state),
		});
		expect(tokens.claims()?.aud).toBe(clientId);
	});

	test('who was sent on by openid-client can be signed in by us, with its verifier and nonce', async () => {
		const verifier = independent.randomPKCECodeVerifier();
		const nonce = independent.randomNonce();
		const url = independent.buildAuthorizationUrl(await stage.openidClient(), {
			redirect_uri: REDIRECT,
			scope: 'openid profile offline_access',
			nonce,
			code_challenge: await independent.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
		});
		const back = await stage.browser.signIn(url.href, 'student1');
		const code = back.searchParams.get('code') ?? '';
		const item = await stage.itemOf('exchangeCode', {
			code,
			redirectUri: REDIRECT,
			startedBy: 'other',
			codeVerifier: verifier,
			options: { nonce },
		});
		const user = await independent.fetchUserInfo(
			await stage.openidClient(),
			textOf(item.access_token),
			textOf((item.claims as IDataObject).sub),
		);
		expect(user.sub).toBe((item.claims as IDataObject).sub);
	});
});

test('No code is spent when another visitor of the same run is refused', async () => {
	const [first, second] = [(await stage.visit()).given, (await stage.visit()).given];
	const parameters = {
		resource: 'signOn',
		operation: 'exchangeCode',
		...Object.fromEntries(Object.keys(first).map((name) => [name, `={{ $json.${name} }}`])),
	};
	const credentials = stage.credentials;
	const bent = { ...second, state: first.state };
	const { error } = await runNode({ parameters, items: [first, bent], credentials });
	expect(error?.message).toMatch(/started in another browser.* \[Item 1\]$/);
	expect(await stage.sandbox.admin.countRequests({ path: '/identity/connect/token' })).toBe(0);
	// With the error output the one is signed in, and the other is not.
	const { outputs } = await runNode({
		parameters,
		items: [first, bent],
		credentials,
		onError: 'continueErrorOutput',
	});
	expect(outputs.map((items) => items.length)).toEqual([1, 1]);
});

test('No token is shown to the sign-on when another item of the same run has none', async () => {
	const parameters = { resource: 'signOn', operation: 'getUserInfo', accessToken: '={{ $json.token }}' };
	const { error } = await runNode({
		parameters,
		items: [{ token: 'a-token' }, { token: '' }],
		credentials: stage.credentials,
	});
	expect(error?.message).toBe('Access Token must not be empty [Item 1]');
	expect(await stage.sandbox.admin.countRequests({ path: '/identity/connect/userinfo' })).toBe(0);
});

describe('a callback is refused, with its reason and the next step, and the code is not spent', () => {
	test.each<[string, (given: INodeParameters) => INodeParameters | Promise<INodeParameters>, RegExp]>([
		[
			'an altered state',
			// Another character in its middle, whatever stands there.
			(given) => ({
				...given,
				state: textOf(given.state).replace(/.(?=.{40}$)/, (one) => (one === 'A' ? 'B' : 'A')),
			}),
			/The state was altered/,
		],
		[
			'another redirect URI',
			(given) => ({ ...given, redirectUri: OTHER_REDIRECT }),
			/made for another redirect URI/,
		],
		[
			'another browser',
			async (given) => {
				const other = await stage.itemOf('getAuthorizationUrl', { redirectUri: REDIRECT });
				return { ...given, browserBinding: textOf(other.browser_binding) };
			},
			/started in another browser/,
		],
		[
			'no browser binding',
			(given) => ({ ...given, browserBinding: '' }),
			/^Browser Binding must not be empty/,
		],
		['no state', (given) => ({ ...given, state: '' }), /^State must not be empty, unless Started By/],
		[
			'no verifier of a sign-on that was started elsewhere',
			(given) => ({ ...given, startedBy: 'other', codeVerifier: '' }),
			/^Code Verifier must be 43 to 128/,
		],
		[
			'a verifier that is none',
			(given) => ({ ...given, startedBy: 'other', codeVerifier: 'short' }),
			/^Code Verifier must be 43 to 128/,
		],
		['no code', (given) => ({ ...given, code: '' }), /^Code must not be empty/],
	])('%s', async (_, bent, message) => {
		const { given } = await stage.visit();
		const refusal = await stage.refusalOf('exchangeCode', await bent(given));
		expect(refusal.message).toMatch(message);
		expect(refusal.message).toMatch(/\[Item 0\]$/);
		expect(refusal.description).not.toBe('');
		expect(refusal.shown).not.toContain(given.code);
		expect(await stage.sandbox.admin.countRequests({ path: '/identity/connect/token' })).toBe(0);
		expect(await stage.itemOf('exchangeCode', given)).toHaveProperty('claims');
	});

	test('a state of another client, and one of another secret', async () => {
		const { given } = await stage.visit();
		const another = await stage.credentialsWith({ clientId: 'chess-club' });
		expect((await stage.refusalOf('exchangeCode', given, another)).message).toMatch(
			/made for another client/,
		);
		const changed = await stage.credentialsWith({ clientSecret: 'changed' });
		expect((await stage.refusalOf('exchangeCode', given, changed)).message).toMatch(
			/or the client secret was changed/,
		);
	});

	test('an ID token for another sign-on: the nonce differs', async () => {
		const verifier = independent.randomPKCECodeVerifier();
		const url = independent.buildAuthorizationUrl(await stage.openidClient(), {
			redirect_uri: REDIRECT,
			scope: 'openid',
			nonce: 'sent',
			code_challenge: await independent.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
		});
		const code = (await stage.browser.signIn(url.href, 'student1')).searchParams.get('code') ?? '';
		const given = {
			code,
			redirectUri: REDIRECT,
			startedBy: 'other',
			codeVerifier: verifier,
			options: { nonce: 'another' },
		};
		expect((await stage.refusalOf('exchangeCode', given)).message).toMatch(
			/does not belong to this sign-on \(nonce\)/,
		);
	});
});

describe('a code that the provider refuses is told in plain words, with what to do', () => {
	const plain =
		/^The sign-on does not accept the code: it was used before, is older than 5 minutes, or does not belong/;

	test('used twice', async () => {
		const { given } = await stage.visit();
		await stage.itemOf('exchangeCode', given);
		const refusal = await stage.refusalOf('exchangeCode', given);
		expect(refusal.message).toMatch(plain);
		expect(refusal.description).toMatch(/^Send the visitor to the start of the sign-on again/);
		expect(refusal.shown).not.toContain(given.code);
	});

	test('expired', async () => {
		await stage.sandbox.admin.changeSettings({ codeLifetime: 1 });
		const { given } = await stage.visit();
		await new Promise((resolve) => setTimeout(resolve, 2_100));
		expect((await stage.refusalOf('exchangeCode', given)).message).toMatch(plain);
	});

	test('with the wrong verifier', async () => {
		const { given } = await stage.visit();
		const wrong = {
			code: given.code,
			redirectUri: REDIRECT,
			startedBy: 'other',
			codeVerifier: 'w'.repeat(43),
		};
		const refusal = await stage.refusalOf('exchangeCode', wrong);
		expect(refusal.message).toMatch(plain);
		expect(refusal.shown).not.toContain('w'.repeat(43));
	});

	test('with the wrong secret', async () => {
		const { code } = (await stage.visit()).given;
		const changed = await stage.credentialsWith({ clientSecret: 'changed' });
		const refusal = await stage.refusalOf(
			'exchangeCode',
			{ code, redirectUri: REDIRECT, startedBy: 'other', codeVerifier: 'w'.repeat(43) },
			changed,
		);
		expect(refusal.message).toMatch(/does not accept the client ID or the client secret/);
	});

	test('at an address where nothing answers: the code is not sent', async () => {
		const nowhere = await stage.credentialsWith({ issuerUrl: 'http://127.0.0.1:9' });
		const given = {
			code: 'x',
			redirectUri: REDIRECT,
			startedBy: 'other',
			codeVerifier: 'w'.repeat(43),
			options: { maxRetries: 0 },
		};
		const refusal = await stage.refusalOf('exchangeCode', given, nowhere);
		expect(refusal.message).toMatch(
			/^The sign-on cannot be reached at http:\/\/127\.0\.0\.1:9 \(the connection was refused\)/,
		);
		expect(refusal.description).toMatch(/Check Issuer URL/);
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
	const { outputs } = await runNode({ parameters, items, credentials: stage.credentials });
	const { clientId, clientSecret, issuerUrl } = stage.sandbox;
	const owner = { issuer: issuerUrl, clientId, clientSecret, redirectUri: REDIRECT };
	const pages = outputs[0].map(({ json, pairedItem }) => {
		const opened = openState(textOf(json.state), owner, textOf(json.browser_binding), Date.now());
		return [opened.ok && opened.value.additionalState, pairedItem];
	});
	expect(pages).toEqual([
		['/a', { item: 0 }],
		['/b', { item: 1 }],
	]);
	const tooLong = { ...parameters, options: { additionalState: 'é'.repeat(513) } };
	const { error } = await runNode({ parameters: tooLong, items, credentials: stage.credentials });
	expect(error?.message).toBe('Additional State must be at most 1024 bytes long [Item 0]');
	expect(stage.credentials?.reads).toBeLessThanOrEqual(2);
});

describe('An authorization URL is not made', () => {
	const parameters = { resource: 'signOn', operation: 'getAuthorizationUrl', redirectUri: REDIRECT };

	test('with an Additional State that grows too long when it is written down', async () => {
		const options = { additionalState: '={{ $json.page }}' };
		const items = [{ page: '\u0001'.repeat(1_024) }];
		const { error } = await runNode({
			parameters: { ...parameters, options },
			items,
			credentials: stage.credentials,
		});
		expect(error?.message).toBe('Additional State is too long once it is written into the state [Item 0]');
		expect(error?.description).toMatch(/^Shorten it: a control character takes six times its place\./);
	});

	test.each(['', '  '])(
		'with the Client Secret %j, from which anybody could make the key',
		async (clientSecret) => {
			const { issuerUrl, clientId } = stage.sandbox;
			const credentials = await CredentialStore.of('schoolPartnerOidcApi', {
				...{ issuerUrl, clientId, clientSecret },
			});
			const { error, outputs } = await runNode({ parameters, credentials });
			expect(error?.message).toBe('The credential has no Client Secret [Item 0]');
			expect(error?.description).toMatch(/^Fill in Client Secret in the credential\./);
			expect(outputs?.flat() ?? []).toEqual([]);
		},
	);
});
