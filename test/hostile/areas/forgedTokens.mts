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

const forged = (what: string, make: ForgedToken['make']): ForgedToken => ({ what, make });
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
	forged('alg none with a kid', (issuer) => unsigned(logoutClaims(issuer), { kid: SIGNER.kid })),
	forged('alg none with a signature', (issuer) => mislabelled(logoutClaims(issuer), { alg: 'none' })),
	forged('HS256 with the public key as PEM', (issuer) => signedWithPublicKey(logoutClaims(issuer), SIGNER)),
	forged('HS256 with the public key as JWK', (issuer) =>
		hmac(logoutClaims(issuer), JSON.stringify(SIGNER.jwk)),
	),
	forged('HS256 with the client secret', (issuer, _evil, secret) => hmac(logoutClaims(issuer), secret)),
	forged('HS256 with an empty key', (issuer) => hmac(logoutClaims(issuer), '')),
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
	forged('PS256 on a signature of RS256', (issuer) => mislabelled(logoutClaims(issuer), { alg: 'PS256' })),
	forged('RS512 on a signature of RS256', (issuer) => mislabelled(logoutClaims(issuer), { alg: 'RS512' })),
	forged('ES256 with a key of RSA', (issuer) => mislabelled(logoutClaims(issuer), { alg: 'ES256' })),
	forged('no alg', (issuer) => mislabelled(logoutClaims(issuer), {})),
	forged('alg that is a list', (issuer) => mislabelled(logoutClaims(issuer), { alg: ['RS256'] })),
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
	forged('no sub and no sid', (issuer) =>
		signed(without(without(logoutClaims(issuer), 'sub'), 'sid'), SIGNER),
	),
	changed('a sub that is a number, and no sid', () => ({ sub: 17, sid: undefined })),
	changed('an empty sub and no sid', () => ({ sub: '', sid: undefined })),
	lacking('jti'),
	changed('an empty jti', () => ({ jti: '' })),
	forged('claims of another than was signed', (issuer) =>
		altered(honestToken(issuer), (all) => ({ ...all, sub: 'account-18' })),
	),
	forged('no signature', (issuer) => honestToken(issuer).replace(/[^.]+$/, '')),
	forged('a signature cut off', (issuer) => honestToken(issuer).slice(0, -20)),
	forged('four parts', (issuer) => `${honestToken(issuer)}.${encoded({})}`),
	forged('five parts', () => `${encoded({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`),
	forged('JSON instead of a token', (issuer) =>
		JSON.stringify({ payload: encoded(logoutClaims(issuer)), signatures: [] }),
	),
	forged('claims that are a list', (issuer) => signed(JSON.stringify([logoutClaims(issuer)]), SIGNER)),
	forged('claims that only a prototype has', (issuer) =>
		signed(`{"__proto__": ${JSON.stringify(logoutClaims(issuer))}}`, SIGNER),
	),
	forged('a megabyte', (issuer) => `${honestToken(issuer)}${'a'.repeat(1_000_000)}`),
	forged('nothing', () => ''),
	forged('no token at all', () => 'undefined'),
];
