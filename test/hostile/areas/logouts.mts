/** Logouts that nobody sent, and logouts that must not be lost. What both triggers do alike (`once`) is attacked in deliveries.mts. */
import { setTimeout as wait } from 'node:timers/promises';

import { Findings, type Area, type Cell } from '../cell.mts';
import type { IssuerPeer } from '../peers/issuerPeer.mts';
import { afterFirst, drippingBody, json, redirect } from '../peers/servicePeer.mts';
import { sendRaw, type RawAnswer } from '../raw.mts';
import type { HostileStage, OpenWebhook } from '../stage.mts';

import { ELLIPTIC, FORGED_TOKENS, honestToken, logoutClaims, SIGNER } from './forgedTokens.mts';
import { signed } from '../../unit/signOn/peer.mts';

/** Whoever sends a logout waits about so long; keys that do not come must not take more. */
const LONGEST_ANSWER_MS = 15_000;
const AT_ONCE_MS = 3_000;

interface Logout {
	issuer: IssuerPeer;
	trigger: OpenWebhook;
	clientSecret: string;
}

async function open(stage: HostileStage): Promise<Logout> {
	const issuer = await stage.issuer([SIGNER, ELLIPTIC]);
	const clientSecret = stage.newSecret('a client secret');
	const trigger = await stage.openLogout(await stage.signOnCredential(issuer.url, { clientSecret }));
	return { issuer, trigger, clientSecret };
}

interface Timed extends RawAnswer {
	ms: number;
}

async function post(url: string, token: string, hangUpAfterMs?: number): Promise<Timed> {
	const startedAt = Date.now();
	const headers = ['content-type: application/x-www-form-urlencoded'];
	const body = new URLSearchParams({ logout_token: token }).toString();
	const answer = await sendRaw(url, { headers, body, hangUpAfterMs });
	return { ...answer, ms: Date.now() - startedAt };
}

const forged: Cell = {
	tries: 'logout tokens that nobody may believe',
	holds: 'each is refused and not quoted, no address in it is asked, and nothing starts',
	attempts: FORGED_TOKENS.length,
	attack: async (stage) => {
		const { issuer, trigger, clientSecret } = await open(stage);
		const evil = await stage.peer(json(200, { keys: [] }));
		const found = new Findings();
		for (const { what, make } of FORGED_TOKENS) {
			const token = make(issuer.url, evil.url, clientSecret);
			stage.secrets.set(`the token with ${what}`, token.length > 40 ? token.slice(-40) : '');
			const { status, text } = await post(trigger.url, token);
			found.hold(status === 400, `${what}: answered ${status}`);
			found.hold(/cache-control: no-store/i.test(text), `${what}: the answer may be kept`);
			found.hold(!text.includes('account-17') && !text.includes('evil'), `${what}: the answer quotes it`);
		}
		const good = await post(trigger.url, honestToken(issuer.url));
		found.hold(good.status === 200, `afterwards a right token is answered ${good.status}`);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === 1, `${runs - 1} forged tokens started a run`);
		found.hold(evil.received.length === 0, `${evil.received.length} addresses in tokens were asked`);
		return found.list;
	},
};

const replayed: Cell = {
	tries: 'a token five times at once, and once more',
	holds: 'one run, five refusals',
	attempts: 6,
	attack: async (stage) => {
		const { issuer, trigger } = await open(stage);
		const found = new Findings();
		const token = honestToken(issuer.url);
		const answers = await Promise.all(Array.from({ length: 5 }, async () => await post(trigger.url, token)));
		answers.push(await post(trigger.url, token));
		const taken = answers.filter(({ status }) => status === 200).length;
		found.hold(taken === 1, `${taken} were taken`);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === 1, `${runs} runs`);
		return found.list;
	},
};

const testMode: Cell = {
	tries: 'the same token twice while a person listens for a test event',
	holds: 'both come in: a repeat does not count there',
	attempts: 2,
	attack: async (stage) => {
		const { issuer, trigger } = await open(stage);
		const found = new Findings();
		const token = honestToken(issuer.url);
		for (const which of ['first', 'second']) {
			await stage.listenForTest(trigger, 'Logout');
			const { status } = await post(trigger.testUrl, token);
			found.hold(status === 200, `the ${which} is answered ${status}`);
		}
		const real = await post(trigger.url, token);
		found.hold(real.status === 200, `afterwards the published workflow answers ${real.status}`);
		return found.list;
	},
};

