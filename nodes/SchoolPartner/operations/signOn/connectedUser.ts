/** Requests as the user who was connected in the credential. n8n keeps that user's tokens and renews them. */
import { failed, success, type Failure, type Outcome } from '../../../shared/failure';
import { readIssuer } from '../../../shared/oidc/addresses';
import { Session } from '../../../shared/transport/session';
import type { Signer } from '../../../shared/transport/signer';
import type { RunTools } from '../../framework/operation';

import { credentialData, signOnFailure } from './signOnClient';

const USER_CREDENTIAL = 'schoolPartnerOidcOAuth2Api';

/** A user, and the sign-on that knows the user. */
export interface User {
	readonly issuer: string;
	readonly signer: Signer;
}

const NOT_CONNECTED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'not_connected',
	message: 'Nobody is connected in the credential',
	next: 'Open the credential, click Connect and log in. Or set User to With an Access Token, to read the user of that token.',
};

function hasAccessToken(data: unknown): boolean {
	return typeof data === 'object' && data !== null && 'access_token' in data && data.access_token !== '';
}

async function openUser(tools: RunTools): Promise<Outcome<User>> {
	const data = await credentialData(tools, USER_CREDENTIAL);
	if (!data.ok) return data;
	const issuer = readIssuer(String(data.value.issuerUrl ?? ''));
	if (!issuer.ok) return failed(signOnFailure(issuer.failure, 'n8n'));
	if (!hasAccessToken(data.value.oauthTokenData)) return failed(NOT_CONNECTED);
	return success({ issuer: issuer.value, signer: await Session.open(tools.context, USER_CREDENTIAL) });
}

/** The connected user. One session for all items of a run, so that one renewal serves them all. */
export async function connectedUser({ once }: RunTools): Promise<Outcome<User>> {
	return await once(openUser);
}
