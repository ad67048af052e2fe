/**
 * The address that ends a session in the browser (service document, GET `/connect/client-endsession` and
 * `/connect/full-endsession`). Both parameters are called optional there "but must always be sent".
 */
import { baseAddress, parsedAddress } from '../../shared/contract/address';
import { success } from '../../shared/failure';
import { endpointOf } from '../../shared/oidc/addresses';
import { readJwt } from '../../shared/oidc/jwt';
import { kindIn } from '../../shared/oidc/verifyJwt';
import { applicableFindings, rejected, type SignOnFinding, type Checked } from '../../shared/oidc/finding';

/** `client`: this application only; `full`: this application and the platform. */
export type LogoutFrom = 'client' | 'full';

const NOT_AN_ID_TOKEN: SignOnFinding = {
	code: 'not_an_id_token',
	message: 'The ID Token Hint is not an ID token',
	next: "Fill in the user's current ID token, as Exchange Code returned it; the access token does not do.",
};
const NO_REDIRECT_ADDRESS: SignOnFinding = {
	code: 'redirect_not_an_address',
	message: 'The Post Logout Redirect URI is not an absolute address',
	next: 'Fill in one of the registered post-logout redirect URIs, in full, for example https://app.example/bye.',
};

/**
 * Trap: an expired ID token is a good hint (OpenID Connect RP-Initiated Logout 1.0 section 2), so its time is
 * not looked at; and its signature is the provider's to check.
 */
function looksLikeIdToken(text: string, issuer: string): boolean {
	const read = readJwt(text);
	if (!read.ok) return false;
	const { iss, sub, aud, events } = read.value.payload;
	const isOurs = typeof iss === 'string' && baseAddress(iss) === baseAddress(issuer);
	return (
		isOurs &&
		typeof sub === 'string' &&
		aud !== undefined &&
		events === undefined &&
		['jwt', undefined].includes(kindIn(read.value.header))
	);
}

/** A deep link (`school-app:/bye`) is an address too. */
function isAbsoluteAddress(text: string): boolean {
	const protocol = parsedAddress(text)?.protocol;
	return protocol !== undefined && !['javascript:', 'data:', 'file:'].includes(protocol);
}

/** The address to send the browser to. */
export function logoutUrl(
	issuer: string,
	from: LogoutFrom,
	idTokenHint: string,
	postLogoutRedirectUri: string,
): Checked<string> {
	const findings = applicableFindings(
		[!looksLikeIdToken(idTokenHint, issuer), NOT_AN_ID_TOKEN],
		[!isAbsoluteAddress(postLogoutRedirectUri), NO_REDIRECT_ADDRESS],
	);
	if (findings.length > 0) return rejected(...findings);
	const url = new URL(endpointOf(issuer, from === 'full' ? 'fullLogout' : 'clientLogout'));
	url.searchParams.set('id_token_hint', idTokenHint);
	url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri);
	return success(url.href);
}
