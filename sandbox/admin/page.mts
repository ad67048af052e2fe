import type { Facts } from '../admin-types.mts';
import type { SandboxParts } from '../sandbox.mts';
import { escapeHtml } from '../http/html.mts';
import { conditionForms } from './conditions.mts';
import { driftForms } from './drift-forms.mts';
import { eventForms } from './event-forms.mts';
import { liveParts } from './live.mts';
import { script } from './page-script.mts';
import { style } from './page-style.mts';
import { rosterForm } from './roster-form.mts';
import { signOnForms } from './sign-on-forms.mts';
import { factsOf } from './facts.mts';
import { status, table } from './table.mts';

/** The page at `/_sandbox/`: addresses, conditions, what was created, events by hand, the last requests. Nothing is loaded from elsewhere. */
export function pageHtml(parts: SandboxParts): string {
	const facts = factsOf(parts.world(), parts.addresses);
	const live = liveParts(parts);
	const part = (name: keyof typeof live): string => `<div data-live="${name}">${live[name]}</div>`;
	const people = [
		...facts.students.slice(0, 5),
		...facts.responsibles.slice(0, 3),
		...facts.educators.slice(0, 2),
	];
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>School partner sandbox</title><style>${style}</style></head>
<body>
<main>
<h1>School partner sandbox</h1>
<p>A stand-in for the Partner Integration Service for Schools. Everything in it is invented (seed ${facts.seed}).</p>
<p id="connection" role="status"></p>
<h2>Addresses</h2>${addresses(parts, facts)}
<h2>What it holds</h2>${part('counts')}
<h2>Conditions</h2>${part('conditions')}${conditionForms(parts)}
<h2>Drift</h2>${driftForms(facts)}
<h2>Created over the API</h2>${part('created')}
<h2>Access events</h2>${eventForms(parts, facts)}${part('events')}
<h2>Roster</h2>${rosterForm(parts.size(), facts.baseUrl)}
<h2>Sign-on</h2>${signOnForms(parts, facts)}${part('sessions')}
<h2>Settings</h2>${part('settings')}
<form data-path="tokens/expire"><button>Expire all tokens</button>${status}</form>
<form data-path="reset" data-body="${escapeHtml('{"keepConnections":true}')}"><button>Reset everything</button>
<span>What was created, sent, logged and armed goes. The webhook and the registered addresses stay.</span>${status}</form>
<h2>Schools</h2>${table(
		['external id', 'name', 'stages and their grades'],
		facts.schools.map(({ externalId, name, stages }) => [
			{ copy: externalId },
			name,
			stages.map((stage) => `${stage.name}: ${stage.grades.join(', ')}`).join('; '),
		]),
	)}
<h2>Some people</h2>${table(
		['name', 'login', 'external id', 'account id', 'school'],
		people.map((one) => [
			one.name,
			one.login,
			{ copy: one.externalId },
			{ copy: one.accountId },
			one.schoolExternalId,
		]),
	)}
<h2>Last requests</h2>${part('requests')}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function addresses({ registration }: SandboxParts, facts: Facts): string {
	const values: Array<[name: string, value: string]> = [
		['Base URL', facts.baseUrl],
		['Issuer URL', facts.issuerUrl],
		['Test Issuer URL', facts.testIssuerUrl],
		['Test sign-on front', facts.testSsoUrl],
		['Client ID', facts.clientId],
		['Client Secret', registration.clientSecret],
		['tenant_id', facts.tenantId],
	];
	return table(
		['What', 'Value'],
		values.map(([name, copy]) => [name, { copy, name }]),
	);
}
