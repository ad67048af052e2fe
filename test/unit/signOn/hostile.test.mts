import fc from 'fast-check';

import { readFrontChannel } from '../../../nodes/SchoolPartnerLogoutTrigger/logouts/frontChannel.ts';
import { checkLogoutToken, MAY_LACK } from '../../../nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts';
import { openState } from '../../../nodes/SchoolPartner/browser/sealedState.ts';
import { checkToken } from '../../../nodes/SchoolPartner/operations/signOn/tokenCheck.ts';
import { CLIENT_ID, encoded, ISSUER, keysOf, NOW, rsaSigner, signed } from './peer.mts';

const signer = rsaSigner('key-1');
const keys = keysOf(signer.jwk);

const expected = { issuer: ISSUER, clientId: CLIENT_ID, now: NOW, acceptWithout: [] };
const lenient = { ...expected, acceptWithout: MAY_LACK };
const idToken = {
	...expected,
	use: 'idToken',
	audiences: [CLIENT_ID],
	nonce: '',
	clockTolerance: 10,
} as const;

/** Objects with the names that matter among their keys, and values of every kind behind them. */
const claims = fc.dictionary(
	fc.constantFrom(
		'iss',
		'aud',
		'sub',
		'sid',
		'exp',
		'iat',
		'nbf',
		'jti',
		'events',
		'nonce',
		'azp',
		'__proto__',
		'x',
	),
	fc.oneof(fc.jsonValue(), fc.constantFrom(ISSUER, CLIENT_ID, NOW / 1000, -1, 1e300)),
);
const header = fc.dictionary(
	fc.constantFrom('alg', 'kid', 'typ', 'crit', 'b64', 'jwk', 'jku', 'x5c', 'zip', '__proto__'),
	fc.oneof(fc.jsonValue(), fc.constantFrom('RS256', 'none', 'key-1', 'logout+jwt')),
);

describe('whatever is sent, it is refused and nothing falls over', () => {
	test('text of any kind', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary' })),
				async (text) => {
					expect((await checkLogoutToken(text, expected, keys)).ok).toBe(false);
					expect((await checkToken(text, idToken, keys)).ok).toBe(false);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('headers and claims of any kind, without a signature that fits', async () => {
		await fc.assert(
			fc.asyncProperty(header, claims, fc.base64String(), async (head, body, signature) => {
				const token = `${encoded(head)}.${encoded(body)}.${signature.replace(/[+/=]/g, '_')}`;
				expect((await checkLogoutToken(token, lenient, keys)).ok).toBe(false);
				expect((await checkToken(token, idToken, keys)).ok).toBe(false);
			}),
			{ numRuns: 500 },
		);
	});

	test('claims of any kind that the issuer itself has signed', async () => {
		await fc.assert(
			fc.asyncProperty(claims, async (body) => {
				const checked = await checkLogoutToken(signed(body, signer), expected, keys);
				expect(checked.ok).toBe(false);
			}),
			{ numRuns: 200, examples: [[{ exp: { toString: [] } }]] },
		);
	});

	test('queries of any kind: a session is only ever plain text', () => {
		const value = fc.oneof(
			fc.string(),
			fc.array(fc.string()),
			fc.dictionary(fc.string(), fc.string()),
			fc.constant(ISSUER),
		);
		const query = fc.dictionary(fc.constantFrom('Sid', 'sid', 'SID', 'iss', '__proto__', 'x'), value);
		fc.assert(
			fc.property(query, (given) => {
				const front = readFrontChannel(given, ISSUER);
				if (front.ok) expect(front.value.sid).toMatch(/^[\x21-\x7e]{1,255}$/);
			}),
			{ numRuns: 500 },
		);
	});

	test('states of any kind', () => {
		const owner = {
			issuer: ISSUER,
			clientId: CLIENT_ID,
			clientSecret: 's',
			redirectUri: 'https://club.example/',
		};
		fc.assert(
			fc.property(fc.array(fc.base64String(), { maxLength: 5 }), (parts) => {
				expect(openState(['s1', ...parts].join('.'), owner, 'b', NOW).ok).toBe(false);
			}),
			{ numRuns: 500 },
		);
	});
});
