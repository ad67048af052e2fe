import type { IssuerOptions } from './configuration.mts';

/** What a person can do about an address that the sign-on does not come back to; nothing for other refusals. */
export function adviceOn(
	{ error, error_description }: { readonly error: string; readonly error_description?: string },
	params: Readonly<Record<string, unknown>>,
	{ registration, baseUrl }: Pick<IssuerOptions, 'registration' | 'baseUrl'>,
): string {
	const kind =
		error === 'invalid_redirect_uri'
			? (['redirect_uri', 'Redirect URIs', registration.redirectUris] as const)
			: error_description?.startsWith('post_logout_redirect_uri')
				? ([
						'post_logout_redirect_uri',
						'Post-logout redirect URIs',
						registration.postLogoutRedirectUris,
					] as const)
				: undefined;
	if (kind === undefined) return '';
	const [parameter, field, registered] = kind;
	const asked = params[parameter];
	const known = registered.length === 0 ? 'None is registered.' : `Registered: ${registered.join(', ')}.`;
	return (
		`The address ${typeof asked === 'string' ? asked : ''} is not registered, character by character. ${known} ` +
		`Add it under ${field} at ${baseUrl}/_sandbox/. A restart of the sandbox forgets what was registered, as does a reset without keepConnections.`
	);
}
