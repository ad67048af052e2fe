import { escapeHtml } from '../http/html.mts';

const style = `
	:root { color-scheme: light dark; }
	body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 26rem; padding: 0 1rem; }
	form { display: grid; gap: 0.6rem; margin: 1rem 0; } label { display: grid; }
	input, button { font: inherit; padding: 0.4rem 0.6rem; }
	.people { grid-template-columns: 1fr 1fr; } .people button { text-align: left; }
	[role=alert] { border-left: 4px solid #c33; padding-left: 0.6rem; } iframe { display: none; }
`;

/** A page of the platform's sign-on. `body` is HTML. */
export function page(title: string, body: string): string {
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}

export interface LoginPerson {
	readonly login: string;
	readonly name: string;
	readonly profile: string;
}

/** The login screen. A person can type a login, or be picked: this is a sandbox. */
export function loginPage(applicationName: string, people: readonly LoginPerson[], problem?: string): string {
	const buttons = people.map(
		({ login, name, profile }) =>
			`<button name="as" value="${escapeHtml(login)}">${escapeHtml(name)}<br><small>${escapeHtml(profile)}, ${escapeHtml(login)}</small></button>`,
	);
	return page(
		'Platform login',
		`<p>to continue to ${escapeHtml(applicationName)}</p>
${problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
<form method="post"><label>Login<input name="login" autocomplete="username" autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password"></label>
<button>Log in</button></form>
<p>The password of every seeded user is the login itself. Or continue as:</p>
<form method="post" class="people">${buttons.join('\n')}</form>
<form method="post"><button name="cancel" value="yes">Cancel</button></form>`,
	);
}

/** Without a post-logout redirect URI the user lands on the platform's login screen. */
export function loggedOutPage(): string {
	return page('Platform login', '<p>You are logged out. Open an application to log in again.</p>');
}

/** What went wrong, in the provider's words, and what to do about it where there is something to say. */
export function errorPage(parts: Readonly<Record<string, unknown>>, advice = ''): string {
	const lines = Object.entries(parts).map(
		([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
	);
	return page(
		'The request cannot be answered',
		`<dl>${lines.join('')}</dl>${advice === '' ? '' : `<p role="alert">${escapeHtml(advice)}</p>`}`,
	);
}

/** How long the logout screen waits for the partner's front-channel address. */
const FRAME_WAIT_MS = 10_000;

/**
 * The logout screen: loads the partner's front-channel address in an iframe, then submits the provider's form.
 * `form` comes from the provider and is HTML.
 */
export function logoutPage(form: string, frameUrl: string | undefined): string {
	const frame =
		frameUrl === undefined ? '' : `<iframe src="${escapeHtml(frameUrl)}" title="Logout"></iframe>`;
	return page(
		'Logging out',
		`${form}
<noscript><button form="op.logoutForm">Continue</button></noscript>
${frame}
<script>
	// Once: a second submission would break off the first.
	let go = () => { go = () => {}; document.getElementById('op.logoutForm').submit(); };
	const frame = document.querySelector('iframe');
	if (frame) { frame.addEventListener('load', () => go()); setTimeout(() => go(), ${FRAME_WAIT_MS}); } else go();
</script>`,
	);
}

/** The front of the test environment's sign-on. */
export function testFrontPage(testIssuerUrl: string): string {
	return page(
		'Test sign-on front',
		`<p>The login screens of the test environment live here. The issuer is <code>${escapeHtml(testIssuerUrl)}</code>.</p>`,
	);
}
