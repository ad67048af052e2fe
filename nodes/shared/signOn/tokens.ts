/** Asks for tokens (the service's document, POST /connect/token). */
import type { IDataObject } from 'n8n-workflow';

import { readJson } from '../contract/json';
import { tokenResponse } from '../contract/token';
import { failed, success, type Failure, type Outcome } from '../failure';
import { endpointOf } from '../oidc/addresses';
import type { Ask } from '../transport/askIssuer';
import { isPage, type Reply } from '../transport/request';

import type { Client } from './client';
import { refusedGrant, type Grant } from './refusedGrant';

const CHECK_ISSUER = 'Check Issuer URL in the credential, and that no proxy answers in its place.';

/** Of what was on its way, where nobody knows whether it was taken. */
const CODE_MAY_BE_SPENT =
	'A code or refresh token that was on its way may count as used: the user may have to log in again.';

export const NOT_TOKENS: Failure = {
	origin: 'signOn',
	effect: 'done',
	message: 'The sign-on accepted the request, but its answer is no token response',
	next: `${CHECK_ISSUER} The user may have to log in again.`,
};

/** A proxy's own, perhaps, before the sign-on was asked. */
const PAGE_INSTEAD: Failure = {
	...NOT_TOKENS,
	effect: 'unknown',
	message: 'A web page came in the place of the tokens',
	next: `${CHECK_ISSUER} A code or refresh token may count as used: the user may have to log in again.`,
};

function tokensIn(reply: Reply): Outcome<IDataObject> {
	const read = tokenResponse.safeParse(readJson(reply.text));
	if (read.success) return success(read.data as IDataObject);
	return failed({ ...(isPage(reply) ? PAGE_INSTEAD : NOT_TOKENS), status: reply.status });
}

/**
 * One token request: id and secret in the form.
 * @param fields what this grant needs besides them; empty ones are left out
 */
export async function askForTokens(
	{ client, ask }: { client: Client; ask: Ask },
	grant: Grant,
	fields: Readonly<Record<string, string>>,
): Promise<Outcome<IDataObject>> {
	const { clientId, clientSecret } = client;
	const all = { grant_type: grant, ...fields, client_id: clientId, client_secret: clientSecret };
	const form = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
	const refused = (reply: Reply) => refusedGrant(grant, reply);
	const isOfMachine = grant === 'client_credentials';
	const mayBeSpent = isOfMachine ? undefined : CODE_MAY_BE_SPENT;
	const reply = await ask('POST', endpointOf(client.issuer, 'token'), { form, refused, mayBeSpent });
	const tokens = reply.ok ? tokensIn(reply.value) : reply;
	if (tokens.ok || !isOfMachine || tokens.failure.effect === 'none') return tokens;
	// A token for the client itself spends nothing: whatever came of the request, it is made again.
	return failed({ ...tokens.failure, effect: 'none', ...(reply.ok && { next: CHECK_ISSUER }) });
}
