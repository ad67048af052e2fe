/** A documented sign-on, for tests that are about what comes after it. */
import { SandboxBrowser } from '../../sandbox/browser.mts';
import type { Sandbox } from '../../sandbox/start.mts';

export const redirectUri = 'http://localhost:9/callback';
export const listedScope = 'openid profile offline_access';
/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Registers the redirect URI, logs student1 in and gives the form fields that redeem the code, all but `scope`. */
export async function signIn({
	admin,
	baseUrl,
	issuerUrl,
	clientId,
}: Sandbox): Promise<Record<string, string>> {
	await admin.changeRegistration({ redirectUris: [redirectUri] });
	const browser = new SandboxBrowser(baseUrl);
	const query = {
		response_type: 'code',
		client_id: clientId,
		redirect_uri: redirectUri,
		code_challenge_method: 'S256',
		code_challenge: challenge,
		scope: listedScope,
	};
	const url = `${issuerUrl}/connect/authorize?${new URLSearchParams(query).toString()}`;
	const back = await browser.signIn(url, 'student1');
	browser.close();
	return {
		grant_type: 'authorization_code',
		code: back.searchParams.get('code') ?? '',
		redirect_uri: redirectUri,
		code_verifier: verifier,
	};
}
