/** A service that answers what it should not: redirects, echoes, numbers, depth, and more words than anybody reads. */
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import {
	afterFirst,
	friendly,
	json,
	nested,
	redirect,
	TOKEN_PATH,
	type Answer,
	type Peer,
	type Received,
} from '../peers/servicePeer.mts';
import type { HostileStage, Seen } from '../stage.mts';

import { CREATE_BOND, GET_ACCOUNT, rowOf, UPDATE_ACCOUNT, type Call } from './calls.mts';

const REDIRECTS = [301, 302, 303, 307, 308];
const KINDS: readonly Call[] = [GET_ACCOUNT, UPDATE_ACCOUNT, CREATE_BOND];

async function runAgainst(
	stage: HostileStage,
	call: Call,
	peer: Peer,
	{ options = {}, values = ['one'] }: { options?: object; values?: string[] } = {},
): Promise<Seen> {
	const credential = await stage.machineCredential(peer.url);
	return await stage.run({ parameters: call.parameters(options), rows: values.map(rowOf), credential });
}

const redirects: Cell = {
	tries: 'redirects of the service to another address, for lookups, updates and creations',
	holds: 'nothing goes there, and the item fails',
	attempts: REDIRECTS.length * KINDS.length,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly);
		const found = new Findings();
		for (const call of KINDS) {
			for (const status of REDIRECTS) {
				const before = elsewhere.received.length;
				const peer = await stage.peer(redirect(status, `${elsewhere.url}/elsewhere`));
				const seen = await runAgainst(stage, call, peer);
				const followed = elsewhere.received.length - before;
				found.hold(followed === 0, `${call.name}, ${status}: ${followed} requests went to the other address`);
				found.hold(seen.failure.length === 1, `${call.name}, ${status}: ${seen.failure.length} failures`);
			}
		}
		return found.list;
	},
};

const tokenRedirects: Cell = {
	tries: 'redirects of the sign-on when a token is fetched, for a run and for the Test of the credential',
	holds: 'neither the form nor the client secret goes to the other address',
	attempts: REDIRECTS.length * 2,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly, json(200, { access_token: 'elsewhere', expires_in: 60 }));
		const found = new Findings();
		for (const status of REDIRECTS) {
			const peer = await stage.peer(friendly, redirect(status, `${elsewhere.url}${TOKEN_PATH}`));
			const credential = await stage.machineCredential(peer.url);
			const leaks = () => elsewhere.received.filter(({ body }) => body !== '').length;
			const before = leaks();
			await stage.run({ parameters: GET_ACCOUNT.parameters(), rows: [rowOf('one', 0)], credential });
			const byRun = leaks() - before;
			found.hold(byRun === 0, `${status}: the run sends ${byRun} forms to the other address`);
			await stage.test(credential).catch(() => undefined);
			const byTest = leaks() - before - byRun;
			found.hold(byTest === 0, `${status}: the test sends ${byTest} forms to the other address`);
		}
		return found.list;
	},
};

const testRedirects: Cell = {
	tries: 'redirects of the service when a credential is tested',
	holds: 'no token goes to the other address',
	attempts: REDIRECTS.length,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly);
		const found = new Findings();
		for (const status of REDIRECTS) {
			const peer = await stage.peer(redirect(status, `${elsewhere.url}/elsewhere`));
			const credential = await stage.machineCredential(peer.url);
			await stage.test(credential).catch(() => undefined);
			const withToken = elsewhere.received.filter(
				({ headers }) => headers.authorization !== undefined,
			).length;
			found.hold(withToken === 0, `${status}: ${withToken} tokens went to the other address`);
			elsewhere.received.splice(0);
		}
		return found.list;
	},
};

const tokenOf = ({ headers }: Received): string => String(headers.authorization).replace(/^\w+ /, '');
const error = (message: string) => ({ Errors: [{ Code: 'ECHO-0001', Message: message }] });

const ECHOES: ReadonlyArray<[string, Answer]> = [
	[
		'a message',
		(received, response) => json(400, error(`Bad token ${tokenOf(received)}.`))(received, response),
	],
	[
		'a code',
		(received, response) =>
			json(409, { Error: { Code: tokenOf(received), Message: 'x' } })(received, response),
	],
	[
		'a property',
		(received, response) =>
			json(409, {
				Error: {
					Code: 'FLU001',
					Message: 'x',
					ErrorProperties: [{ PropertyName: tokenOf(received), ErrorMessage: tokenOf(received) }],
				},
			})(received, response),
	],
	[
		'all headers',
		(received, response) => json(403, error(JSON.stringify(received.headers)))(received, response),
	],
	[
		'a page',
		(received, response) =>
			json(403, `<p>${tokenOf(received)}</p>`, { 'content-type': 'text/html' })(received, response),
	],
	[
		'text',
		(received, response) =>
			json(422, `No: ${tokenOf(received)}`, { 'content-type': 'text/plain' })(received, response),
	],
	['the status line', (received, response) => void response.writeHead(403, `No ${tokenOf(received)}`).end()],
	[
		'a header',
		(received, response) => json(429, {}, { 'retry-after': tokenOf(received) })(received, response),
	],
	[
		'an address',
		(received, response) =>
			redirect(302, `http://127.0.0.1:9/?token=${tokenOf(received)}`)(received, response),
	],
	[
		'a refused token',
		(received, response) => json(401, error(`Expired: ${tokenOf(received)}`))(received, response),
	],
	[
		'a page for an answer',
		(received, response) =>
			json(200, `<p>${tokenOf(received)}</p>`, { 'content-type': 'text/html' })(received, response),
	],
	[
		'half of its letters escaped',
		(received, response) => json(400, error(encodeURIComponent(tokenOf(received))))(received, response),
	],
];

