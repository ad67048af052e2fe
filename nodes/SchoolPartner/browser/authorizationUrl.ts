/**
 * The address that starts a sign-on in the browser (service document, GET `/connect/authorize`; OpenID Connect
 * Core 1.0 section 3.1.2.1), with Proof Key for Code Exchange (RFC 7636), method S256.
 */
import { createHash, randomBytes } from 'node:crypto';

import { endpointOf } from '../../shared/oidc/addresses';

import { sealState, type StateOwner } from './sealedState';

/** RFC 7636 section 4.1: 43 to 128 characters of the unreserved set. */
export function isCodeVerifier(text: string): boolean {
	return /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
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

/**
 * What the visitor's browser needs: an address to go to, with verifier, challenge, nonce and sealed state made for it, and a value for a
 * Secure, HttpOnly, SameSite=Lax cookie, which the callback hands back.
 * @param wish `additional_state` is the workflow's own text, given back by the callback
 * @param now milliseconds since 1970
 */
export function startSignOn(
	owner: StateOwner,
	wish: { scope: string; prompt: (typeof PROMPTS)[number]; additional_state: string },
	now: number,
) {
	const [codeVerifier, nonce, browserBinding] = [randomText(), randomText(), randomText()];
	const content = { codeVerifier, nonce, scope: wish.scope, additionalState: wish.additional_state };
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
	const expires_at = new Date(expiresAt).toISOString();
	return { authorization_url: url.href, state, browser_binding: browserBinding, expires_at };
}
