import type { Facts } from '../admin-types.mts';
import { escapeHtml } from '../http/html.mts';
import type { SandboxParts } from '../sandbox.mts';
import { personOptions } from './event-forms.mts';
import { status } from './table.mts';

/** RFC 7636, appendix B: whoever redeems the code of the page's login gives this verifier. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The application as it is registered, a login at it, and logouts by both channels. */
export function signOnForms(parts: SandboxParts, facts: Facts): string {
	return [applicationForm(parts), loginForm(parts, facts), logoutForms(facts)].join('\n');
}

/** Where users may come back to: what is not among these is refused. */
function applicationForm({ registration }: SandboxParts): string {
	const { applicationName, logoutUri, logoutChannel } = registration;
	const area = (label: string, name: 'redirectUris' | 'postLogoutRedirectUris'): string => {
		const uris = registration[name];
		return `<label>${label}, one a line<textarea name="${name}" rows="${uris.length + 1}">${uris.map(escapeHtml).join('\n')}</textarea></label>`;
	};
	const channel = (name: 'front' | 'back'): string =>
		`<option value="${name}"${name === logoutChannel ? ' selected' : ''}>${name}</option>`;
	return `<h3>Application</h3>
<form data-path="registration" data-method="PATCH"><label>Name of the application<input name="applicationName" required maxlength="50" value="${escapeHtml(applicationName)}"></label>
${area('Redirect URIs', 'redirectUris')}${area('Post-logout redirect URIs', 'postLogoutRedirectUris')}
<label>Logout address<input name="logoutUri" type="url" data-none-if-empty value="${escapeHtml(logoutUri ?? '')}"></label>
<label>Logout channel<select name="logoutChannel">${channel('back')}${channel('front')}</select></label>
<button>Register</button><span>A sign-on that comes back to another address is refused with invalid_redirect_uri.</span>${status}</form>`;
}

function loginForm({ registration }: SandboxParts, { issuerUrl, clientId }: Facts): string {
	const fields = {
		response_type: 'code',
		client_id: clientId,
		scope: 'openid profile offline_access',
		code_challenge: CHALLENGE,
		code_challenge_method: 'S256',
	};
	const hidden = Object.entries(fields).map(
		([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
	);
	const addresses = [...registration.redirectUris]
		.reverse()
		.map((uri) => `<option>${escapeHtml(uri)}</option>`);
	return `<h3>Log in and out</h3>
<form action="${issuerUrl}/connect/authorize" target="_blank">${hidden.join('')}
<label>Come back to<select name="redirect_uri">${addresses.join('')}</select></label><button>Log in</button>
<span>Opens the login in another window. Its code is redeemed with the code verifier <code>${VERIFIER}</code>
<button type="button" data-copy="${VERIFIER}" aria-label="Copy code verifier">Copy</button></span></form>`;
}

function logoutForms({ issuerUrl, students, educators }: Facts): string {
	return `<form data-stays data-path="logout"><label>Person to log out<select name="login">${personOptions([...students, ...educators])}</select></label>
<button>Log out</button><span>Ends the sessions of this person, as the platform does, and calls the back channel.</span>${status}</form>
<form action="${issuerUrl}/connect/full-endsession" target="_blank"><button>Log out in this browser</button>
<span>Ends the session of whoever is logged in here, and loads the front channel.</span></form>`;
}
