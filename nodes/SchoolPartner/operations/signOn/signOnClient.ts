/** What the operations of the sign-on work with: the credential, read once per run, and the way to the issuer. */
import { sleep, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { outcomeOf } from '../../../shared/engine/unexpected';
import { failed, NOT_BEGUN, success, type Failure, type Outcome } from '../../../shared/failure';
import type { FetchJson } from '../../../shared/oidc/discovery';
import type { SignOnRefusal } from '../../../shared/oidc/finding';
import { IssuerKeys } from '../../../shared/oidc/issuerKeys';
import { clientIn, type Client } from '../../../shared/signOn/client';
import { askerOf, jsonFetcher, type Ask } from '../../../shared/transport/askIssuer';
import type { RunTools } from '../../framework/operation';

import { checkToken, type TokenExpectation } from './tokenCheck';

export interface SignOn {
	readonly client: Client;
	readonly ask: Ask;
	readonly fetchJson: FetchJson;
}

/** Discovery documents and keys of this process. Public data only. */
export const issuers = new IssuerKeys(sleep);

/** The values of the node's credential. */
export async function credentialData(
	{ context }: RunTools,
	credential: 'schoolPartnerOidcApi' | 'schoolPartnerOidcOAuth2Api',
): Promise<Outcome<ICredentialDataDecryptedObject>> {
	return await outcomeOf('nothing', async () => success(await context.getCredentials(credential)));
}

/** The way to an issuer. */
export function askOf({ context, policy, limiter }: RunTools): Ask {
	return askerOf(context.helpers, policy, limiter);
}

async function openSignOn(tools: RunTools): Promise<Outcome<SignOn>> {
	const data = await credentialData(tools, 'schoolPartnerOidcApi');
	if (!data.ok) return data;
	const client = clientIn(data.value);
	if (!client.ok) return failed(signOnFailure(client.failure, 'n8n'));
	const ask = askOf(tools);
	return success({ client: client.value, ask, fetchJson: jsonFetcher(ask) });
}

/** The client of this run, and the way to its issuer. */
export async function signOnOf({ once }: RunTools): Promise<Outcome<SignOn>> {
	return await once(openSignOn);
}

/** What is done with them for an item. */
export function withSignOn<Input, Result>(perform: (input: Input, signOn: SignOn) => Promise<Result>) {
	return async (input: Input, tools: RunTools) => {
		const signOn = await signOnOf(tools);
		return signOn.ok ? await perform(input, signOn.value) : signOn;
	};
}

/** Holds a token against what is expected of it, and against the keys of the issuer. */
export async function checkTokenByIssuer(
	{ client: { issuer, clientId }, fetchJson }: SignOn,
	token: string,
	expected: Pick<TokenExpectation, 'use' | 'audiences' | 'nonce' | 'clockTolerance'>,
) {
	return await issuers.check(issuer, fetchJson, async ({ discovery, keys }) => {
		return await checkToken(
			token,
			{ ...expected, issuer: discovery.issuer, clientId, now: Date.now() },
			keys,
		);
	});
}

/** A refusal as n8n shows it: the first finding is the message, the others stand below it. */
export function signOnFailure({ findings, cause }: SignOnRefusal, origin: Failure['origin']): Failure {
	const [first, ...others] = findings;
	// Trap: what was not begun is told apart by what it is, and not by what it says.
	if (cause === NOT_BEGUN) return cause;
	if (cause !== undefined) return { code: first.code, ...cause };
	const lines = [first.next, ...others.map(({ message, next }) => `${message}. ${next}`)];
	return { origin, effect: 'none', code: first.code, message: first.message, next: lines.join('\n') };
}
