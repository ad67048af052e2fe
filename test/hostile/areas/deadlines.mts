/** Answers that never end. Whatever comes, a request ends with its timeout, and memory stays where it is. */
import { Findings, type Area, type Cell } from '../cell.mts';
import {
	drippingBody,
	drippingHead,
	drippingNotices,
	endlessBody,
	friendly,
	unfolding,
	type Answer,
} from '../peers/servicePeer.mts';
import type { Seen } from '../runs.mts';
import type { HostileStage } from '../stage.mts';

import { KINDS } from './against.mts';
import { CREATE_BOND, GET_ACCOUNT, rowOf, type Call } from './calls.mts';
import { honestToken, SIGNER } from './forgedTokens.mts';

const TIMEOUT_MS = 2_000;
/** For a run to begin and to end, on a busy machine. */
const SLACK_MS = 6_000;
const PATIENCE_MS = 25_000;

function verdict(what: string, seen: Seen, requests: number): string[] {
	const found = new Findings();
	const longest = requests * TIMEOUT_MS + SLACK_MS;
	found.hold(seen.status !== 'hangs', `${what}: the run has no end`);
	if (seen.status === 'hangs') return found.list;
	found.hold(seen.nodeMs <= longest, `${what}: ${seen.nodeMs} ms with a timeout of ${TIMEOUT_MS} ms`);
	found.hold(
		seen.success.length === 0 && seen.failure.length === 1,
		`${what}: ${seen.failure.length} failures, ${seen.success.length} done`,
	);
	return found.list.slice(0, 1);
}

const dripping = (tries: string, answer: Answer): Cell => ({
	tries,
	holds: 'the item fails when its timeout has passed',
	attempts: KINDS.length,
	waits: true,
	attack: async (stage) => {
		const run = async (call: Call) => {
			const peer = await stage.peer(answer);
			const credential = await stage.machineCredential(peer.url);
			const parameters = call.parameters({ timeout: TIMEOUT_MS });
			const rows = [rowOf('one', 0)];
			const seen = await stage.run({ parameters, rows, credential, patienceMs: PATIENCE_MS });
			peer.close();
			return verdict(call.name, seen, 1);
		};
		return (await Promise.all(KINDS.map(run))).flat();
	},
});

const drippingToken: Cell = {
	tries: 'a token that drips',
	holds: 'the item fails when the timeouts of token and request have passed',
	attempts: 1,
	waits: true,
	attack: async (stage) => {
		const peer = await stage.peer(friendly, drippingBody);
		const credential = await stage.machineCredential(peer.url);
		const parameters = GET_ACCOUNT.parameters({ timeout: TIMEOUT_MS });
		const seen = await stage.run({
			parameters,
			rows: [rowOf('one', 0)],
			credential,
			patienceMs: PATIENCE_MS,
		});
		peer.close();
		return verdict('a token', seen, 2);
	},
};

const silentToken: Cell = {
	tries: 'a sign-on that takes the request for a token and says nothing',
	holds: 'the item fails when the timeouts of token and request have passed',
	attempts: 1,
	waits: true,
	attack: async (stage) => {
		const peer = await stage.peer(friendly, () => undefined);
		const credential = await stage.machineCredential(peer.url);
		const parameters = GET_ACCOUNT.parameters({ timeout: TIMEOUT_MS });
		const seen = await stage.run({ parameters, rows: [rowOf('one', 0)], credential, patienceMs: 35_000 });
		peer.close();
		return verdict('a token', seen, 2);
	},
};

const signOnOptions = { timeout: TIMEOUT_MS, maxRetries: 0 };

const drippingSignOn = (what: string, where: 'discovery' | 'keys' | 'token' | 'userinfo'): Cell => ({
	tries: `a sign-on whose ${what} drip`,
	holds: 'the item fails when the timeouts of its requests have passed',
	attempts: 1,
	waits: true,
	attack: async (stage) => {
		const { parameters, credential, close } = await drippingAt(stage, where);
		const seen = await stage.run({ parameters, rows: [{}], credential, patienceMs: PATIENCE_MS });
		close();
		// Validate Token says whether a token is valid, so that a missing key may be an item of its own.
		const isSaid = where === 'keys' || where === 'discovery';
		if (isSaid && seen.status !== 'hangs' && seen.success.length === 1)
			return seen.success[0]?.json.valid === false
				? verdict(what, { ...seen, success: [], failure: [{ item: 0, json: {} }] }, 3)
				: ['a token that could not be checked is valid'];
		return verdict(what, seen, 3);
	},
});

