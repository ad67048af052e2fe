/** The three ways in which a session uses n8n's helpers. */
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { accessTokenOf, type AuthorizationScheme, type Context } from './credential';

/** Trap: with any other token type n8n's OAuth2 helpers put the token into the URL. */
const SIGN_AS_BEARER = { tokenType: 'Bearer' };

/** Fetches a new token and stores it, under n8n's own lock; undefined when the answer held none. Throws what n8n throws. */
export async function renewThroughN8n(context: Context, credentialType: string): Promise<string | undefined> {
	return accessTokenOf(await context.helpers.refreshOAuth2Token.call(context, credentialType, SIGN_AS_BEARER));
}

/** Signs by itself: with a token that is there, n8n's helper would read the credential once more for each request. */
export async function sendWithToken(
	context: Context,
	options: IHttpRequestOptions,
	authorization: string,
): Promise<IN8nHttpFullResponse> {
	const headers: IDataObject = { ...options.headers, Authorization: authorization };
	return (await context.helpers.httpRequest({ ...options, headers })) as IN8nHttpFullResponse;
}

/** Lets n8n sign, which fetches and stores a token where there is none. Throws what n8n throws. */
export async function sendThroughN8n(
	context: Context,
	credentialType: string,
	options: IHttpRequestOptions,
	scheme: AuthorizationScheme,
): Promise<IN8nHttpFullResponse> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		credentialType,
		{ ...options, headers: { ...options.headers } },
		{ oauth2: { ...SIGN_AS_BEARER, keepBearer: scheme === 'bearer' } },
	)) as IN8nHttpFullResponse;
}
