/** The Test button of the sign-on's credential: reads discovery, and asks for a token of the client's own. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { fetchDiscovery } from '../oidc/discovery';
import { askerOf, jsonFetcher } from '../transport/askIssuer';
import type { HttpHelpers } from '../transport/exchange';

import { clientIn } from './client';
import { askForTokens } from './tokens';

/** Somebody waits in front of the dialog. */
const TEST_POLICY = { timeoutMs: 10_000, maxRetries: 0 };

/** Refusals that come after the client was let in (RFC 6749 section 5.2). Trap: with 401, `unauthorized_client` means the secret. */
const SECRET_ACCEPTED = ['unauthorized_client', 'invalid_grant', 'invalid_scope', 'invalid_target'];

type Helpers = ICredentialTestFunctions['helpers'];

/** n8n gives a credential test its older helper only. */
function olderHelper(helpers: Helpers): HttpHelpers {
	return {
		httpRequest: async ({ method, url, headers, body }: IHttpRequestOptions): Promise<unknown> =>
			await helpers.request({
				method,
				uri: url,
				headers,
				...(body !== undefined && { body }),
				useStream: true,
				resolveWithFullResponse: true,
				simple: false,
				followRedirect: false,
				timeout: TEST_POLICY.timeoutMs,
			}),
	};
}

/** Green for a client that the sign-on lets in, and where it does not tell; red with what to do otherwise. */
export async function schoolPartnerOidc(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const client = clientIn(data);
	if (!client.ok) return red(client.failure.findings[0]);
	const ask = askerOf(olderHelper(this.helpers), TEST_POLICY);
	const discovery = await fetchDiscovery(client.value.issuer, jsonFetcher(ask));
	if (!discovery.ok) return red(discovery.failure.findings[0]);
	const tokens = await askForTokens({ client: client.value, ask }, 'client_credentials', {});
	if (tokens.ok || (tokens.failure.status !== 401 && SECRET_ACCEPTED.includes(tokens.failure.code ?? '')))
		return green('The sign-on accepts Client ID and Client Secret.');
	if (tokens.failure.code === 'unsupported_grant_type')
		return green('The sign-on answers. It does not tell whether Client Secret is right.');
	return red(tokens.failure);
}

function green(message: string): INodeCredentialTestResult {
	return { status: 'OK', message };
}

function red({ message, next }: { message: string; next: string }): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${next}` };
}
