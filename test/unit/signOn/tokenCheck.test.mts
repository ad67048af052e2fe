import { generateKeyPairSync } from 'node:crypto';

import {
	checkToken,
	type TokenExpectation,
} from '../../../nodes/SchoolPartner/operations/signOn/tokenCheck.ts';
import {
	CLIENT_ID,
	ecSigner,
	encoded,
	ISSUER,
	keysOf,
	NOW,
	rsaSigner,
	SECONDS,
	signed,
	signedWithPublicKey,
	unsigned,
	without,
} from './peer.mts';

const signer = rsaSigner('key-1');
const elliptic = ecSigner('key-2');
const stranger = rsaSigner('key-1');

/** `{"a":"\xff"}`: JSON but for one octet that no UTF-8 text has. */
const brokenUtf8 = Buffer.from('{"a":"\u00ff"}', 'latin1').toString('base64url');

const keys = keysOf(signer.jwk, elliptic.jwk);
const claims = {
	iss: ISSUER,
	aud: CLIENT_ID,
	sub: 'account-17',
	iat: SECONDS,
	exp: SECONDS + 300,
	nonce: 'a-nonce',
};
const accessClaims = {
	iss: ISSUER,
	aud: ['Reading Club', 'urn:school:api'],
	iat: SECONDS,
	exp: SECONDS + 300,
};
const expected: TokenExpectation = {
	use: 'idToken',
	issuer: ISSUER,
	audiences: [CLIENT_ID],
	clientId: CLIENT_ID,
	nonce: 'a-nonce',
	clockTolerance: 10,
	now: NOW,
};
const expectedAccess: TokenExpectation = {
	...expected,
	use: 'accessToken',
	audiences: ['Reading Club'],
	nonce: '',
};

async function reasonsFor(token: string, against = expected, published = keys): Promise<string[]> {
	const checked = await checkToken(token, against, published);
	return checked.ok ? [] : checked.failure.findings.map(({ code }) => code);
}