async function drippingAt(stage: HostileStage, where: 'discovery' | 'keys' | 'token' | 'userinfo') {
	const signOn = (operation: string, values: object) => ({
		resource: 'signOn',
		operation,
		...values,
		options: signOnOptions,
	});
	if (where === 'userinfo') {
		const peer = await stage.peer(drippingBody);
		const parameters = signOn('getUserInfo', { accessToken: 'a-token-of-a-visitor' });
		return { parameters, credential: await stage.signOnCredential(peer.url), close: () => peer.close() };
	}
	const issuer = await stage.issuer([SIGNER]);
	const credential = await stage.signOnCredential(issuer.url);
	if (where === 'token') issuer.answerToken(drippingBody);
	if (where === 'keys') issuer.answerKeys(drippingBody);
	if (where === 'discovery') issuer.answerDiscovery(drippingBody);
	const token = honestToken(issuer.url, { nonce: 'n' });
	const parameters =
		where === 'token'
			? signOn('refreshToken', { refreshToken: 'a-refresh-token' })
			: signOn('validateToken', { token, tokenUse: 'idToken' });
	return { parameters, credential, close: () => issuer.close() };
}

/** Megabytes that n8n may grow by while an answer without end comes in. */
const MOST_GROWTH_MB = 400;

const memory = (what: string, answer: Answer, call: Call): Cell => ({
	tries: what,
	holds: `the item fails, and n8n grows by less than ${MOST_GROWTH_MB} MB`,
	attempts: 1,
	attack: async (stage) => {
		const peer = await stage.peer(answer);
		const credential = await stage.machineCredential(peer.url);
		const parameters = call.parameters({ timeout: 4_000 });
		const before = stage.residentMegabytes();
		let most = before;
		const watch = setInterval(() => (most = Math.max(most, stage.residentMegabytes())), 50);
		const seen = await stage.run({ parameters, rows: [rowOf('one', 0)], credential, patienceMs: 15_000 });
		clearInterval(watch);
		peer.close();
		const found = new Findings();
		found.hold(seen.status !== 'hangs', 'the run has no end');
		found.hold(seen.failure.length === 1, `${seen.failure.length} failures, the run ends as ${seen.status}`);
		const grown = Math.round(most - before);
		found.hold(grown < MOST_GROWTH_MB, `n8n grew by ${grown} MB`);
		return found.list.slice(0, 1);
	},
});

/** Memory is not looked at: what answers a write is bounded by its time only, as SECURITY.md says. */
const pouringRefusal: Cell = {
	tries: 'a refusal of a creation that pours without end',
	holds: 'the item fails when its timeout has passed',
	attempts: 1,
	attack: async (stage) => {
		const peer = await stage.peer(endlessBody(400));
		const credential = await stage.machineCredential(peer.url);
		const parameters = CREATE_BOND.parameters({ timeout: TIMEOUT_MS });
		const rows = [rowOf('one', 0)];
		const seen = await stage.run({ parameters, rows, credential, patienceMs: PATIENCE_MS });
		peer.close();
		return verdict('a refusal', seen, 1);
	},
};

export const deadlines: Area = {
	name: 'deadlines',
	cells: [
		dripping('a body that drips', drippingBody),
		dripping('a head that drips', drippingHead),
		dripping('notices of work without end', drippingNotices),
		drippingToken,
		silentToken,
		drippingSignOn('keys', 'keys'),
		drippingSignOn('discovery documents', 'discovery'),
		drippingSignOn('tokens', 'token'),
		drippingSignOn('user info', 'userinfo'),
		memory('an answer that pours without end', endlessBody(200), GET_ACCOUNT),
		pouringRefusal,
		memory('a small gzip that becomes 400 MB', unfolding(400), GET_ACCOUNT),
	],
};
