/** The registered client, as a credential of the sign-on holds it. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { success } from '../failure';
import { DEFAULT_SCOPE, readIssuer } from '../oidc/addresses';
import { rejected, type Checked, type SignOnFinding } from '../oidc/finding';

export interface Client {
	readonly issuer: string;
	readonly clientId: string;
	readonly clientSecret: string;
	/** What a sign-on asks for, space-separated. */
	readonly scope: string;
}

/** Trap: with an empty secret, anybody could make the key that seals a state. */
const NO_SECRET: SignOnFinding = {
	code: 'no_client_secret',
	message: 'The credential has no Client Secret',
	next: 'Fill in Client Secret in the credential.',
};

/** Reads the values of a credential, or says why they cannot be used. Never quotes them. No secret is needed for what the issuer has signed. */
export function clientWithoutSecret({
	issuerUrl,
	clientId,
}: ICredentialDataDecryptedObject): Checked<Pick<Client, 'issuer' | 'clientId'>> {
	const issuer = readIssuer(issuerUrl);
	return issuer.ok ? success({ issuer: issuer.value, clientId: String(clientId ?? '').trim() }) : issuer;
}

/** The same, with what proves who the client is. */
export function clientIn(data: ICredentialDataDecryptedObject): Checked<Client> {
	const client = clientWithoutSecret(data);
	if (!client.ok) return client;
	const clientSecret = String(data.clientSecret ?? '');
	if (clientSecret.trim() === '') return rejected(NO_SECRET);
	const scope = String(data.scope ?? '').trim() || DEFAULT_SCOPE;
	return success({ ...client.value, clientSecret, scope });
}