const drippingKeys: Cell = {
	tries: 'an issuer whose first answer with keys never ends',
	holds: 'the sender is answered, other issuers are not kept waiting, and the next logout is taken',
	attempts: 3,
	waits: true,
	attack: async (stage) => {
		const { issuer, trigger } = await open(stage);
		const healthy = await open(stage);
		const honestKeys = json(200, { keys: [SIGNER.jwk, ELLIPTIC.jwk] });
		issuer.answerKeys(afterFirst(1, drippingBody, honestKeys));
		const found = new Findings();
		const first = post(trigger.url, honestToken(issuer.url));
		await wait(1_000);
		const other = await post(healthy.trigger.url, honestToken(healthy.issuer.url));
		found.hold(
			other.status === 200,
			`the other issuer's logout is answered ${other.status} after ${other.ms} ms`,
		);
		const { status, ms } = await first;
		found.hold(status !== 0 && ms < LONGEST_ANSWER_MS, `the first is answered ${status} after ${ms} ms`);
		const next = await post(trigger.url, honestToken(issuer.url));
		found.hold(next.status === 200, `the next is answered ${next.status} after ${next.ms} ms`);
		return found.list;
	},
};

const drippingRefresh: Cell = {
	tries: 'a forged kid that makes n8n look for new keys, which never come to an end',
	holds: 'logouts signed with a known key go on at once',
	attempts: 5,
	waits: true,
	attack: async (stage) => {
		const { issuer, trigger } = await open(stage);
		const found = new Findings();
		await post(trigger.url, honestToken(issuer.url));
		// Keys are looked up again at most every ten seconds.
		await wait(11_000);
		issuer.answerKeys(drippingBody);
		const forgedToken = signed(logoutClaims(issuer.url), SIGNER, { kid: 'new-key' });
		const forging = post(trigger.url, forgedToken);
		await wait(500);
		for (let index = 0; index < 4; index++) {
			const { status, ms } = await post(trigger.url, honestToken(issuer.url));
			found.hold(status === 200 && ms < AT_ONCE_MS, `a logout is answered ${status} after ${ms} ms`);
		}
		const { status, ms } = await forging;
		found.hold(
			status === 400 && ms < LONGEST_ANSWER_MS,
			`the forged one is answered ${status} after ${ms} ms`,
		);
		return found.list;
	},
};

const REDIRECTS = [301, 302, 307, 308];

const redirectedKeys: Cell = {
	tries: 'discovery and keys that redirect to another address',
	holds: 'nobody goes there, and the logout is refused',
	attempts: REDIRECTS.length * 2,
	attack: async (stage) => {
		const elsewhere = await stage.peer(json(200, { keys: [SIGNER.jwk] }));
		const found = new Findings();
		for (const status of REDIRECTS) {
			for (const which of ['discovery', 'keys']) {
				const { issuer, trigger } = await open(stage);
				const answer = redirect(status, `${elsewhere.url}/${which}`);
				if (which === 'keys') issuer.answerKeys(answer);
				else issuer.answerDiscovery(answer);
				const { status: answered } = await post(trigger.url, honestToken(issuer.url));
				found.hold(answered >= 400, `${status} of ${which}: answered ${answered}`);
			}
		}
		found.hold(
			elsewhere.received.length === 0,
			`${elsewhere.received.length} requests went to the other address`,
		);
		return found.list;
	},
};

const foreignDiscovery: Cell = {
	tries: 'a discovery document of another issuer, with keys elsewhere, or that is no document',
	holds: 'no logout is taken',
	attempts: 5,
	attack: async (stage) => {
		const found = new Findings();
		const documents: Array<[string, (url: string) => unknown]> = [
			['another issuer', (url) => ({ issuer: 'https://evil.example', jwks_uri: `${url}/keys` })],
			['a file for keys', (url) => ({ issuer: url, jwks_uri: 'file:///etc/passwd' })],
			['no address of keys', (url) => ({ issuer: url })],
			['a list', () => []],
			['text', () => '<html>'],
		];
		for (const [what, document] of documents) {
			const { issuer, trigger } = await open(stage);
			issuer.answerDiscovery(json(200, document(issuer.url)));
			const { status } = await post(trigger.url, honestToken(issuer.url));
			found.hold(status >= 400, `${what}: answered ${status}`);
		}
		return found.list;
	},
};

export const logouts: Area = {
	name: 'logouts',
	cells: [forged, replayed, testMode, drippingKeys, drippingRefresh, redirectedKeys, foreignDiscovery],
};
