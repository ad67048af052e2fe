/** n8n fetches, renews and stores the token: the two ways to have it do so. */
import { accessTokenOf, type Context } from './credential';

/** Trap: with any other token type n8n's OAuth2 helpers put the token into the URL. */
const SIGN_AS_BEARER = { tokenType: 'Bearer' };

/** A new token, or what n8n threw; neither, when the answer held no token, or n8n has stored the token and does not tell it. */
export interface Renewal {
	renewed?: string;
	thrown?: unknown;
}

/** Renews the token that n8n has stored. */
export async function replaceStored(context: Context, credentialType: string): Promise<Renewal> {
	try {
		const data = await context.helpers.refreshOAuth2Token.call(context, credentialType, SIGN_AS_BEARER);
		return { renewed: accessTokenOf(data) };
	} catch (thrown) {
		return { thrown };
	}
}

/**
 * Fetches the first token of a credential, which is to be read from there. Trap: n8n renews only what is there; a first token it
 * fetches when it signs a request. The request that it is given for this is cancelled before it can leave, so that
 * `thrown` says nothing when there is a token. (Sent that way, a request would have no deadline: n8n's own fetch takes none.)
 */
export async function fetchFirst(context: Context, credentialType: string, url: string): Promise<Renewal> {
	const abortSignal = AbortSignal.abort();
	// Trap: n8n puts the signal of the run in the place of the one that is given.
	const cancelled = Object.create(context, {
		getExecutionCancelSignal: { value: () => abortSignal },
	}) as Context;
	const request = { method: 'GET' as const, url, abortSignal, disableFollowRedirect: true };
	try {
		await context.helpers.httpRequestWithAuthentication.call(cancelled, credentialType, request, {
			oauth2: SIGN_AS_BEARER,
		});
		return {};
	} catch (thrown) {
		return { thrown };
	}
}
