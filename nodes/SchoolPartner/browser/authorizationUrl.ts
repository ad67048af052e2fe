/**
 * The address that starts a sign-on in the browser (service document, GET `/connect/authorize`; OpenID Connect
 * Core 1.0 section 3.1.2.1), with Proof Key for Code Exchange (RFC 7636), method S256.
 */
import { createHash, randomBytes } from 'node:crypto';

import { endpointOf } from '../../shared/oidc/addresses';

import { sealState, type StateOwner } from './sealedState';

/** RFC 7636 section 4.1: 43 to 128 characters of the unreserved set. */
const CODE_VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** True for a verifier that RFC 7636 section 4.1 allows. */
export function isCodeVerifier(text: string): boolean {
	return CODE_VERIFIER.test(text);
}

/** BASE64URL(SHA256(ASCII(verifier))), RFC 7636 section 4.2. */
export function codeChallengeOf(verifier: string): string {
	return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** 256 random bits as 43 characters: a code verifier as RFC 7636 section 4.1 recommends it, a nonce, a browser binding. */
function randomText(): string {
	return randomBytes(32).toString('base64url');
}

/** The values of `prompt` in OpenID Connect Core 1.0 section 3.1.2.1; empty sends none. */
export const PROMPTS = ['', 'none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** What the visitor's browser needs: an address to go to, and a cookie to keep. */
export interface SignOnStart {
	readonly authorizationUrl: string;
	readonly state: string;
	/** For a Secure, HttpOnly, SameSite=Lax cookie; the callback hands it back. */
	readonly browserBinding: string;
	/** Milliseconds since 1970. */
	readonly expiresAt: number;
}

export interface SignOnWish {
	/** Space-separated, as in the document: `openid profile offline_access`. */
	readonly scope: string;
	readonly prompt: Prompt;
	/** The workflow's own text, given back by the callback; at most 1 KB. */
	readonly additionalState: string;
}

/**
 * Makes verifier, challenge, nonce, binding and sealed state, and the address that carries them.
 * @param now milliseconds since 1970
 */
export function startSignOn(owner: StateOwner, wish: SignOnWish, now: number): SignOnStart {
	const [codeVerifier, nonce, browserBinding] = [randomText(), randomText(), randomText()];
	const content = { codeVerifier, nonce, scope: wish.scope, additionalState: wish.additionalState };
	const { state, expiresAt } = sealState(owner, content, browserBinding, now);
	const url = new URL(endpointOf(owner.issuer, 'login'));
	const query = {
		response_type: 'code',
		client_id: owner.clientId,
		redirect_uri: owner.redirectUri,
		scope: wish.scope,
		code_challenge_method: 'S256',
		code_challenge: codeChallengeOf(codeVerifier),
		state,
		nonce,
		...(wish.prompt === '' ? {} : { prompt: wish.prompt }),
	};
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
	return { authorizationUrl: url.href, state, browserBinding, expiresAt };
}
