/**
 * Proof Key for Code Exchange (RFC 7636), method S256: the verifier stays with us, its hash goes through the
 * browser (service document, "Sign-on", `code_challenge_method`=S256).
 */
import { createHash } from 'node:crypto';

/** Gives that many random bytes; `randomBytes` of node:crypto in production, fixed values in tests. */
export type RandomBytes = (size: number) => Buffer;

/** RFC 7636 section 4.1: 43 to 128 characters of the unreserved set. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** RFC 7636 section 4.1 recommends 32 octets; they become 43 characters. */
const VERIFIER_BYTES = 32;

/** True for a verifier that RFC 7636 section 4.1 allows. */
export function isCodeVerifier(text: string): boolean {
	return VERIFIER.test(text);
}

/** A fresh verifier of 43 characters. */
export function newCodeVerifier(random: RandomBytes): string {
	return random(VERIFIER_BYTES).toString('base64url');
}

/** BASE64URL(SHA256(ASCII(verifier))), RFC 7636 section 4.2. */
export function codeChallengeOf(verifier: string): string {
	return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
