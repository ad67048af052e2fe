import { isDeepStrictEqual } from 'node:util';
import type { FaultRule } from '../admin-types.mts';
import { escapeHtml } from '../http/html.mts';
import type { SandboxParts } from '../sandbox.mts';
import type { Settings } from '../settings-types.mts';
import { settingNames, settingsOf, shownValue } from '../settings.mts';
import { status } from './table.mts';

/** So long the sandbox is away, unless somebody ends it: a page that was closed meanwhile opens again then. */
const AWAY_MS = 120_000;

/** A hard day of the service, and what of the admin interface makes it. */
type Condition = { readonly label: string; readonly note: string } & (
	| { readonly settings: Partial<Settings> }
	| { readonly fault: FaultRule }
	| { readonly outage: { ms: number } }
);

const conditions: readonly Condition[] = [
	{
		label: 'Busy',
		note: 'Takes one request a second; what comes beyond is answered 429.',
		settings: { rate: { perSecond: 1, burst: 1, retryAfter: 1 } },
	},
	{
		label: 'Overloaded',
		note: 'Works on one request at a time, for a second; two wait, the others are answered 503.',
		settings: { capacity: { atOnce: 1, workMs: 1000, queue: 2 } },
	},
	{
		label: 'Away',
		note: `Refuses connections, for ${AWAY_MS / 60_000} minutes or until Back to normal.`,
		outage: { ms: AWAY_MS },
	},
	{ label: 'Slow', note: 'Every answer of the API waits three seconds.', settings: { latencyMs: 3000 } },
	{
		label: 'Doubles refused',
		note: 'What is there already is answered 409.',
		settings: { duplicates: 'refuse', variants: [] },
	},
	{
		label: 'Doubles refused with 400',
		note: 'What is there already is answered 400.',
		settings: { duplicates: 'refuse', variants: ['doubles-as-400'] },
	},
	{
		label: 'Doubles accepted',
		note: 'What is there already is written over.',
		settings: { duplicates: 'accept' },
	},
	{
		label: '200 that says no',
		note: 'Creations of classes, people and bonds are answered 200 with {"success": false}, and nothing is created.',
		fault: {
			match: { method: 'POST', path: '/integration/partner/v1' },
			fault: { body: { success: false } },
		},
	},
	{
		label: 'Late accounts',
		note: 'The account of a new user comes a minute after its creation.',
		settings: { accounts: { delayMs: 60_000 } },
	},
];

/** [method, path, body]: what a button sends to the admin interface. */
type AdminRequest = readonly [string, string, object];

function requestsFor(condition: Condition): AdminRequest[] {
	if ('settings' in condition) return [['PATCH', 'settings', condition.settings]];
	if ('fault' in condition) return [['POST', 'faults', condition.fault]];
	return [['POST', 'outage', condition.outage]];
}

const form = (label: string, note: string, requests: readonly AdminRequest[]): string =>
	`<form data-stays data-requests="${escapeHtml(JSON.stringify(requests))}"><button>${label}</button><span>${escapeHtml(note)}</span>${status}</form>`;

/** A button for each condition, and one that ends them all. */
export function conditionForms({ options }: SandboxParts): string {
	const normal: AdminRequest[] = [
		['DELETE', 'outage', {}],
		['DELETE', 'faults', {}],
		['PATCH', 'settings', settingsOf(options)],
	];
	return [
		...conditions.map((condition) => form(condition.label, condition.note, requestsFor(condition))),
		form('Back to normal', 'Everything here is as it was at the start. What was created stays.', normal),
	].join('\n');
}

/** What is on at the moment: conditions by their label, and by its value what somebody else has set. */
export function shownConditions(parts: SandboxParts): string {
	const lines = [...conditionsOn(parts), ...otherSettings(parts), ...otherFaults(parts)];
	if (lines.length === 0) return '<p>On at the moment: Nothing: the service is as it was at the start.</p>';
	return `<p>On at the moment:</p><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
}

const conditionsOn = (parts: SandboxParts): string[] =>
	conditions.filter((condition) => isOn(condition, parts)).map(({ label }) => label);

function isOn(condition: Condition, parts: SandboxParts): boolean {
	if ('outage' in condition) return parts.isRefusing();
	if ('fault' in condition) return parts.faults.list().some((armed) => isSameFault(armed, condition.fault));
	const names = settingNames.filter((name) => name in condition.settings);
	return (
		names.every((name) => isDeepStrictEqual(condition.settings[name], parts.settings[name])) &&
		names.some((name) => isChanged(name, parts))
	);
}

const isChanged = (name: keyof Settings, { settings, options }: SandboxParts): boolean =>
	!isDeepStrictEqual(settings[name], options[name]);

const isSameFault = ({ match, fault }: FaultRule, other: FaultRule): boolean =>
	isDeepStrictEqual({ match, fault }, other);

function otherSettings(parts: SandboxParts): string[] {
	const told = conditions.flatMap((condition) =>
		'settings' in condition && isOn(condition, parts) ? Object.keys(condition.settings) : [],
	);
	return settingNames
		.filter((name) => isChanged(name, parts) && !told.includes(name))
		.map((name) => `${name}: ${shownValue(parts.settings[name])}`);
}

const otherFaults = ({ faults }: SandboxParts): string[] =>
	faults
		.list()
		.filter((armed) => !conditions.some((one) => 'fault' in one && isSameFault(armed, one.fault)))
		.map(({ match, fault, used }) => `Fault ${JSON.stringify({ match, fault })}, used ${used} times`);
