/** What an operator of the service does for a partner, done at the sandbox: events, sign-on and logouts come to this n8n. */
import type { AdminClient } from '../../sandbox/admin-client.mts';

/** Addresses of the examples, below n8n's own. */
const EVENTS = '/webhook/upsert-users-on-access/events';
/** The form of the example "From an uploaded sheet". */
export const UPLOAD = '/form/lista-de-alunos';
/** The form of the example "Sync the roster every night". */
export const APPROVAL = 'approve-what-is-held';
const LOGIN = '/webhook/school-login';
const CALLBACK = '/webhook/school-callback';
const LOGOUT = '/webhook/school-logout';
const LOGOUT_TRIGGER = '/webhook/school-partner-logout/logout';
/** Where n8n's own Connect button comes back to. */
const CONNECTED = '/rest/oauth2-credential/callback';

/** The address that starts a sign-on, in the example "Log a user in and sync". */
export function loginAddress(baseUrl: string): string {
	return baseUrl + LOGIN;
}

/** @param webhookKey the sandbox sends it as `x-api-key` with every event */
export async function connectSandbox(admin: AdminClient, baseUrl: string, webhookKey: string): Promise<void> {
	await admin.registerWebhook({ url: baseUrl + EVENTS, apiKey: webhookKey });
	await admin.changeRegistration({
		redirectUris: [baseUrl + CALLBACK, baseUrl + CONNECTED],
		postLogoutRedirectUris: [baseUrl + LOGOUT],
		logoutUri: baseUrl + LOGOUT_TRIGGER,
		logoutChannel: 'back',
	});
}
