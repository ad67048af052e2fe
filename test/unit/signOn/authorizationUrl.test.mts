import {
	codeChallengeOf,
	isCodeVerifier,
	startSignOn,
} from '../../../nodes/SchoolPartner/browser/authorizationUrl.ts';
import { openState } from '../../../nodes/SchoolPartner/browser/sealedState.ts';
import { authorizationWish } from '../../../nodes/SchoolPartner/operations/signOn/contract.ts';
import { CLIENT_ID, ISSUER, NOW } from './peer.mts';

const owner = {
	issuer: ISSUER,
	clientId: CLIENT_ID,
	clientSecret: 'a-made-up-secret-of-some-length',
	redirectUri: 'https://club.example/callback?from=school',
};
const wish = { scope: 'openid profile offline_access', prompt: '', additional_state: 'page 7' } as const;
const start = startSignOn(owner, wish, NOW);
const url = new URL(start.authorization_url);

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

	test('keeps the secret, the verifier and the browser binding out of the browser’s address', () => {
		const opened = openState(start.state, owner, start.browser_binding, NOW);
		if (!opened.ok) throw new Error('the state must open');
		for (const secret of [owner.clientSecret, opened.value.codeVerifier, start.browser_binding]) {
			expect(start.authorization_url).not.toContain(secret);
		}
	});

	test('works with an issuer below a path and with a slash at its end', () => {
		const issuer = 'https://school.example/identity/';
		const { authorization_url: address } = startSignOn({ ...owner, issuer }, wish, NOW);
		expect(address).toMatch(/^https:\/\/school\.example\/identity\/connect\/authorize\?/);
	});
});

describe('proof key for code exchange', () => {
	test('gives the challenge of RFC 7636 appendix B', () => {
		expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
			'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
		);
	});

	test('never has the same verifier, nonce or browser binding twice, and only verifiers that the RFC allows', () => {
		const made = Array.from({ length: 200 }, () => {
			const { state, browser_binding: browserBinding } = startSignOn(owner, wish, NOW);
			const opened = openState(state, owner, browserBinding, NOW);
			return opened.ok ? [opened.value.codeVerifier, opened.value.nonce, browserBinding] : [];
		});
		expect(new Set(made.flat()).size).toBe(600);
		expect(made.every(([verifier]) => isCodeVerifier(verifier))).toBe(true);
	});

	test.each([
		['42 characters', 'a'.repeat(42), false],
		['43 characters', 'a'.repeat(43), true],
		['128 characters', 'a'.repeat(128), true],
		['129 characters', 'a'.repeat(129), false],
		['all unreserved characters', 'AZaz09-._~'.repeat(5), true],
		['a plus sign', `${'a'.repeat(43)}+`, false],
		['a line break at the end', `${'a'.repeat(43)}\n`, false],
		['nothing', '', false],
	])('tells whether %s make a verifier', (_, text, expected) => {
		expect(isCodeVerifier(text)).toBe(expected);
	});
});

describe('the redirect URI', () => {
	const isTaken = (redirect_uri: string) =>
		authorizationWish.safeParse({ redirect_uri, scope: '', prompt: '', additional_state: '' }).success;

	test.each(['https://app.example/callback?a=1', 'http://localhost', 'my-app://callback', 'my-app:callback'])(
		'may be %s',
		(address) => {
			expect(isTaken(address)).toBe(true);
		},
	);

	test.each([
		'https://app.example/call back',
		'https:app.example/callback',
		'https:/app.example',
		'/callback',
	])('cannot be %s: the sign-on would get it as it was typed', (address) => {
		expect(isTaken(address)).toBe(false);
	});
});
