/** The issuer's public keys (RFC 7517), as discovery's `jwks_uri` gives them. */
import * as z from 'zod/v4-mini';
import { createLocalJWKSet, type JWK } from 'jose';

import { success } from '../failure';

import { rejected, type Checked } from './finding';

/** More keys than any issuer publishes; the rest of a longer list is ignored. */
const MOST_KEYS = 100;

const keyShape = z.looseObject({ kty: z.string(), kid: z.optional(z.string()), use: z.optional(z.string()) });
const keySetShape = z.object({ keys: z.array(z.unknown()) });

/** Keys to check signatures with. The same object should be used again: it remembers imported keys. */
export interface KeySet {
	readonly find: ReturnType<typeof createLocalJWKSet>;
	readonly kids: ReadonlySet<string>;
	readonly size: number;
}

/**
 * Trap: a symmetric key (`oct`) in a published list would let everybody who can read the list sign tokens, so
 * only kinds of keys with a public half are kept, and none that is for encryption.
 */
function isPublicSigningKey(key: unknown): key is JWK & { kty: string } {
	const read = z.safeParse(keyShape, key);
	if (!read.success) return false;
	const { kty, use } = read.data;
	return ['RSA', 'EC', 'OKP'].includes(kty) && (use === undefined || use === 'sig');
}

/** Reads the answer of the keys address. */
export function readKeySet(body: unknown): Checked<KeySet> {
	const read = z.safeParse(keySetShape, body);
	const usable = read.success ? read.data.keys.slice(0, MOST_KEYS).filter(isPublicSigningKey) : [];
	if (usable.length === 0) {
		return rejected({
			code: 'no_keys',
			message: "The issuer's key list holds no public key to check signatures with",
			next: 'Check the Issuer URL of the credential, or ask the operator of the service for its key list.',
		});
	}
	const kids = new Set(usable.flatMap(({ kid }) => (kid === undefined ? [] : [kid])));
	return success({ find: createLocalJWKSet({ keys: usable }), kids, size: usable.length });
}
