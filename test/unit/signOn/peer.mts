/**
 * The issuer's side, written from RFC 7515, RFC 7517 and RFC 7519 with nothing but node:crypto: it signs what it
 * is told to sign, honest or not.
 */
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

import { createLocalJWKSet, type JWK } from 'jose';

import type { KeySet } from '../../../nodes/shared/oidc/issuerKeys.ts';

export const ISSUER = 'https://login.school.example';
export const CLIENT_ID = 'reading-club';

/** 2026-03-09T12:00:00Z, in milliseconds. */
export const NOW = Date.UTC(2026, 2, 9, 12);
export const SECONDS = NOW / 1000;

type Json = Record<string, unknown>;

export function encoded(value: unknown): string {
	return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export interface Signer {
	readonly kid: string;
	readonly privateKey: KeyObject;
	readonly publicKey: KeyObject;
	readonly jwk: Json;
}

export function rsaSigner(kid: string): Signer {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
	return { kid, privateKey, publicKey, jwk };
}

export function ecSigner(kid: string): Signer {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	return { kid, privateKey, publicKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } };
}

/** The keys of an issuer, as they are found once they were fetched. */
export function keysOf(...published: Json[]): KeySet {
	const keys = published as unknown as JWK[];
	return { find: createLocalJWKSet({ keys }), kids: new Set(keys.map(({ kid = '' }) => kid)) };
}

/** RS256, or ES256 for a key on P-256. The header may be bent in any way; the signature is always made. */
export function signed(payload: Json | string, signer: Signer, header: Json = {}): string {
	const isElliptic = signer.privateKey.asymmetricKeyType === 'ec';
	const full = { alg: isElliptic ? 'ES256' : 'RS256', kid: signer.kid, ...header };
	const input = `${encoded(full)}.${encoded(payload)}`;
	const key = isElliptic
		? { key: signer.privateKey, dsaEncoding: 'ieee-p1363' as const }
		: { key: signer.privateKey };
	return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** Signed with nothing (RFC 7519 section 6). */
export function unsigned(payload: Json, header: Json = {}): string {
	return `${encoded({ alg: 'none', ...header })}.${encoded(payload)}.`;
}

/** HS256 with the issuer's public key, as PEM text, for the shared secret: the classic confusion. */
export function signedWithPublicKey(payload: Json, signer: Signer): string {
	const secret = signer.publicKey.export({ format: 'pem', type: 'spki' });
	const input = `${encoded({ alg: 'HS256', kid: signer.kid })}.${encoded(payload)}`;
	return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The claims without one of them. */
export function without(claims: Json, claim: string): Json {
	return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
}
