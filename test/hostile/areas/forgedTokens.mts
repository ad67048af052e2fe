/** Logout tokens that nobody may believe, each wrong in one thing (OpenID Connect Back-Channel Logout 1.0, RFC 7515, RFC 8725). */
import { createHmac, sign } from 'node:crypto';

import { LOGOUT_EVENT, logoutClaims as claimsOf } from '../../e2e/signOnIssuer.mts';
import {
	ecSigner,
	encoded,
	rsaSigner,
	signed,
	signedWithPublicKey,
	unsigned,
	without,
} from '../../unit/signOn/peer.mts';

export const CLIENT = 'hostile-client';

type Claims = Record<string, unknown>;

/** RSA and elliptic: both are published by the issuer. */
export const SIGNER = rsaSigner('key-1');
export const ELLIPTIC = ecSigner('key-2');
const STRANGER = rsaSigner('key-1');

export const logoutClaims = (issuer: string): Claims => claimsOf(issuer, CLIENT);

export const honestToken = (issuer: string, change: Claims = {}): string =>
	signed({ ...logoutClaims(issuer), ...change }, SIGNER, { typ: 'logout+jwt' });

function hmac(claims: Claims, secret: string): string {
	const input = `${encoded({ alg: 'HS256', kid: SIGNER.kid })}.${encoded(claims)}`;
	return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** Signed with RS256 whatever the header says. */
function mislabelled(claims: Claims, header: Claims): string {
	const input = `${encoded({ kid: SIGNER.kid, ...header })}.${encoded(claims)}`;
	return `${input}.${sign('sha256', Buffer.from(input), SIGNER.privateKey).toString('base64url')}`;
}

function altered(token: string, change: (claims: Claims) => Claims): string {
	const [head = '', body = '', signature = ''] = token.split('.');
	const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
	return [head, encoded(change(claims)), signature].join('.');
}

export interface ForgedToken {
	what: string;
	/** @param evil an address that must never be asked */
	make: (issuer: string, evil: string, clientSecret: string) => string;
}

const changed = (what: string, change: (issuer: string) => Claims): ForgedToken => ({
	what,
	make: (issuer) => honestToken(issuer, change(issuer)),
});
const lacking = (claim: string): ForgedToken => ({
	what: `no ${claim}`,
	make: (issuer) => signed(without(logoutClaims(issuer), claim), SIGNER),
});
const byStranger = (what: string, header: (evil: string) => Claims): ForgedToken => ({
	what: `a stranger's signature ${what}`,
	make: (issuer, evil) => signed(logoutClaims(issuer), STRANGER, header(evil)),
});
const withHeader = (what: string, header: Claims): ForgedToken => ({
	what,
	make: (issuer) => signed(logoutClaims(issuer), SIGNER, header),
});
const bySeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

export const FORGED_TOKENS: readonly ForgedToken[] = [
	...['none', 'None', 'NONE', 'nOnE'].map(
		(alg): ForgedToken => ({
			what: `alg ${alg}`,
			make: (issuer) => unsigned(logoutClaims(issuer), { alg }),
		}),
	),
	{ what: 'alg none with a kid', make: (issuer) => unsigned(logoutClaims(issuer), { kid: SIGNER.kid }) },
	{ what: 'alg none with a signature', make: (issuer) => mislabelled(logoutClaims(issuer), { alg: 'none' }) },
	{
		what: 'HS256 with the public key as PEM',
		make: (issuer) => signedWithPublicKey(logoutClaims(issuer), SIGNER),
	},
	{
		what: 'HS256 with the public key as JWK',
		make: (issuer) => hmac(logoutClaims(issuer), JSON.stringify(SIGNER.jwk)),
	},
	{
		what: 'HS256 with the client secret',
		make: (issuer, _evil, secret) => hmac(logoutClaims(issuer), secret),
	},
	{ what: 'HS256 with an empty key', make: (issuer) => hmac(logoutClaims(issuer), '') },
	byStranger('under the kid of the issuer', () => ({})),
	byStranger('with its key in jwk', () => ({ jwk: STRANGER.jwk })),
	byStranger('with the address of its keys in jku', (evil) => ({ jku: `${evil}/jku` })),
	byStranger('with the address of its certificate in x5u', (evil) => ({ x5u: `${evil}/x5u` })),
	byStranger('with a certificate in x5c', () => ({ x5c: ['MIIB'] })),
	byStranger('without kid', () => ({ kid: undefined })),
	withHeader('a kid that nobody has', { kid: 'nobody' }),
	withHeader('a kid that is a path', { kid: '../../../../dev/null' }),
	withHeader('a kid that is SQL', { kid: "key-1' OR '1'='1" }),
	withHeader('a kid of the other key', { kid: ELLIPTIC.kid }),
	withHeader('crit with an unknown extension', { crit: ['exp'], exp: 1 }),
	withHeader('crit with b64', { crit: ['b64'], b64: false }),
	{
		what: 'PS256 on a signature of RS256',
		make: (issuer) => mislabelled(logoutClaims(issuer), { alg: 'PS256' }),
	},
	{
		what: 'RS512 on a signature of RS256',
		make: (issuer) => mislabelled(logoutClaims(issuer), { alg: 'RS512' }),
	},
	{ what: 'ES256 with a key of RSA', make: (issuer) => mislabelled(logoutClaims(issuer), { alg: 'ES256' }) },
	{ what: 'no alg', make: (issuer) => mislabelled(logoutClaims(issuer), {}) },
	{ what: 'alg that is a list', make: (issuer) => mislabelled(logoutClaims(issuer), { alg: ['RS256'] }) },
	changed('another issuer', () => ({ iss: 'https://evil.example' })),
	changed('an issuer that begins like ours', (issuer) => ({ iss: `${issuer}.evil.example` })),
	changed('a list of issuers', (issuer) => ({ iss: [issuer] })),
	lacking('iss'),
	changed('another audience', () => ({ aud: 'chess-club' })),
	changed('a list of other audiences', () => ({ aud: ['chess-club', `${CLIENT}-2`] })),
	changed('an audience in capitals', () => ({ aud: CLIENT.toUpperCase() })),
	lacking('aud'),
	changed('an end that is past', () => ({ iat: bySeconds(-600), exp: bySeconds(-300) })),
	changed('an end that is text', () => ({ exp: 'tomorrow' })),
	lacking('exp'),
	changed('an issue in the future', () => ({ iat: bySeconds(600), exp: bySeconds(900) })),
	changed('an issue that is text', () => ({ iat: 'now' })),
	lacking('iat'),
	changed('a nonce', () => ({ nonce: 'n-0S6_WzA2Mj' })),
	lacking('events'),
	changed('the event of something else', () => ({ events: { 'http://schemas.example/event/hello': {} } })),
	changed('events as text', () => ({ events: LOGOUT_EVENT })),
	changed('events as a list', () => ({ events: [LOGOUT_EVENT] })),
	changed('an event that is text', () => ({ events: { [LOGOUT_EVENT]: 'yes' } })),
	{
		what: 'no sub and no sid',
		make: (issuer) => signed(without(without(logoutClaims(issuer), 'sub'), 'sid'), SIGNER),
	},
	changed('a sub that is a number, and no sid', () => ({ sub: 17, sid: undefined })),
	changed('an empty sub and no sid', () => ({ sub: '', sid: undefined })),
	lacking('jti'),
	changed('an empty jti', () => ({ jti: '' })),
	{
		what: 'claims of another than was signed',
		make: (issuer) => altered(honestToken(issuer), (all) => ({ ...all, sub: 'account-18' })),
	},
	{ what: 'no signature', make: (issuer) => honestToken(issuer).replace(/[^.]+$/, '') },
	{ what: 'a signature cut off', make: (issuer) => honestToken(issuer).slice(0, -20) },
	{ what: 'four parts', make: (issuer) => `${honestToken(issuer)}.${encoded({})}` },
	{ what: 'five parts', make: () => `${encoded({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d` },
	{
		what: 'JSON instead of a token',
		make: (issuer) => JSON.stringify({ payload: encoded(logoutClaims(issuer)), signatures: [] }),
	},
	{
		what: 'claims that are a list',
		make: (issuer) => signed(JSON.stringify([logoutClaims(issuer)]), SIGNER),
	},
	{
		what: 'claims that only a prototype has',
		make: (issuer) => signed(`{"__proto__": ${JSON.stringify(logoutClaims(issuer))}}`, SIGNER),
	},
	{ what: 'a megabyte', make: (issuer) => `${honestToken(issuer)}${'a'.repeat(1_000_000)}` },
	{ what: 'nothing', make: () => '' },
	{ what: 'no token at all', make: () => 'undefined' },
];
