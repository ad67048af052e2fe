import { checkLogoutToken } from '../../../nodes/shared/signOn/logoutToken.ts';
import { readKeySet } from '../../../nodes/shared/signOn/keySet.ts';
import {
	CLIENT_ID,
	ISSUER,
	NOW,
	rsaSigner,
	SECONDS,
	signed,
	signedWithPublicKey,
	unsigned,
	without,
} from './peer.mts';

const signer = rsaSigner('key-1');
const stranger = rsaSigner('key-1');
const read = readKeySet({ keys: [signer.jwk] });
if (!read.valid) throw new Error('the key must be readable');
const { keys } = read;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The example of OpenID Connect Back-Channel Logout 1.0 section 2.4, with this issuer's times. */
const claims = {
	iss: ISSUER,
	sub: '248289761001',
	aud: CLIENT_ID,
	iat: SECONDS,
	exp: SECONDS + 120,
	jti: 'bWJq',
	sid: '08a5019c-17e1-4977-8f42-65a12843ea02',
	events: { [EVENT]: {} },
};
const header = { typ: 'logout+jwt' };
const expected = { issuer: ISSUER, clientId: CLIENT_ID, now: NOW };

async function reasonsFor(token: string): Promise<string[]> {
	const checked = await checkLogoutToken(token, expected, keys);
	return checked.valid ? [] : checked.reasons.map(({ code }) => code);
}

describe('a logout token', () => {
	test('tells who is logged out', async () => {
		const { sub, sid, iss, jti, exp } = claims;
		expect(await checkLogoutToken(signed(claims, signer, header), expected, keys)).toEqual({
			valid: true,
			logout: { sub, sid, iss, jti, expiresAt: exp * 1000 },
		});
	});

	test.each([
		['only a user', without(claims, 'sid'), { sub: claims.sub, sid: null }],
		['only a session', without(claims, 'sub'), { sub: null, sid: claims.sid }],
	])('may name %s', async (_, payload, logout) => {
		expect(await checkLogoutToken(signed(payload, signer), expected, keys)).toMatchObject({
			valid: true,
			logout,
		});
	});

	test.each([
		['no type', {}],
		['the type JWT', { typ: 'JWT' }],
		['the full media type', { typ: 'application/logout+jwt' }],
	])('may have %s', async (_, bent) => {
		expect(await reasonsFor(signed(claims, signer, bent))).toEqual([]);
	});

	test.each([
		['alg none', () => unsigned(claims), 'forbidden_algorithm'],
		['HS256 with the public key', () => signedWithPublicKey(claims, signer), 'forbidden_algorithm'],
		['a stranger’s signature', () => signed(claims, stranger), 'wrong_signature'],
		['a wrong kid', () => signed(claims, signer, { kid: 'nobody' }), 'unknown_key'],
		['a wrong issuer', () => signed({ ...claims, iss: 'https://evil.example' }, signer), 'wrong_issuer'],
		['a wrong audience', () => signed({ ...claims, aud: 'chess-club' }, signer), 'wrong_audience'],
		['an end that is past', () => signed({ ...claims, exp: SECONDS - 60 }, signer), 'expired'],
		['no end', () => signed(without(claims, 'exp'), signer), 'missing_exp'],
		['an issue in the future', () => signed({ ...claims, iat: SECONDS + 60 }, signer), 'from_the_future'],
		['no time of issue', () => signed(without(claims, 'iat'), signer), 'missing_iat'],
		['a nonce', () => signed({ ...claims, nonce: 'x' }, signer), 'nonce_present'],
		['a nonce that is null', () => signed({ ...claims, nonce: null }, signer), 'nonce_present'],
		['no events', () => signed(without(claims, 'events'), signer), 'no_logout_event'],
		['other events', () => signed({ ...claims, events: { 'urn:x': {} } }, signer), 'no_logout_event'],
		['events that are a list', () => signed({ ...claims, events: [EVENT] }, signer), 'no_logout_event'],
		[
			'an event that is no object',
			() => signed({ ...claims, events: { [EVENT]: true } }, signer),
			'no_logout_event',
		],
		['no sub and no sid', () => signed(without(without(claims, 'sub'), 'sid'), signer), 'no_sub_and_no_sid'],
		['an empty sid', () => signed({ ...claims, sid: '' }, signer), 'no_sub_and_no_sid'],
		['a sub that is a number', () => signed({ ...claims, sub: 7 }, signer), 'no_sub_and_no_sid'],
		['no jti', () => signed(without(claims, 'jti'), signer), 'missing_jti'],
		['the type of an access token', () => signed(claims, signer, { typ: 'at+jwt' }), 'wrong_kind'],
	])('is refused with %s, for that reason alone', async (_, token, reason) => {
		expect(await reasonsFor(token())).toEqual([reason]);
	});

	test.each([
		['truncated', signed(claims, signer).slice(0, 200), 'not_a_jwt'],
		['a megabyte long', `${signed(claims, signer)}${'a'.repeat(1_000_000)}`, 'too_long'],
		['empty', '', 'empty'],
	])('is refused when it is %s', async (_, token, reason) => {
		expect(await reasonsFor(token)).toEqual([reason]);
	});

	test('is not to be had from an id token of the same user', async () => {
		const idToken = {
			iss: ISSUER,
			sub: claims.sub,
			aud: CLIENT_ID,
			iat: SECONDS,
			exp: SECONDS + 60,
			nonce: 'n',
		};
		expect(await reasonsFor(signed(idToken, signer))).toEqual([
			'no_logout_event',
			'nonce_present',
			'missing_jti',
		]);
	});
});
