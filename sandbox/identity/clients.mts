import { createHash } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';

export const CLIENT_ID = 'partner-app';

/** The same seed gives the same secret, so that a saved credential survives a restart. It opens nothing but a sandbox. */
export function clientSecretOf(seed: number): string {
	return createHash('sha256').update(`sandbox client secret ${seed}`).digest('hex').slice(0, 40);
}

/** The partner application as registered with the service; everything but id and secret can change at run time. */
export interface Registration {
	readonly clientId: string;
	readonly clientSecret: string;
	applicationName: string;
	redirectUris: string[];
	postLogoutRedirectUris: string[];
	logoutUri: string | null;
	logoutChannel: 'front' | 'back';
}

/** The registration in the words of OpenID Connect Dynamic Client Registration. */
export function clientMetadata(registration: Registration): AdapterPayload {
	return {
		client_id: registration.clientId,
		client_secret: registration.clientSecret,
		client_name: registration.applicationName,
		// Deep links are for native applications only, in the words of OpenID Connect.
		application_type: registration.redirectUris.every((uri) => /^https?:/.test(uri)) ? 'web' : 'native',
		token_endpoint_auth_method: 'client_secret_post',
		grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
		response_types: ['code'],
		redirect_uris: registration.redirectUris,
		post_logout_redirect_uris: registration.postLogoutRedirectUris,
		...(registration.logoutUri !== null && registration.logoutChannel === 'back'
			? { backchannel_logout_uri: registration.logoutUri, backchannel_logout_session_required: true }
			: {}),
	};
}
