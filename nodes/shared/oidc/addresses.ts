/** Where the sign-on's endpoints are (service document, "Sign-on (paths under {issuer_url})"). */
import { baseAddress, readAddress } from '../contract/address';

import { rejected, type Checked } from './finding';

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

/** The address that Issuer URL of a credential holds, or why it cannot be used. */
export function readIssuer(typed: unknown): Checked<string> {
	const read = readAddress('issuerUrl', typed);
	return read.ok ? read : rejected({ code: 'issuer_not_an_address', ...read.failure });
}

/** The full address of an endpoint. */
export function endpointOf(issuer: string, endpoint: keyof typeof SIGN_ON_PATHS): string {
	return baseAddress(issuer) + SIGN_ON_PATHS[endpoint];
}
