import { adviceFor } from '../events/advice.mts';
import { escapeHtml } from '../http/html.mts';
import type { SandboxParts } from '../sandbox.mts';
import { shownSettings } from '../settings.mts';
import { shownConditions } from './conditions.mts';
import { createdTables } from './created.mts';
import { factsOf } from './facts.mts';
import { table } from './table.mts';

/** The parts of the page that change by themselves, by name, as HTML; the page's script asks for them every second. */
export const liveParts = (parts: SandboxParts) => ({
	conditions: shownConditions(parts),
	counts: counts(parts),
	created: createdTables(parts.world()),
	events: events(parts),
	sessions: sessions(parts),
	settings: table(['Setting', 'Value'], shownSettings(parts.settings)),
	requests: requests(parts),
});

function counts({ faults, log, world, addresses }: SandboxParts): string {
	const { count, maxInFlight } = log.query({ countOnly: true });
	return table(
		['Kind', 'Count'],
		[
			...Object.entries(factsOf(world(), addresses).counts),
			['faults armed', faults.list().length],
			['requests logged', count],
			['most in flight', maxInFlight],
		],
	);
}

function events({ deliveries }: SandboxParts): string {
	const sent = deliveries.list().slice(-10).reverse();
	return table(
		['sent at', 'event', 'request_id', 'answer', 'attempts', 'what to do'],
		sent.map(({ sentAt, action, requestId, status, attempts }) => [
			sentAt,
			action,
			requestId,
			status || 'none',
			attempts.length,
			adviceFor(status),
		]),
	);
}

/** Who is logged in at either issuer, and what went to the partner when somebody was logged out. */
function sessions({ issuer, testIssuer, world }: SandboxParts): string {
	const ids = new Set(
		[issuer, testIssuer].flatMap(({ memory }) => memory.all('Session').map((one) => one.accountId)),
	);
	const logins = [...world().users.values()]
		.filter(({ accountId }) => ids.has(accountId))
		.map(({ login }) => login);
	const sent = [issuer, testIssuer]
		.flatMap(({ logouts }) => logouts.list())
		.slice(-10)
		.reverse();
	const who = logins.length === 0 ? 'Nobody is logged in.' : `Logged in: ${[...new Set(logins)].join(', ')}`;
	return `<p>${escapeHtml(who)}</p><h3>Logouts that went to the application</h3>${table(
		['at', 'channel', 'address', 'answer', 'message'],
		sent.map(({ at, channel, url, status, message }) => [
			at,
			channel,
			url,
			status ?? 'seen by the browser only',
			message,
		]),
	)}`;
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
