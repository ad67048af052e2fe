/** A service that answers what it should not: redirects, echoes, numbers, depth, and more words than anybody reads. */
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { afterFirst, friendly, json, nested, type Answer } from '../peers/servicePeer.mts';
import type { HostileStage } from '../stage.mts';

import { KINDS, runAgainst } from './against.mts';
import { CREATE_BOND, GET_ACCOUNT, rowOf, UPDATE_ACCOUNT, type Call } from './calls.mts';
import { redirects, testRedirects, tokenRedirects, tokenRedirectsWithForm } from './redirects.mts';
import { bounds, echoes, secretEchoes } from './words.mts';

const BIG = '9007199254740993';
const NUMBERS: ReadonlyArray<[string, string, (item: Record<string, unknown>) => unknown, string]> = [
	['an id', `{"id":${BIG},"name":"a"}`, (item) => item.id, BIG],
	['an unknown field', `{"id":"a","extra":${BIG}}`, (item) => item.extra, BIG],
	['a negative one', `{"id":"a","extra":-${BIG}}`, (item) => item.extra, `-${BIG}`],
	[
		'inside of an object',
		`{"id":"a","extra":{"deep":${BIG}}}`,
		(item) => (item.extra as { deep: unknown }).deep,
		BIG,
	],
	['in a list', `{"id":"a","extra":[1,${BIG}]}`, (item) => (item.extra as unknown[])[1], BIG],
	['30 digits', `{"id":"a","extra":${'1234567890'.repeat(3)}}`, (item) => item.extra, '1234567890'.repeat(3)],
];

const numbers: Cell = {
	tries: 'numbers beyond 2^53 in an answer, with Simplify and without',
	holds: 'each comes out digit by digit, as text',
	attempts: NUMBERS.length * 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, body, read, wanted] of NUMBERS) {
			for (const simplify of [true, false]) {
				const peer = await stage.peer(json(200, body));
				const credential = await stage.machineCredential(peer.url);
				const parameters = { ...GET_ACCOUNT.parameters(), simplify };
				const { success } = await stage.run({ parameters, rows: [rowOf('one', 0)], credential });
				const got = success[0] === undefined ? undefined : read(success[0].json);
				found.hold(
					got === wanted,
					`${what}${simplify ? '' : ', not simplified'}: ${shown(got)} for ${wanted}`,
				);
			}
		}
		return found.list;
	},
};

