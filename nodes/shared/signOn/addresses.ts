/** Where the sign-on's endpoints are (service document, "Sign-on (paths under {issuer_url})"). */
import { baseAddress } from '../contract/path';

import { refused, type Refusal } from './finding';

/** Paths below the issuer's address. */
export const SIGN_ON_PATHS = {
	login: '/connect/authorize',
	token: '/connect/token',
	userInfo: '/connect/userinfo',
	clientLogout: '/connect/client-endsession',
	fullLogout: '/connect/full-endsession',
	discovery: '/.well-known/openid-configuration',
} as const;

/** Scopes that the service's document names for a user's sign-on. */
export const DEFAULT_SCOPE = 'openid profile offline_access';

/** The absolute http or https address that the text is, or nothing. */
export function webAddress(text: string): URL | undefined {
	if (!URL.canParse(text)) return undefined;
	const url = new URL(text);
	return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** The issuer's address without a trailing slash, or why it cannot be one. */
export function readIssuer(text: string): { valid: true; issuer: string } | Refusal {
	const issuer = baseAddress(text);
	const url = webAddress(issuer);
	if (url !== undefined && url.search === '' && url.hash === '') return { valid: true, issuer };
	return refused({
		code: 'issuer_not_an_address',
		message: 'The Issuer URL is not a web address',
		description:
			'Open the credential and enter the address of the sign-on, for example https://login.school.example.',
	});
}

/** The full address of an endpoint. */
export function endpointOf(issuer: string, endpoint: keyof typeof SIGN_ON_PATHS): string {
	return baseAddress(issuer) + SIGN_ON_PATHS[endpoint];
}
