/** What the operations of the sign-on work with: the credential, read once per run, and the way to the issuer. */
import { sleep, type IDataObject } from 'n8n-workflow';

import { isShallow } from '../../../shared/contract/depth';
import { readJson } from '../../../shared/contract/json';
import { tokenResponse } from '../../../shared/contract/token';
import { outcomeOf } from '../../../shared/engine/unexpected';
import { failed, success, type Failure, type Outcome, type Reason } from '../../../shared/failure';
import { DEFAULT_SCOPE, endpointOf, readIssuer } from '../../../shared/oidc/addresses';
import { IssuerKeys, type FetchJson } from '../../../shared/oidc/issuerKeys';
import type { Objections } from '../../../shared/oidc/objection';
import { askerOf, isOfTheWay, jsonFetcher, type Ask } from '../../../shared/transport/askIssuer';
import { isPage } from '../../../shared/transport/page';
import { natureOf } from '../../../shared/transport/refusedBecause';
import type { Reply } from '../../../shared/transport/request';
import type { RunTools, Tools } from '../../framework/operation';

import { refusedGrant, type Grant } from './refusedGrant';
import { checkToken, type TokenExpectation } from './tokenCheck';

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

export const CREDENTIAL = 'schoolPartnerOidcOAuth2Api';

function hasAccessToken(data: unknown): boolean {
	return typeof data === 'object' && data !== null && 'access_token' in data && data.access_token !== '';
}

/** Trap: with an empty secret, anybody could make the key that seals a state. */
const NO_SECRET: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'no_client_secret',
	message: 'The credential has no Client Secret',
	next: 'Fill in Client Secret in the credential.',
};

async function readClient({ context }: RunTools): Promise<Outcome<Client>> {
	const given = await outcomeOf('none', async () => success(await context.getCredentials(CREDENTIAL)));
	if (!given.ok) return given;
	const data = given.value;
	const read = readIssuer(String(data.issuerUrl ?? ''));
	if (!read.ok) return failed(failureOf(read.failure, 'n8n'));
	const clientSecret = String(data.clientSecret ?? '');
	if (clientSecret.trim() === '') return failed(NO_SECRET);
	return success({
		issuer: read.value,
		clientId: String(data.clientId ?? '').trim(),
		clientSecret,
		scope: String(data.scope ?? '').trim() || DEFAULT_SCOPE,
		isConnected: hasAccessToken(data.oauthTokenData),
	});
}

async function openWay(tools: RunTools): Promise<Outcome<Pick<SignOn, 'client' | 'ask'>>> {
	const client = await tools.once(readClient);
	if (!client.ok) return client;
	const { context, policy, gate } = tools;
	const ask = askerOf(context.helpers, policy, context.getExecutionCancelSignal(), gate);
	return success({ client: client.value, ask });
}

/** The client of this run. */
export async function clientOf({ once }: RunTools): Promise<Outcome<Client>> {
	return await once(readClient);
}

/** The client of this run, and the way to its issuer, on which nothing is begun once the run is over. */
export async function signOnOf({ once, unlessOver }: Tools): Promise<Outcome<SignOn>> {
	const opened = await once(openWay);
	if (!opened.ok) return opened;
	const ask = unlessOver(opened.value.ask);
	return success({ ...opened.value, ask, fetchJson: jsonFetcher(ask) });
}

/** Holds a token against what is expected of it, and against the keys of the issuer. */
export async function heldAgainst(
	{ client: { issuer, clientId }, fetchJson }: SignOn,
	token: string,
	expected: Pick<TokenExpectation, 'use' | 'audiences' | 'nonce' | 'clockTolerance'>,
) {
	return await issuers.check(issuer, fetchJson, Date.now, async ({ discovery, keys }) => {
		return await checkToken(
			token,
			{ ...expected, issuer: discovery.issuer, clientId, now: Date.now() },
			keys,
		);
	});
}

/** Objections as n8n shows them: the first reason is the message, the others stand below it. Nothing was done for it. */
export function failureOf({ reasons, cause }: Objections, origin: Failure['origin']): Failure {
	const [first, ...others] = reasons;
	if (cause !== undefined) return { code: first.code, ...cause };
	const lines = [first.next, ...others.map(({ message, next }) => `${message}. ${next}`)];
	return { origin, effect: 'none', code: first.code, message: first.message, next: lines.join('\n') };
}

const CHECK_ISSUER = 'Check Issuer URL in the credential, and that no proxy answers in its place.';

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
	if (read.success && isShallow(read.data)) return success(read.data as IDataObject);
	return failed({ ...(isPage(reply) ? PAGE_INSTEAD : NOT_TOKENS), status: reply.status });
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
	const refused = (reply: Reply) => grantRefused(grant, reply);
	const reply = await ask('POST', endpointOf(client.issuer, 'token'), { form, refused });
	return reply.ok ? tokensIn(reply.value) : reply;
}

function grantRefused(grant: Grant, reply: Reply): Reason | undefined {
	const { status, text } = reply;
	const { code, message, next } = refusedGrant(grant, status, text);
	// The status alone speaks: told as everywhere, unless the code or token that was sent may be spent by now.
	const isStatusOnly = code === 'unavailable' || code === 'refused';
	if (isStatusOnly && isOfTheWay(reply) && (status < 500 || status === 503)) return undefined;
	return { origin: 'signOn', message, next, ...(!isStatusOnly && { code }), ...natureOf(reply, Date.now()) };
}
