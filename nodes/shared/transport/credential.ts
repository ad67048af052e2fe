/** What the credential of a run holds: the addresses, how to sign, and the token that n8n has stored. */
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import { readAddress } from '../contract/address';
import { isJsonObject } from '../contract/json';
import { success, type Failure } from '../failure';

import type { Trouble } from './trouble';

/** Where requests can be sent from: a run, or a list that the editor loads. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions;

export interface Credential {
	/** '' for a credential of a user's sign-on. */
	baseUrl: string;
	issuerUrl: string;
	clientId: string;
	/** Why nothing can be sent with it, when one of its addresses cannot be used. */
	unusable: Failure | undefined;
	/** `Authorization: <token>` in the areas whose header the document does not show (send.ts), and not `Bearer <token>`. */
	isTokenBare: boolean;
	token: string | undefined;
	/** Everything in it that must not come back in a text from outside. */
	secrets: string[];
	/** n8n has stored an answer of the sign-on area that holds no token. */
	withoutToken: boolean;
}

/** Throws what n8n throws when the node has no credential. */
export async function readCredential(context: Context, credentialType: string): Promise<Credential> {
	const data = await context.getCredentials(credentialType);
	const stored = isJsonObject(data.oauthTokenData) ? data.oauthTokenData : {};
	const base =
		credentialType === 'schoolPartnerOAuth2Api' ? readAddress('baseUrl', data.baseUrl) : success('');
	const issuer = readAddress('issuerUrl', data.issuerUrl);
	const token = accessTokenOf(stored);
	return {
		baseUrl: base.ok ? base.value : '',
		issuerUrl: issuer.ok ? issuer.value : '',
		clientId: String(data.clientId),
		unusable: flawIn(base) ?? flawIn(issuer),
		isTokenBare: data.authorizationScheme === 'token',
		token,
		secrets: [data.clientSecret, token, stored.refresh_token].filter((secret) => typeof secret === 'string'),
		withoutToken: token === undefined && Object.keys(stored).length > 0,
	};
}

/** @param data an answer of the sign-on area, as n8n keeps it */
export function accessTokenOf(data: unknown): string | undefined {
	const token = isJsonObject(data) ? data.access_token : undefined;
	return typeof token === 'string' && token !== '' ? token : undefined;
}

function flawIn(read: ReturnType<typeof readAddress>): Failure | undefined {
	if (read.ok) return undefined;
	return { origin: 'n8n', effect: 'none', code: 'invalidAddress' satisfies Trouble, ...read.failure };
}
