/** What the operations of the sign-on work with: the credential, read once per run, and the way to the issuer. */
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { readJson } from '../../../shared/contract/json';
import { tokenResponse } from '../../../shared/contract/token';
import { DEFAULT_SCOPE, endpointOf, readIssuer } from '../../../shared/signOn/addresses';
import type { Refusal } from '../../../shared/signOn/finding';
import { IssuerKeys, type FetchJson } from '../../../shared/signOn/issuerKeys';
import { tokenRefusal, type Grant } from '../../../shared/signOn/tokenRefusal';
import { failed, success, type Failure, type Outcome } from '../../../shared/transport/failure';
import { askerOf, jsonFetcher, type Ask } from '../../../shared/transport/signOn';
import type { Tools } from '../../framework/operation';

/** The registered client, at its issuer. */
export interface Client {
	readonly issuer: string;
	readonly clientId: string;
	readonly clientSecret: string;
	/** What the credential asks for, space-separated. */
	readonly scope: string;
	/** Whether somebody clicked Connect. */
	readonly isConnected: boolean;
}

export interface SignOn {
	readonly client: Client;
	readonly ask: Ask;
	readonly fetchJson: FetchJson;
}

/** Discovery documents and keys of this process. Public data only. */
export const issuers = new IssuerKeys(sleep);

const CREDENTIAL = 'schoolPartnerOidcOAuth2Api';

const openedIn = new WeakMap<IExecuteFunctions, Promise<Outcome<Client>>>();

function hasAccessToken(data: unknown): boolean {
	return typeof data === 'object' && data !== null && 'access_token' in data && data.access_token !== '';
}

async function readClient(context: IExecuteFunctions): Promise<Outcome<Client>> {
	const data = await context.getCredentials(CREDENTIAL);
	const read = readIssuer(String(data.issuerUrl ?? ''));
	if (!read.valid) return failed(failureOf(read, 'input'));
	return success({
		issuer: read.issuer,
		clientId: String(data.clientId ?? '').trim(),
		clientSecret: String(data.clientSecret ?? ''),
		scope: String(data.scope ?? '').trim() || DEFAULT_SCOPE,
		isConnected: hasAccessToken(data.oauthTokenData),
	});
}

/** The client of this run. */
export async function clientOf({ context }: Pick<Tools, 'context'>): Promise<Outcome<Client>> {
	const opened = openedIn.get(context) ?? readClient(context);
	openedIn.set(context, opened);
	return await opened;
}

/** The client of this run, and the way to its issuer. */
export async function signOnOf({ context, policy, unlessOver }: Tools): Promise<Outcome<SignOn>> {
	const client = await clientOf({ context });
	if (!client.ok) return client;
	const ask = unlessOver(askerOf(context.helpers, policy, context.getExecutionCancelSignal()));
	return success({ client: client.value, ask, fetchJson: jsonFetcher(ask) });
}

/** A refusal as n8n shows it: the first reason is the message, the others stand below it. */
export function failureOf({ reasons }: Refusal, origin: Failure['origin']): Failure {
	const [first, ...others] = reasons;
	const lines = [
		first.description,
		...others.map(({ message, description }) => `${message}. ${description}`),
	];
	const isDown = first.code === 'issuer_unreachable';
	return {
		origin,
		message: first.message,
		description: lines.join('\n'),
		...(isDown && { cause: 'temporarily-unavailable' as const }),
	};
}

const NOT_TOKENS: Failure = {
	origin: 'service',
	message: 'The sign-on accepted the request, but its answer is no token response',
	description:
		'Check Issuer URL in the credential, and that no proxy answers in its place. The user may have to log in again.',
};

function tokensIn(text: string): Outcome<IDataObject> {
	const read = tokenResponse.safeParse(readJson(text));
	return read.success ? success(read.data as IDataObject) : failed(NOT_TOKENS);
}

/**
 * Asks for tokens (the service's document, POST /connect/token): id and secret in the form.
 * @param fields what this grant needs besides them; empty ones are left out
 */
export async function askForTokens(
	{ client, ask }: SignOn,
	grant: Grant,
	fields: Readonly<Record<string, string>>,
): Promise<Outcome<IDataObject>> {
	const { clientId, clientSecret } = client;
	const all = { grant_type: grant, ...fields, client_id: clientId, client_secret: clientSecret };
	const form = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
	const reply = await ask('POST', endpointOf(client.issuer, 'token'), { form });
	if (!reply.ok) return reply;
	const { status, text } = reply.value;
	if (status >= 200 && status < 300) return tokensIn(text);
	const { message, description } = tokenRefusal(grant, status, text, secretsOf(fields, clientSecret));
	return failed({ origin: 'service', message, description, status });
}

/** Everything that was sent and must not come back in a message. */
function secretsOf(fields: Readonly<Record<string, string>>, clientSecret: string): string[] {
	const { code = '', code_verifier: verifier = '', refresh_token: refreshToken = '' } = fields;
	return [clientSecret, code, verifier, refreshToken];
}
