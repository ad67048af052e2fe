/** What the workflows of the demo prove who they are with: one credential of each kind, for the sandbox that runs now. */
import type { Sandbox } from '../../sandbox/start.mts';
import { createCredential, listCredentials, updateCredential } from '../n8n-client.mts';
import type { CredentialInput, Session, StoredCredential } from '../n8n-client.mts';

function machineAccess(
	name: string,
	{ baseUrl, issuerUrl, clientId, clientSecret }: Sandbox,
): CredentialInput {
	return {
		name,
		type: 'schoolPartnerOAuth2Api',
		data: { baseUrl, issuerUrl, clientId, clientSecret, scope: '', authorizationScheme: 'bearer' },
	};
}

/** Who may approve what is held, in the form of the nightly example. Invented, like the owner of this n8n. */
export const APPROVER = { username: 'office', password: 'Approve-2026' };

function inputs(sandbox: Sandbox, webhookKey: string): CredentialInput[] {
	const { issuerUrl, clientId, clientSecret } = sandbox;
	return [
		machineAccess('School Partner sandbox', sandbox),
		{
			name: 'School Partner sandbox, sign-on',
			type: 'schoolPartnerOidcApi',
			data: { issuerUrl, clientId, clientSecret },
		},
		{
			name: 'School Partner sandbox, key of events',
			type: 'schoolPartnerWebhookApi',
			data: { apiKey: webhookKey, previousApiKey: '' },
		},
		{
			name: 'Login of those who approve',
			type: 'httpBasicAuth',
			data: { user: APPROVER.username, password: APPROVER.password },
		},
	];
}

/**
 * One credential of each kind for the sandbox.
 * @param webhookKey what the sandbox sends as `x-api-key`
 */
export async function credentialsFor(
	session: Session,
	sandbox: Sandbox,
	webhookKey: string,
): Promise<StoredCredential[]> {
	return await madeOf(session, inputs(sandbox, webhookKey));
}

/** The credential for the sandbox that a roster fills. */
export async function rosterCredentialFor(session: Session, sandbox: Sandbox): Promise<StoredCredential> {
	const [made] = await madeOf(session, [machineAccess('School Partner sandbox, for the roster', sandbox)]);
	return made;
}

/**
 * Makes the credentials, or brings those of an earlier start up to date: its sandbox had other keys, and maybe another
 * port. Their ids stay, so that workflows go on naming them.
 */
async function madeOf(
	session: Session,
	inputsOfAll: readonly CredentialInput[],
): Promise<StoredCredential[]> {
	const stored = await listCredentials(session);
	const made: StoredCredential[] = [];
	for (const input of inputsOfAll) {
		const known = stored.find(({ name, type }) => name === input.name && type === input.type);
		made.push(
			known ? await updateCredential(session, known.id, input) : await createCredential(session, input),
		);
	}
	return made;
}
