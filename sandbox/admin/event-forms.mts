import type { Facts, PersonFact } from '../admin-types.mts';
import { adviceFor } from '../events/advice.mts';
import { escapeHtml } from '../http/html.mts';
import type { SandboxParts } from '../sandbox.mts';
import { status } from './table.mts';

/** The options of a select of people, by login. */
export const personOptions = (people: readonly PersonFact[]): string =>
	people
		.map(({ login, name }) => `<option value="${escapeHtml(login)}">${escapeHtml(name)}</option>`)
		.join('');

/** Where events go, and access by hand. */
export function eventForms({ deliveries }: SandboxParts, facts: Facts): string {
	const people = personOptions([...facts.students, ...facts.educators]);
	// The key itself is never shown, and need not be known to change the address.
	const keyHint = deliveries.webhook ? 'placeholder="leave empty to keep the registered key"' : 'required';
	const newest = deliveries.list().at(-1);
	const advice = newest === undefined ? '' : adviceFor(newest.status);
	const missing = deliveries.webhook
		? ''
		: '<p>No webhook is registered: register one, so that there is somebody to send events to.</p>';
	return `${missing}
<form data-path="webhook">
<label>Webhook address<input name="url" type="url" required value="${escapeHtml(deliveries.webhook?.url ?? '')}" placeholder="http://localhost:5678/webhook/…/events"></label>
<label>x-api-key<input name="apiKey" type="password" ${keyHint} maxlength="1024" autocomplete="off"></label>
<button>Register</button><span>The key is the API Key of the trigger’s credential in n8n. The demo prints its own when it starts.</span>${status}</form>
<form data-path="access/grant" data-advice="${escapeHtml(advice)}"><label>Person<select name="login">${people}</select></label>
<button>Grant access</button><button value="access/revoke">Revoke access</button>${status}</form>`;
}
