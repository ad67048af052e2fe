import { randomBytes } from 'node:crypto';

import * as independent from 'openid-client';

import {
	codeChallengeOf,
	isCodeVerifier,
	newCodeVerifier,
} from '../../../nodes/SchoolPartner/browser/pkce.ts';

describe('proof key for code exchange', () => {
	test('gives the values of RFC 7636 appendix B', () => {
		const octets = Buffer.from([
			116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214,
			191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
		]);
		const verifier = newCodeVerifier(() => octets);
		expect(verifier).toBe('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
		expect(codeChallengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
	});

	test('hashes what openid-client makes as openid-client does', async () => {
		const verifier = independent.randomPKCECodeVerifier();
		expect(isCodeVerifier(verifier)).toBe(true);
		expect(codeChallengeOf(verifier)).toBe(await independent.calculatePKCECodeChallenge(verifier));
	});

	test('never makes the same verifier twice, and only ones the RFC allows', () => {
		const made = Array.from({ length: 200 }, () => newCodeVerifier(randomBytes));
		expect(new Set(made).size).toBe(200);
		expect(made.every(isCodeVerifier)).toBe(true);
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
