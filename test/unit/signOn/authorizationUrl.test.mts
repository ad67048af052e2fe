import { randomBytes } from 'node:crypto';

import * as independent from 'openid-client';

import { startSignOn } from '../../../nodes/SchoolPartner/browser/authorizationUrl.ts';
import { openState } from '../../../nodes/SchoolPartner/browser/sealedState.ts';
import { CLIENT_ID, ISSUER, NOW } from './peer.mts';

const owner = {
	issuer: ISSUER,
	clientId: CLIENT_ID,
	clientSecret: 'a-made-up-secret-of-some-length',
	redirectUri: 'https://club.example/callback?from=school',
};
const wish = { scope: 'openid profile offline_access', prompt: '', additionalState: 'page 7' } as const;
const start = startSignOn(owner, wish, NOW, randomBytes);
const url = new URL(start.authorizationUrl);

describe('the authorization address', () => {
	test('goes to the documented path with the documented parameters', () => {
		expect(url.origin + url.pathname).toBe(`${ISSUER}/connect/authorize`);
		expect(Object.fromEntries(url.searchParams)).toEqual({
			response_type: 'code',
			client_id: CLIENT_ID,
			redirect_uri: owner.redirectUri,
			scope: 'openid profile offline_access',
			code_challenge_method: 'S256',
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			state: start.state,
			nonce: expect.stringMatching(/^[\w-]{43}$/),
		});
	});

	test('is the one that openid-client builds from the same values', async () => {
		const opened = openState(start.state, owner, start.browserBinding, NOW);
		if (!opened.ok) throw new Error('the state must open');
		const server = { issuer: ISSUER, authorization_endpoint: `${ISSUER}/connect/authorize` };
		const theirs = independent.buildAuthorizationUrl(new independent.Configuration(server, CLIENT_ID), {
			redirect_uri: owner.redirectUri,
			scope: wish.scope,
			state: start.state,
			nonce: opened.value.nonce,
			code_challenge: await independent.calculatePKCECodeChallenge(opened.value.codeVerifier),
			code_challenge_method: 'S256',
		});
		expect(Object.fromEntries(url.searchParams)).toEqual(Object.fromEntries(theirs.searchParams));
	});

	test('keeps the secret, the verifier and the browser binding out of the browser’s address', () => {
		const opened = openState(start.state, owner, start.browserBinding, NOW);
		if (!opened.ok) throw new Error('the state must open');
		for (const secret of [owner.clientSecret, opened.value.codeVerifier, start.browserBinding]) {
			expect(start.authorizationUrl).not.toContain(secret);
		}
	});

	test('asks for what the workflow asks for', () => {
		const scope = 'openid platform-account';
		const other = new URL(
			startSignOn(owner, { ...wish, scope, prompt: 'login' }, NOW, randomBytes).authorizationUrl,
		);
		expect(other.searchParams.get('scope')).toBe(scope);
		expect(other.searchParams.get('prompt')).toBe('login');
	});

	test('works with an issuer below a path and with a slash at its end', () => {
		const issuer = 'https://school.example/identity/';
		const { authorizationUrl } = startSignOn({ ...owner, issuer }, wish, NOW, randomBytes);
		expect(authorizationUrl).toMatch(/^https:\/\/school\.example\/identity\/connect\/authorize\?/);
	});
});
