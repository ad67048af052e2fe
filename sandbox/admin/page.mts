import type { Facts, PersonFact } from '../admin-types.mts';
import type { SandboxParts } from '../sandbox.mts';
import { escapeHtml } from '../http/html.mts';
import { adviceFor } from '../events/advice.mts';
import { shownSettings } from '../settings.mts';
import { createdTables } from './created.mts';
import { driftForms } from './drift-forms.mts';
import { said } from './said.mts';
import { rosterForm } from './roster-form.mts';
import { factsOf } from './facts.mts';
import { table } from './table.mts';

const style = `
	:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
	body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
	h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 0.95rem; margin: 1rem 0 0.3rem; }
	table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
	th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; overflow-wrap: anywhere; }
	tbody tr:nth-child(odd) { background: var(--soft); }
	form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0.5rem 0; }
	label { display: grid; font-size: 0.8rem; } input, select, button { font: inherit; padding: 0.3rem 0.5rem; }
	input[name=url], textarea { width: 28rem; max-width: 90vw; } textarea { font: inherit; } output { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/**
 * Each form names its admin path; its fields travel as JSON, a text area as a list of its lines. What came of it is said beside its
 * button, after the page was read anew; of an event with what to do, as the table has it.
 */
const script = `
	for (const form of document.querySelectorAll('form[data-path]')) form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const path = event.submitter.value || form.dataset.path;
		const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
		for (const { name, value } of form.querySelectorAll('textarea')) fields[name] = value.split(/\\s+/).filter(Boolean);
		const said = form.querySelector('output');
		said.textContent = 'Working…';
		const body = JSON.stringify({ ...JSON.parse(form.dataset.body || '{}'), ...fields });
		const method = form.dataset.method || 'POST';
		const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body });
		const text = await answer.text();
		const { message, status, isSuccessful } = text ? JSON.parse(text) : {};
		if (!answer.ok) { said.textContent = message; return; }
		sessionStorage.said = status === undefined || isSuccessful === undefined ? 'Done.' :
			'The webhook answered ' + (status || 'nothing') + (message ? ': ' + message : '.');
		sessionStorage.saidBeside = form.dataset.path;
		location.reload();
	});
	for (const form of document.forms) if (form.dataset.path === sessionStorage.saidBeside)
		form.querySelector('output').textContent = [sessionStorage.said, form.dataset.advice].filter(Boolean).join(' ');
	delete sessionStorage.said;
	delete sessionStorage.saidBeside;
`;

/** The page at `/_sandbox/`: addresses, counts, what was created, events by hand, the last requests. Nothing is loaded from elsewhere. */
export function pageHtml(parts: SandboxParts): string {
	const facts = factsOf(parts.world(), parts.addresses);
	const people = [
		...facts.students.slice(0, 5),
		...facts.responsibles.slice(0, 3),
		...facts.educators.slice(0, 2),
	];
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>School partner sandbox</title><style>${style}</style></head>
<body>
<h1>School partner sandbox</h1>
<p>A stand-in for the Partner Integration Service for Schools. Everything in it is invented (seed ${facts.seed}).</p>
<h2>Addresses</h2>${addresses(parts, facts)}
<h2>What it holds</h2>${counts(parts, facts)}
<h2>Created over the API</h2>${createdTables(parts.world())}
<h2>Access events</h2>${events(parts, facts)}
<h2>Drift</h2>${driftForms(facts)}
<h2>Roster</h2>${rosterForm(parts.size(), facts.baseUrl)}
<h2>Sign-on</h2>${signOn(parts)}
<h2>Settings</h2>${table(['Setting', 'Value'], shownSettings(parts.settings))}
<form data-path="tokens/expire"><button>Expire all tokens</button>${said}</form>
<form data-path="reset" data-body="${escapeHtml('{"keepConnections":true}')}"><button>Reset everything</button>
<span>What was created, sent, logged and armed goes. The webhook and the registered addresses stay.</span>${said}</form>
<h2>Schools</h2>${table(
		['external id', 'name', 'stages and their grades'],
		facts.schools.map(({ externalId, name, stages }) => [
			externalId,
			name,
			stages.map((stage) => `${stage.name}: ${stage.grades.join(', ')}`).join('; '),
		]),
	)}
<h2>Some people</h2>${table(
		['name', 'login', 'external id', 'account id', 'school'],
		people.map((one) => [one.name, one.login, one.externalId, one.accountId, one.schoolExternalId]),
	)}
<h2>Last requests</h2>${requests(parts)}
<script>${script}</script>
</body>
</html>
`;
}