const LEVELS = 100_000;
const DEEP: ReadonlyArray<[string, Call, Answer, string[]]> = [
	['a lookup', GET_ACCOUNT, json(200, nested(LEVELS)), ['one']],
	['a lookup that two items share', GET_ACCOUNT, json(200, nested(LEVELS)), ['one', 'one']],
	['a field of a lookup', GET_ACCOUNT, json(200, `{"id":"a","extra":${nested(LEVELS)}}`), ['one']],
	['lists', GET_ACCOUNT, json(200, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`), ['one']],
	['5,000 levels', GET_ACCOUNT, json(200, `{"id":"a","extra":${nested(5_000)}}`), ['one', 'one']],
	['a creation', CREATE_BOND, json(200, nested(LEVELS)), ['one']],
	['a refusal', CREATE_BOND, json(400, nested(LEVELS, '{"Message":"m"}')), ['one']],
	['an update', UPDATE_ACCOUNT, json(200, nested(LEVELS)), ['one', 'two']],
];

const depth: Cell = {
	tries: `answers of ${LEVELS.toLocaleString('en')} levels`,
	holds: 'every item comes out, the run ends, and its execution can be opened',
	attempts: DEEP.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, call, answer, values] of DEEP) {
			const peer = await stage.peer(answer);
			const seen = await runAgainst(stage, call, peer, { values });
			const out = seen.success.length + seen.failure.length;
			const isRight = out === values.length && seen.status === 'success';
			found.hold(
				isRight,
				`${what}: ${out} of ${values.length} items in a run that ends as ${seen.status} ${seen.error.slice(0, 100)}`,
			);
			const unread = seen.success.filter(({ json: item }) => item.odd !== undefined).length;
			found.hold(unread === 0, `${what}: ${unread} input items look done`);
		}
		return found.list;
	},
};

const NO_TOKENS: readonly unknown[] = [
	nested(LEVELS),
	[],
	'<h1>hello</h1>',
	`{"access_token":"${'t'.repeat(1_000_000)}","token_type":"Bearer"}`,
];

const deepToken: Cell = {
	tries: 'answers for a token that are no token: depth, a list, a page, a megabyte',
	holds: 'the item fails',
	attempts: NO_TOKENS.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const body of NO_TOKENS) {
			const peer = await stage.peer(friendly, json(200, body));
			const { success, failure, status } = await runAgainst(stage, GET_ACCOUNT, peer);
			const isRight = success.length === 0 && failure.length === 1;
			found.hold(isRight, `${shown(body, 40)}: ${success.length} done, ${failure.length} failed, ${status}`);
		}
		return found.list;
	},
};

const brokenToken: Cell = {
	tries: 'a token with a line break and a header behind it',
	holds: 'no header of its own is sent',
	attempts: 1,
	attack: async (stage) => {
		const token = { access_token: 'a\r\nx-evil: 1', token_type: 'Bearer', expires_in: 60 };
		const peer = await stage.peer(friendly, json(200, token));
		await runAgainst(stage, GET_ACCOUNT, peer);
		const evil = peer.calls().filter(({ headers }) => headers['x-evil'] !== undefined).length;
		return evil === 0 ? [] : [`${evil} requests with a header of its own`];
	},
};

const RETRY_AFTER: ReadonlyArray<[string, string]> = [
	['400 digits', '9'.repeat(400)],
	['1e400', '1e400'],
	['Infinity', 'Infinity'],
	['a date in the year 275760', 'Sat, 13 Sep 275760 00:00:00 GMT'],
];

const longWaits: Cell = {
	tries: 'Retry-After without end',
	holds: 'the item fails at once, in words that make sense',
	attempts: RETRY_AFTER.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, value] of RETRY_AFTER) {
			const peer = await stage.peer(json(429, {}, { 'retry-after': value }));
			const seen = await runAgainst(stage, GET_ACCOUNT, peer, { options: { maxRetries: 1 } });
			const words = String(seen.failure[0]?.json.error);
			found.hold(seen.failure.length === 1, `${what}: ${seen.failure.length} failures`);
			found.hold(!/Infinity|NaN|\d{12}/.test(words), `${what}: ${shown(words)}`);
		}
		return found.list;
	},
};

const pastWaits: Cell = {
	tries: 'Retry-After in the past',
	holds: 'it counts as none: the tries are not sent all at once',
	attempts: 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const value of [new Date(Date.now() - 3_600_000).toUTCString(), 'Thu, 01 Jan 1970 00:00:00 GMT']) {
			const peer = await stage.peer(json(503, {}, { 'retry-after': value }));
			await runAgainst(stage, GET_ACCOUNT, peer, { options: { maxRetries: 3 } });
			const times = peer.calls().map(({ at }) => at);
			const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
			// Three waits of at most 0.5, 1 and 2 s: one by one each may be short, all three together are not.
			found.hold(times.length === 4 && span >= 300, `${times.length} tries in ${span} ms`);
		}
		return found.list;
	},
};

/** What stands before a service may say when the work is done already. */
const PAGES_OF_503: ReadonlyArray<[string, Answer]> = [
	[
		'a page',
		(_received, response) =>
			void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503</h1>'),
	],
	['nothing', (_received, response) => void response.writeHead(503).end()],
	['an empty object', json(503, {})],
	['a list', json(503, [])],
	['words that are none of the service', json(503, { status: 'unhealthy' })],
	['broken JSON', json(503, '{"Message":')],
];

const gateways: Cell = {
	tries: 'a gateway that answers a creation with 503 after the work was done',
	holds: 'it is sent once, and its item says that the record may exist',
	attempts: PAGES_OF_503.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, answer] of PAGES_OF_503) {
			const peer = await stage.peer(afterFirst(1, answer, friendly));
			const { success, failure } = await runAgainst(stage, CREATE_BOND, peer, { options: { maxRetries: 3 } });
			const sent = peer.calls().length;
			const { effect } = (failure[0]?.json.failure ?? {}) as { effect?: string };
			found.hold(sent === 1 && success.length === 0, `${what}: sent ${sent} times`);
			found.hold(effect === 'unknown', `${what}: ${shown(effect)}`);
		}
		return found.list;
	},
};

const slow: Answer = (received, response) => void setTimeout(() => friendly(received, response), 3_000);

/** Stops a run of many items in the middle of it. */
async function stopInTheMiddle(stage: HostileStage, call: Call): Promise<string[]> {
	const peer = await stage.peer(slow);
	const credential = await stage.machineCredential(peer.url);
	const rows = Array.from({ length: 200 }, (_, n) => rowOf(`id-${n}`, n));
	const parameters = call.parameters({ concurrency: 4, maxRetries: 3 });
	const { execution } = await stage.start({ parameters, rows, credential });
	await until(() => peer.calls().length >= 4);
	const startedAt = Date.now();
	await stage.cancel(execution);
	const { status } = await stage.seen(execution);
	const ms = Date.now() - startedAt;
	const sent = peer.calls().length;
	await pause(4_000);
	const found = new Findings();
	found.hold(status === 'canceled' && ms < 2_500, `${call.name}: ${status} after ${ms} ms`);
	found.hold(peer.calls().length === sent, `${call.name}: ${peer.calls().length - sent} requests afterwards`);
	return found.list.slice(0, 1);
}

const cancelled: Cell = {
	tries: 'runs that are stopped while many requests wait for an answer',
	holds: 'they end at once, and nothing is sent afterwards',
	attempts: KINDS.length,
	attack: async (stage) =>
		(await Promise.all(KINDS.map(async (call) => await stopInTheMiddle(stage, call)))).flat(),
};

const changing: Cell = {
	tries: 'a service that forgets every token as soon as it was used',
	holds: 'no more tokens are fetched than requests were refused',
	attempts: 1,
	attack: async (stage) => {
		const peer = await stage.peer(afterFirst(1, friendly, json(401, {})));
		const values = Array.from({ length: 50 }, (_, n) => `id-${n}`);
		const seen = await runAgainst(stage, GET_ACCOUNT, peer, { values, options: { concurrency: 5 } });
		const found = new Findings();
		found.hold(seen.failure.length === 49, `${seen.failure.length} failures of 49`);
		found.hold(peer.tokens.length <= 10, `${peer.tokens.length} tokens were fetched`);
		return found.list.slice(0, 1);
	},
};

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean): Promise<void> {
	for (let tries = 0; tries < 600 && !isSo(); tries++) await pause(50);
}

export const answers: Area = {
	name: 'answers',
	cells: [
		redirects,
		tokenRedirects,
		tokenRedirectsWithForm,
		testRedirects,
		echoes,
		secretEchoes,
		bounds,
		numbers,
		depth,
		deepToken,
		brokenToken,
		longWaits,
		pastWaits,
		gateways,
		cancelled,
		changing,
	],
};
