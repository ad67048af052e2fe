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

/** Reads the values of a credential, or says why they cannot be used. Never quotes them. */
export function clientIn(data: ICredentialDataDecryptedObject): Checked<Client> {
	const issuer = readIssuer(String(data.issuerUrl ?? ''));
	if (!issuer.ok) return issuer;
	const clientSecret = String(data.clientSecret ?? '');
	if (clientSecret.trim() === '') return rejected(NO_SECRET);
	return success({
		issuer: issuer.value,
		clientId: String(data.clientId ?? '').trim(),
		clientSecret,
		scope: String(data.scope ?? '').trim() || DEFAULT_SCOPE,
	});
}
