import type { SandboxParts } from '../sandbox.mts';
import { factsOf } from './facts.mts';

const escaped = (value: unknown): string =>
	String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const row = (cells: readonly unknown[], tag: 'td' | 'th' = 'td'): string =>
	`<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;

const table = (head: readonly string[], rows: ReadonlyArray<readonly unknown[]>): string =>
	`<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells)).join('')}</tbody></table>`;

const style = `
	:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
	body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
	h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
	table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
	th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; overflow-wrap: anywhere; }
	tbody tr:nth-child(odd) { background: var(--soft); }
	code { font-family: ui-monospace, monospace; }
`;

/** The page at `/_sandbox/`: addresses, counts, the last requests. Nothing is loaded from elsewhere. */
export function pageHtml(parts: SandboxParts): string {
	const facts = factsOf(parts.world(), parts.addresses);
	const health = parts.health();
	const { count, maxInFlight, requests } = parts.log.query({ limit: 25 });
	const addresses = [
		['Base address', facts.baseUrl],
		['Issuer', facts.issuerUrl],
		['Test issuer', facts.testIssuerUrl],
		['Test sign-on front', facts.testSsoUrl],
		['Client id', facts.clientId],
		['Client secret', parts.registration.clientSecret],
		['tenant_id', facts.tenantId],
	];
	const counts = Object.entries(facts.counts);
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>School partner sandbox</title><style>${style}</style></head>
<body>
<h1>School partner sandbox</h1>
<p>A stand-in for the Partner Integration Service for Schools. Everything in it is invented (seed ${facts.seed}).</p>
<h2>Addresses</h2>${table(['What', 'Value'], addresses)}
<h2>What it holds</h2>${table(['Kind', 'Count'], [...counts, ['faults armed', parts.faults.list().length], ['requests logged', count], ['most in flight', maxInFlight]])}
<h2>Settings</h2>${table(['Setting', 'Value'], Object.entries(health.settings))}
<h2>Schools</h2>${table(
		['external id', 'name', 'stages'],
		facts.schools.map((school) => [
			school.externalId,
			school.name,
			school.stages.map(({ name }) => name).join(', '),
		]),
	)}
<h2>Some people</h2>${table(
		['name', 'login', 'external id', 'account id', 'school'],
		[...facts.students.slice(0, 5), ...facts.responsibles.slice(0, 3), ...facts.educators.slice(0, 2)].map(
			(person) => [person.name, person.login, person.externalId, person.accountId, person.schoolExternalId],
		),
	)}
<h2>Last requests</h2>${table(
		['at', 'method', 'path', 'status', 'ms', 'fault'],
		requests
			.reverse()
			.map((request) => [
				request.at.slice(11, 23),
				request.method,
				request.path,
				request.status || 'broken',
				request.durationMs,
				request.fault ?? '',
			]),
	)}
</body>
</html>
`;
}