function addresses({ registration }: SandboxParts, facts: Facts): string {
	return table(
		['What', 'Value'],
		[
			['Base URL', facts.baseUrl],
			['Issuer URL', facts.issuerUrl],
			['Test Issuer URL', facts.testIssuerUrl],
			['Test sign-on front', facts.testSsoUrl],
			['Client ID', facts.clientId],
			['Client Secret', registration.clientSecret],
			['tenant_id', facts.tenantId],
		],
	);
}

function counts({ faults, log }: SandboxParts, facts: Facts): string {
	const { count, maxInFlight } = log.query({ countOnly: true });
	return table(
		['Kind', 'Count'],
		[
			...Object.entries(facts.counts),
			['faults armed', faults.list().length],
			['requests logged', count],
			['most in flight', maxInFlight],
		],
	);
}

function events({ deliveries }: SandboxParts, facts: Facts): string {
	const option = ({ login, name }: PersonFact): string =>
		`<option value="${escapeHtml(login)}">${escapeHtml(name)}</option>`;
	const people = [...facts.students, ...facts.educators].map(option).join('');
	// The key itself is never shown, and need not be known to change the address.
	const keyHint = deliveries.webhook ? 'placeholder="leave empty to keep the registered key"' : 'required';
	const sent = deliveries.list().slice(-10).reverse();
	const advice = sent[0] === undefined ? '' : adviceFor(sent[0].status);
	const missing = deliveries.webhook
		? ''
		: '<p>No webhook is registered: register one, so that there is somebody to send events to.</p>';
	return `${missing}
<form data-path="webhook">
<label>Webhook address<input name="url" type="url" required value="${escapeHtml(deliveries.webhook?.url ?? '')}" placeholder="http://localhost:5678/webhook/…/events"></label>
<label>x-api-key<input name="apiKey" type="password" ${keyHint} maxlength="1024" autocomplete="off"></label>
<button>Register</button><span>The key is the API Key of the trigger’s credential in n8n. The demo prints its own when it starts.</span>${said}</form>
<form data-path="access/grant" data-advice="${escapeHtml(advice)}"><label>Person<select name="login">${people}</select></label>
<button>Grant access</button><button value="access/revoke">Revoke access</button>${said}</form>
${table(
	['sent at', 'event', 'request_id', 'answer', 'attempts', 'what to do'],
	sent.map(({ sentAt, action, requestId, status, attempts }) => [
		sentAt,
		action,
		requestId,
		status || 'none',
		attempts.length,
		adviceFor(status),
	]),
)}`;
}

/** Where users may come back to: what is not among these is refused. */
function signOn({ registration }: SandboxParts): string {
	const area = (label: string, name: 'redirectUris' | 'postLogoutRedirectUris'): string => {
		const uris = registration[name];
		return `<label>${label}, one a line<textarea name="${name}" rows="${uris.length + 1}">${uris.map(escapeHtml).join('\n')}</textarea></label>`;
	};
	return `
<form data-path="registration" data-method="PATCH">${area('Redirect URIs', 'redirectUris')}${area('Post-logout redirect URIs', 'postLogoutRedirectUris')}
<button>Register</button><span>A sign-on that comes back to another address is refused with invalid_redirect_uri.</span>${said}</form>`;
}

function requests({ log }: SandboxParts): string {
	const shown = log.query({ limit: 25 }).requests.reverse();
	return table(
		['at', 'method', 'path', 'status', 'ms', 'fault'],
		shown.map(({ at, method, path, status, durationMs, fault }) => [
			at.slice(11, 23),
			method,
			path,
			status || 'broken',
			durationMs,
			fault ?? '',
		]),
	);
}
