/** Credentials, created and tested through the endpoints that n8n's credential dialog uses. */
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { capabilities } from '../capabilities.mts';
import type { Session } from './session.mts';

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialInput {
	name: string;
	/** e.g. `schoolPartnerOAuth2Api` */
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** What stands in a workflow's node: `{ schoolPartnerOAuth2Api: { id, name } }`. */
export function credentialReference({ id, name, type }: StoredCredential) {
	return { [type]: { id, name } };
}

export async function createCredential(session: Session, input: CredentialInput): Promise<StoredCredential> {
	return await session.request('POST', '/credentials', input);
}

export async function listCredentials(session: Session): Promise<StoredCredential[]> {
	return await session.request('GET', '/credentials');
}

/**
 * Replaces name and data. A token that n8n stored for the old data is thrown away with it, where n8n can do that; elsewhere
 * it stays until the service refuses it.
 */
export async function updateCredential(
	session: Session,
	id: string,
	input: CredentialInput,
): Promise<StoredCredential> {
	const updated = await session.request<StoredCredential>('PATCH', `/credentials/${id}`, input);
	// n8n answers 400 for a credential that has no tokens.
	if (capabilities.forgetsTokens && input.type.endsWith('OAuth2Api'))
		await session.request('DELETE', `/credentials/${id}/oauth-token`);
	return updated;
}

export async function deleteCredential(session: Session, id: string): Promise<void> {
	await session.request('DELETE', `/credentials/${id}`);
}

/**
 * What the Test button does: `{ status: 'OK' | 'Error', message }`. A bad value is an `Error` result, not a rejection.
 * @param data values that were typed but not saved; without them the saved ones are tested
 */
export async function testCredential(
	session: Session,
	credential: StoredCredential,
	data?: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { id, name, type } = credential;
	const saved = await session.request<{ data: ICredentialDataDecryptedObject }>(
		'GET',
		`/credentials/${id}?includeData=true`,
	);
	return await session.request('POST', '/credentials/test', {
		credentials: { id, name, type, data: { ...saved.data, ...data } },
	});
}
