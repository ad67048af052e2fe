/** Whether a token's signature was made by the issuer (RFC 7515 section 5.2, RFC 8725 for the traps). */
import { compactVerify, errors, type CryptoKey } from 'jose';

import type { ReadJwt } from './jwt';
import type { KeySet } from './issuerKeys';
import { applicableFindings, type SignOnFinding } from './finding';

/**
 * Asymmetric algorithms only. Trap: with HS256 in this list, anybody could sign with the issuer's public key as
 * the shared secret; with `none`, anybody could sign with nothing.
 */
export const SIGNATURE_ALGORITHMS: readonly string[] = [
	...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
	...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const DO_NOT_TRUST = 'Do not trust the token. Get a new one from the service.';

/** What a newer list of keys may answer: an issuer may put another key in the place of one, without a name or under the same. */
export const OF_OTHER_KEYS: readonly string[] = ['unknown_key', 'wrong_signature'];

const FORBIDDEN_ALGORITHM: SignOnFinding = {
	code: 'forbidden_algorithm',
	message: 'The token is unsigned or signed with an algorithm that is not allowed',
	next: `${DO_NOT_TRUST} Only asymmetric signatures (RS, PS, ES, EdDSA) are accepted.`,
};
const CRITICAL_EXTENSION: SignOnFinding = {
	code: 'critical_extension',
	message: 'The token demands an extension that is not known here',
	next: DO_NOT_TRUST,
};
const UNKNOWN_KEY_FINDING: SignOnFinding = {
	code: 'unknown_key',
	message: "The token names a key that is not in the issuer's list",
	next: `Check that the token comes from the issuer of the credential. ${DO_NOT_TRUST}`,
};
const WRONG_SIGNATURE: SignOnFinding = {
	code: 'wrong_signature',
	message: "The token's signature does not match its content",
	next: DO_NOT_TRUST,
};

/** The keys that may have signed: the one with the token's `kid`, or all that fit when it names none. */
async function candidateKeys(header: ReadJwt['header'], keys: KeySet): Promise<CryptoKey[]> {
	try {
		return [await keys.find({ alg: String(header.alg), kid: header.kid as string | undefined })];
	} catch (cause) {
		if (!(cause instanceof errors.JWKSMultipleMatchingKeys)) return [];
		const candidates: CryptoKey[] = [];
		for await (const candidate of cause) candidates.push(candidate);
		return candidates;
	}
}

async function isSignedBy(token: string, key: CryptoKey): Promise<boolean> {
	try {
		await compactVerify(token, key, { algorithms: [...SIGNATURE_ALGORITHMS] });
		return true;
	} catch {
		return false;
	}
}

/** Every reason why the signature cannot be believed; none when it was made by one of the keys. */
export async function signatureFindings(
	token: string,
	{ header }: ReadJwt,
	keys: KeySet,
): Promise<SignOnFinding[]> {
	const form = applicableFindings(
		[typeof header.alg !== 'string' || !SIGNATURE_ALGORITHMS.includes(header.alg), FORBIDDEN_ALGORITHM],
		[header.crit !== undefined || header.b64 !== undefined, CRITICAL_EXTENSION],
	);
	if (form.length > 0) return form;
	const { kid } = header;
	if (kid !== undefined && !(typeof kid === 'string' && keys.kids.has(kid))) return [UNKNOWN_KEY_FINDING];
	const candidates = await candidateKeys(header, keys);
	for (const key of candidates) if (await isSignedBy(token, key)) return [];
	return [candidates.length === 0 && header.kid === undefined ? UNKNOWN_KEY_FINDING : WRONG_SIGNATURE];
}