const echoes: Cell = {
	tries: 'a service that sends the token back in a refusal',
	holds: 'it stands neither in the failure nor in the execution',
	attempts: ECHOES.length * 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, answer] of ECHOES) {
			for (const call of [GET_ACCOUNT, CREATE_BOND]) {
				const peer = await stage.peer(answer);
				const seen = await runAgainst(stage, call, peer);
				const struck = peer.tokens.every((token) => !seen.text.includes(token));
				found.hold(
					struck && peer.tokens.length > 0,
					`${call.name}, ${what}: the token stands in the execution`,
				);
			}
		}
		return found.list;
	},
};

const form = ({ body }: Received) => new URLSearchParams(body).get('client_secret') ?? '';
const SECRET_ECHOES: ReadonlyArray<[string, Answer]> = [
	[
		'a description',
		(received, response) =>
			json(401, { error: 'invalid_client', error_description: `wrong: ${form(received)}` })(
				received,
				response,
			),
	],
	['a code', (received, response) => json(400, { error: form(received) })(received, response)],
	[
		'the whole form',
		(received, response) => json(400, received.body, { 'content-type': 'text/plain' })(received, response),
	],
	[
		'a page',
		(received, response) =>
			json(500, `<p>${received.body}</p>`, { 'content-type': 'text/html' })(received, response),
	],
];

const secretEchoes: Cell = {
	tries: 'a sign-on that sends the client secret back',
	holds: 'it stands neither in the failure nor in the execution',
	attempts: SECRET_ECHOES.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, answer] of SECRET_ECHOES) {
			const peer = await stage.peer(friendly, answer);
			const clientSecret = stage.newSecret('an echoed client secret');
			const credential = await stage.machineCredential(peer.url, { clientSecret });
			const rows = [rowOf('one', 0)];
			const seen = await stage.run({ parameters: GET_ACCOUNT.parameters(), rows, credential });
			found.hold(!seen.text.includes(clientSecret), `${what}: the client secret stands in the execution`);
			found.hold(seen.failure.length === 1, `${what}: ${seen.failure.length} failures`);
		}
		return found.list;
	},
};

const many = 20_000;
const long = 'w'.repeat(1_000_000);
const TOO_MUCH: ReadonlyArray<[string, unknown, number?]> = [
	[
		'20,000 properties',
		{
			Error: {
				Code: 'FLU001',
				Message: 'm',
				ErrorProperties: Array.from({ length: many }, (_, n) => ({
					PropertyName: `name-${n}`,
					ErrorMessage: 'm'.repeat(400),
				})),
			},
		},
	],
	[
		'20,000 refusals',
		{ Errors: Array.from({ length: many }, (_, n) => ({ Code: `X-${n}`, Message: 'm'.repeat(200) })) },
	],
	['a message of 1 MB', error(long)],
	['a code of 1 MB', { Errors: [{ Code: long, Message: 'm' }] }],
	[
		'a property of 1 MB',
		{ Error: { Code: 'F', Message: 'm', ErrorProperties: [{ PropertyName: long, ErrorMessage: long }] } },
	],
	['a page of 1 MB', `<h1>${long}</h1>`],
	['1 MB of text', long],
	['a message of half emojis', error('\ud800'.repeat(5_000))],
	['a page of 1 MB for an answer', `<h1>${long}</h1>`, 200],
];

/** Own words and the 500 characters of the service that SECURITY.md promises. */
const LONGEST_WORDS = 2_000;
/** The failure as data beside them. */
const LONGEST_FAILURE = 20_000;

const bounds: Cell = {
	tries: 'refusals of megabytes',
	holds: 'the message has at most 500 characters of the service, and the failed item is small',
	attempts: TOO_MUCH.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, body, status = 409] of TOO_MUCH) {
			const peer = await stage.peer(json(status, body));
			const { failure } = await runAgainst(stage, CREATE_BOND, peer);
			const { error: words, ...rest } = failure[0]?.json ?? {};
			found.hold(failure.length === 1, `${what}: ${failure.length} failures`);
			found.hold(
				String(words).length <= LONGEST_WORDS,
				`${what}: a message of ${String(words).length} characters`,
			);
			const size = JSON.stringify(rest).length;
			found.hold(size <= LONGEST_FAILURE, `${what}: an item of ${size} characters`);
		}
		return found.list;
	},
};

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
		cancelled,
		changing,
	],
};
