import {
	checkLogoutToken,
	type MayLack,
} from '../../../nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts';
import {
	CLIENT_ID,
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
const stranger = rsaSigner('key-1');
const keys = keysOf(signer.jwk);

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
const expected = { issuer: ISSUER, clientId: CLIENT_ID, now: NOW, acceptWithout: [] };

async function reasonsFor(token: string, acceptWithout: MayLack[] = []): Promise<string[]> {
	const checked = await checkLogoutToken(token, { ...expected, acceptWithout }, keys);
	return checked.ok ? [] : checked.failure.findings.map(({ code }) => code);
}

describe('a logout token', () => {
	test('tells who is logged out', async () => {
		const { sub, sid, iss, jti, exp } = claims;
		expect(await checkLogoutToken(signed(claims, signer, header), expected, keys)).toEqual({
			ok: true,
			value: { sub, sid, iss, jti, claims: {}, id: [iss, jti], expiresAt: exp * 1000 },
		});
	});

	test.each([
		['only a user', without(claims, 'sid'), { sub: claims.sub, sid: null }],
		['only a session', without(claims, 'sub'), { sub: null, sid: claims.sid }],
		['a user, and a session that is null', { ...claims, sid: null }, { sub: claims.sub, sid: null }],
		['a session, and a user who is null', { ...claims, sub: null }, { sub: null, sid: claims.sid }],
	])('may name %s', async (_, payload, logout) => {
		expect(await checkLogoutToken(signed(payload, signer), expected, keys)).toMatchObject({
			ok: true,
			value: logout,
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

	test('passes on the claims that have no meaning of their own, and no others', async () => {
		const extra = { account_id: 'a-1', tenant_id: 't-1', roles: [{ name: 'student' }], amr: null };
		const token = signed({ ...claims, ...extra, nbf: SECONDS }, signer, header);
		expect(await checkLogoutToken(token, expected, keys)).toMatchObject({ value: { claims: extra } });
		const checked = await checkLogoutToken(token, expected, keys);
		expect(checked.ok && Object.keys(checked.value.claims)).toEqual(Object.keys(extra));
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

describe('a logout token that lacks a claim', () => {
	const ALL: MayLack[] = ['exp', 'jti', 'events', 'subAndSid'];
	const lacking: Array<[MayLack, Record<string, unknown>, string]> = [
		['exp', without(claims, 'exp'), 'missing_exp'],
		['jti', without(claims, 'jti'), 'missing_jti'],
		['events', without(claims, 'events'), 'no_logout_event'],
		['subAndSid', without(without(claims, 'sub'), 'sid'), 'no_sub_and_no_sid'],
	];

	test.each(lacking)(
		'is taken without %s where the user accepts that, and only there',
		async (claim, payload, reason) => {
			const token = signed(payload, signer, header);
			expect(
				await reasonsFor(
					token,
					ALL.filter((other) => other !== claim),
				),
			).toEqual([reason]);
			expect(await reasonsFor(token, [claim])).toEqual([]);
		},
	);

	test.each([
		['exp', 'exp', null, []],
		['exp', 'exp', 'tomorrow', ['missing_exp']],
		['exp', 'exp', SECONDS - 60, ['expired']],
		['jti', 'jti', null, []],
		['jti', 'jti', '', ['missing_jti']],
		['events', 'events', null, []],
		['events', 'events', { 'urn:x': {} }, ['no_logout_event']],
		['subAndSid', 'sub', null, []],
		['subAndSid', 'sid', '', ['no_sub_and_no_sid']],
	] as Array<[MayLack, string, unknown, string[]]>)(
		'accepted without %s: %s that is %j is judged by whether it is there',
		async (claim, name, value, reasons) => {
			expect(await reasonsFor(signed({ ...claims, [name]: value }, signer, header), [claim])).toEqual(
				reasons,
			);
		},
	);

	test('is known again by what was signed, whatever becomes of the signature', async () => {
		const read = async (token: string) => {
			const checked = await checkLogoutToken(token, { ...expected, acceptWithout: ['jti'] }, keys);
			return checked.ok ? checked.value : undefined;
		};
		const token = signed(without(claims, 'jti'), signer, header);
		expect(await read(token)).toMatchObject({
			jti: null,
			id: [ISSUER, '', token.slice(0, token.lastIndexOf('.'))],
		});
		const later = signed({ ...without(claims, 'jti'), iat: SECONDS - 1 }, signer, header);
		expect((await read(later))?.id).not.toEqual((await read(token))?.id);
	});

	test('and has no end is taken for a day after it was issued', async () => {
		const day = 24 * 60 * 60;
		const issued = (iat: number) => signed({ ...without(claims, 'exp'), iat }, signer, header);
		expect(await reasonsFor(issued(SECONDS - day), ['exp'])).toEqual([]);
		expect(await reasonsFor(issued(SECONDS - day - 60), ['exp'])).toEqual(['expired']);
		expect(await reasonsFor(signed(without(without(claims, 'exp'), 'iat'), signer), ['exp'])).toEqual([
			'missing_iat',
		]);
		const read = await checkLogoutToken(issued(SECONDS), { ...expected, acceptWithout: ['exp'] }, keys);
		expect(read).toMatchObject({ value: { expiresAt: (SECONDS + day) * 1000 } });
	});

	test.each([
		[
			'a stranger’s signature',
			(payload: Record<string, unknown>) => signed(payload, stranger, header),
			'wrong_signature',
		],
		['no signature', (payload: Record<string, unknown>) => unsigned(payload), 'forbidden_algorithm'],
		[
			'a wrong issuer',
			(payload: Record<string, unknown>) => signed({ ...payload, iss: 'https://evil.example' }, signer),
			'wrong_issuer',
		],
		[
			'no issuer',
			(payload: Record<string, unknown>) => signed({ ...payload, iss: undefined }, signer),
			'wrong_issuer',
		],
		[
			'no audience',
			(payload: Record<string, unknown>) => signed({ ...payload, aud: undefined }, signer),
			'wrong_audience',
		],
		[
			'a nonce',
			(payload: Record<string, unknown>) => signed({ ...payload, nonce: 'x' }, signer),
			'nonce_present',
		],
		[
			'the type of an access token',
			(payload: Record<string, unknown>) => signed(payload, signer, { typ: 'at+jwt' }),
			'wrong_kind',
		],
	])('is refused with %s, whatever else is accepted', async (_, token, reason) => {
		const { iss, aud, iat } = claims;
		expect(await reasonsFor(token({ iss, aud, iat }), ALL)).toEqual([reason]);
	});
});
