import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import fc from 'fast-check';

import {
	openState,
	sealState,
	STATE_LIFETIME_SECONDS,
} from '../../../nodes/SchoolPartner/browser/sealedState.ts';
import { CLIENT_ID, ISSUER, NOW } from './peer.mts';

const owner = {
	issuer: ISSUER,
	clientId: CLIENT_ID,
	clientSecret: 'a-made-up-secret-of-some-length',
	redirectUri: 'https://club.example/callback',
};
const content = {
	codeVerifier: 'v'.repeat(43),
	nonce: 'n'.repeat(43),
	scope: 'openid profile',
	additionalState: '{"page":"/books?id=7"}',
};
const binding = randomBytes(32).toString('base64url');
let state: string;
let expiresAt: number;
beforeEach(() => ({ state, expiresAt } = sealState(owner, content, binding, NOW)));

function reasonsFor(...[given, by, from, at]: Parameters<typeof openState>): string[] {
	const opened = openState(given, by, from, at);
	return opened.ok ? [] : opened.failure.findings.map(({ code }) => code);
}

describe('a sealed state', () => {
	test('gives back what was sealed, to the client and the browser it was sealed for', () => {
		expect(openState(state, owner, binding, NOW + 1)).toEqual({ ok: true, value: content });
	});

	test('lives for ten minutes, to the millisecond', () => {
		expect(STATE_LIFETIME_SECONDS).toBe(600);
		expect(expiresAt).toBe(NOW + 600_000);
		expect(reasonsFor(state, owner, binding, NOW + 599_999)).toEqual([]);
		expect(reasonsFor(state, owner, binding, NOW + 600_000)).toEqual(['state_expired']);
	});

	test('is refused for another redirect URI, even one that differs by a slash', () => {
		const other = { ...owner, redirectUri: `${owner.redirectUri}/` };
		expect(reasonsFor(state, other, binding, NOW)).toEqual(['state_for_another_redirect']);
	});

	test('is refused in another browser', () => {
		expect(reasonsFor(state, owner, randomBytes(32).toString('base64url'), NOW)).toEqual([
			'state_from_another_browser',
		]);
		expect(reasonsFor(state, owner, '', NOW)).toEqual(['state_from_another_browser']);
	});

	test('is refused for another client and another issuer', () => {
		const client = { ...owner, clientId: 'chess-club' };
		const issuer = { ...owner, issuer: 'https://other.example' };
		expect(reasonsFor(state, client, binding, NOW)).toEqual(['state_of_another_client']);
		expect(reasonsFor(state, issuer, binding, NOW)).toEqual(['state_of_another_client']);
	});

	test('cannot be opened with another secret', () => {
		expect(reasonsFor(state, { ...owner, clientSecret: 'another-secret' }, binding, NOW)).toEqual([
			'state_altered',
		]);
	});

	test('tells everything that speaks against it at once', () => {
		const other = { ...owner, redirectUri: 'https://club.example/elsewhere' };
		expect(reasonsFor(state, other, 'x', NOW + 700_000)).toEqual([
			'state_for_another_redirect',
			'state_expired',
			'state_from_another_browser',
		]);
	});

	test('is refused when any single character is altered, added or cut off', () => {
		fc.assert(
			fc.property(fc.nat(state.length - 1), fc.constantFrom(...'AQgwZz09-_.+/= \n'), (at, character) => {
				const altered = state.slice(0, at) + character + state.slice(at + 1);
				const longer = state.slice(0, at) + character + state.slice(at);
				const shorter = state.slice(0, at) + state.slice(at + 1);
				for (const text of [altered, longer, shorter]) {
					if (text !== state) expect(openState(text, owner, binding, NOW).ok).toBe(false);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test.each([
		['nothing', () => ''],
		['a megabyte', () => 'a'.repeat(1_000_000)],
		['dots', () => '..'],
		['a tag cut to four bytes', () => state.slice(0, -16)],
		['without its body', () => state.split('.').slice(0, 2).join('.')],
		['a part too many', () => `${state}.x`],
		['a dot too many', () => `${state}.`],
		['another version', () => state.replace('s1.', 's2.')],
		['text that is no state', () => 'af0ifjsldkj'],
	])('that is %s is refused without ado', (_, text) => {
		expect(reasonsFor(text(), owner, binding, NOW)).toEqual(['state_altered']);
	});

	test('shows nothing of the verifier, the nonce, the binding or the workflow’s text, and fits into an address', () => {
		const clear = state + Buffer.from(state.split('.')[2], 'base64url').toString('latin1');
		for (const secret of [
			content.codeVerifier,
			content.nonce,
			'books',
			binding,
			CLIENT_ID,
			owner.clientSecret,
		]) {
			expect(clear).not.toContain(secret);
		}
		const largest = sealState(owner, { ...content, additionalState: 'é'.repeat(512) }, binding, NOW);
		expect(largest.state.length).toBeLessThan(2500);
		expect(encodeURIComponent(state)).toBe(state);
	});

	test('differs every time, so that nobody can tell two visitors apart by it', () => {
		expect(sealState(owner, content, binding, NOW).state).not.toBe(state);
	});

	test('is AES-256-GCM under a key that HKDF-SHA256 derives from the secret for this purpose only', () => {
		const [version, mark, body] = state.split('.');
		const bytes = Buffer.from(body, 'base64url');
		const purpose = 'n8n-nodes-school-partner sign-on state v1';
		const key = Buffer.from(hkdfSync('sha256', owner.clientSecret, '', purpose, 32));
		const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
		decipher.setAAD(Buffer.from(`${version}.${mark}`)).setAuthTag(bytes.subarray(-16));
		const text = decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
		expect(JSON.parse(text)).toMatchObject({ ...content, issuer: ISSUER, clientId: CLIENT_ID });
		expect(text).not.toContain(binding);
	});

	test('names neither secrets nor values in its reasons', () => {
		const other = { ...owner, redirectUri: 'https://club.example/elsewhere' };
		const opened = JSON.stringify(openState(state, other, 'stolen-binding', NOW + 700_000));
		for (const value of ['elsewhere', 'stolen-binding', CLIENT_ID, owner.clientSecret]) {
			expect(opened).not.toContain(value);
		}
	});
});