describe('an id token', () => {
	test('is believed when the issuer signed it for us, with an RSA or an elliptic key', async () => {
		const checked = await checkToken(signed(claims, signer), expected, keys);
		expect(checked).toMatchObject({
			ok: true,
			value: { payload: claims, header: { alg: 'RS256', kid: 'key-1' } },
		});
		expect(await reasonsFor(signed(claims, elliptic))).toEqual([]);
	});

	test.each([
		['alg none', () => unsigned(claims), 'forbidden_algorithm'],
		['alg None in other letters', () => unsigned(claims, { alg: 'NoNe' }), 'forbidden_algorithm'],
		['HS256 with the public key', () => signedWithPublicKey(claims, signer), 'forbidden_algorithm'],
		['no alg at all', () => signed(claims, signer, { alg: undefined }), 'forbidden_algorithm'],
		['an algorithm that is a list', () => signed(claims, signer, { alg: ['RS256'] }), 'forbidden_algorithm'],
		['a stranger’s key under our key’s name', () => signed(claims, stranger), 'wrong_signature'],
		['a kid that nobody published', () => signed(claims, signer, { kid: 'key-9' }), 'unknown_key'],
		['the kid of another key', () => signed(claims, signer, { kid: 'key-2' }), 'wrong_signature'],
		[
			'an extension it calls critical',
			() => signed(claims, signer, { crit: ['exp'], exp: 1 }),
			'critical_extension',
		],
		['a payload that is not encoded', () => signed(claims, signer, { b64: false }), 'critical_extension'],
		['its key brought along', () => signed(claims, stranger, { jwk: stranger.jwk }), 'wrong_signature'],
		['another issuer', () => signed({ ...claims, iss: 'https://evil.example' }, signer), 'wrong_issuer'],
		['the issuer with a slash', () => signed({ ...claims, iss: `${ISSUER}/` }, signer), 'wrong_issuer'],
		['no issuer', () => signed(without(claims, 'iss'), signer), 'wrong_issuer'],
		['another audience', () => signed({ ...claims, aud: 'chess-club' }, signer), 'wrong_audience'],
		['an empty list of audiences', () => signed({ ...claims, aud: [] }, signer), 'wrong_audience'],
		[
			'a list in which one audience is no text',
			() => signed({ ...claims, aud: [CLIENT_ID, 7], azp: CLIENT_ID }, signer),
			'wrong_audience',
		],
		['no audience', () => signed(without(claims, 'aud'), signer), 'wrong_audience'],
		[
			'an audience that is an object',
			() => signed({ ...claims, aud: { a: CLIENT_ID } }, signer),
			'wrong_audience',
		],
		['an end that is past', () => signed({ ...claims, exp: SECONDS - 10 }, signer), 'expired'],
		['no end', () => signed(without(claims, 'exp'), signer), 'missing_exp'],
		['an end that is text', () => signed({ ...claims, exp: String(claims.exp) }, signer), 'missing_exp'],
		['no time of issue', () => signed(without(claims, 'iat'), signer), 'missing_iat'],
		['an issue in the future', () => signed({ ...claims, iat: SECONDS + 11 }, signer), 'from_the_future'],
		['a beginning in the future', () => signed({ ...claims, nbf: SECONDS + 11 }, signer), 'not_yet_valid'],
		['another nonce', () => signed({ ...claims, nonce: 'another' }, signer), 'wrong_nonce'],
		['no nonce although one was sent', () => signed(without(claims, 'nonce'), signer), 'wrong_nonce'],
		['no user', () => signed(without(claims, 'sub'), signer), 'missing_sub'],
		[
			'two audiences and no party',
			() => signed({ ...claims, aud: [CLIENT_ID, 'x'] }, signer),
			'wrong_authorized_party',
		],
		[
			'another authorized party',
			() => signed({ ...claims, azp: 'chess-club' }, signer),
			'wrong_authorized_party',
		],
		['the type of an access token', () => signed(claims, signer, { typ: 'at+jwt' }), 'wrong_kind'],
		['a type that is no text', () => signed(claims, signer, { typ: { toString: null } }), 'wrong_kind'],
		['a kid that is no text', () => signed(claims, signer, { kid: { toString: null } }), 'unknown_key'],
		['the type of a logout token', () => signed(claims, signer, { typ: 'logout+jwt' }), 'wrong_kind'],
	])('is refused with %s', async (_, token, reason) => {
		expect(await reasonsFor(token())).toContain(reason);
	});

	test.each([
		['nothing', '', 'empty'],
		['a megabyte', 'a'.repeat(1_000_000), 'too_long'],
		['an opaque token', 'c29tZSBvcGFxdWUgdG9rZW4', 'not_a_jwt'],
		['a token cut in its payload', signed(claims, signer).slice(0, 120), 'not_a_jwt'],
		['a token cut in its signature', signed(claims, signer).slice(0, -20), 'wrong_signature'],
		['a token with four parts', `${signed(claims, signer)}.x`, 'not_a_jwt'],
		['an encrypted token of five parts', 'a.b.c.d.e', 'not_a_jwt'],
		['a payload that is a list', signed('[1]', signer), 'not_a_jwt'],
		['a payload of broken UTF-8', `${encoded({ alg: 'RS256' })}.${brokenUtf8}.AA`, 'not_a_jwt'],
		['a token with “Bearer” before it', `Bearer ${signed(claims, signer)}`, 'not_a_jwt'],
		['a token with a line break after it', `${signed(claims, signer)}\n`, 'not_a_jwt'],
	])('is not read from %s', async (_, token, reason) => {
		expect(await reasonsFor(token)).toEqual([reason]);
	});

	test('is refused with all its reasons, and gives out no claims then', async () => {
		const token = signed({ ...claims, iss: 'https://evil.example', aud: 'x', exp: 1, nonce: 'y' }, stranger);
		const checked = await checkToken(token, expected, keys);
		expect(checked).not.toHaveProperty('claims');
		expect(await reasonsFor(token)).toEqual([
			'wrong_signature',
			'wrong_issuer',
			'wrong_audience',
			'expired',
			'wrong_nonce',
		]);
		expect(JSON.stringify(checked)).not.toMatch(/evil|account-17/);
	});

	test('may be off by the clock tolerance, not by a second more', async () => {
		const late = signed({ ...claims, exp: SECONDS - 59 }, signer);
		expect(await reasonsFor(late, { ...expected, clockTolerance: 60 })).toEqual([]);
		expect(await reasonsFor(late, { ...expected, clockTolerance: 59 })).toEqual(['expired']);
		expect(
			await reasonsFor(signed({ ...claims, exp: SECONDS }, signer), { ...expected, clockTolerance: 0 }),
		).toEqual(['expired']);
	});

	test('may begin as much later as the clocks may differ', async () => {
		const beginsAt = async (nbf: unknown) => await reasonsFor(signed({ ...claims, nbf }, signer));
		expect([await beginsAt(SECONDS + 10), await beginsAt(SECONDS + 11)]).toEqual([[], ['not_yet_valid']]);
	});

	test('without a kid is checked against all keys that fit', async () => {
		const both = keysOf(stranger.jwk, { ...signer.jwk, kid: 'key-3' });
		expect(await reasonsFor(signed(claims, signer, { kid: undefined }), expected, both)).toEqual([]);
		const none = keysOf(elliptic.jwk);
		expect(await reasonsFor(signed(claims, signer, { kid: undefined }), expected, none)).toEqual([
			'unknown_key',
		]);
	});

	test('needs no nonce when none was sent', async () => {
		expect(await reasonsFor(signed(without(claims, 'nonce'), signer), { ...expected, nonce: '' })).toEqual(
			[],
		);
	});
});

describe('an access token', () => {
	test('is believed for the client id, the application’s name or the resource', async () => {
		const token = signed(accessClaims, signer, { typ: 'at+jwt' });
		expect(await reasonsFor(token, expectedAccess)).toEqual([]);
		expect(await reasonsFor(token, { ...expectedAccess, audiences: ['x', 'urn:school:api'] })).toEqual([]);
		expect(await reasonsFor(token, { ...expectedAccess, audiences: [CLIENT_ID] })).toEqual([
			'wrong_audience',
		]);
	});

	test('cannot be an id token or a logout token', async () => {
		const aud = 'Reading Club';
		const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
		expect(await reasonsFor(signed({ ...claims, aud }, signer), expectedAccess)).toEqual(['wrong_kind']);
		expect(await reasonsFor(signed({ ...accessClaims, events }, signer), expectedAccess)).toEqual([
			'wrong_kind',
		]);
	});

	test('may lack a time of issue, and not have one that is none', async () => {
		expect(await reasonsFor(signed(without(accessClaims, 'iat'), signer), expectedAccess)).toEqual([]);
		const withTime = signed({ ...accessClaims, iat: 'today' }, signer);
		expect(await reasonsFor(withTime, expectedAccess)).toEqual(['missing_iat']);
	});
});

describe('the key list of an issuer', () => {
	test('with a key too short to be safe makes its tokens refused, not the node fall over', async () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
		const weak = {
			...signer,
			privateKey,
			publicKey,
			jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'key-1' },
		};
		expect(await reasonsFor(signed(claims, weak), expected, keysOf(weak.jwk))).toEqual(['wrong_signature']);
	});
});
