/** Refusals that say what they should not, or more than anybody reads. */
import { Findings, type Cell } from '../cell.mts';
import { friendly, json, redirect, type Answer, type Received } from '../peers/servicePeer.mts';

import { runAgainst } from './against.mts';
import { CREATE_BOND, GET_ACCOUNT, rowOf } from './calls.mts';

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

export const echoes: Cell = {
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

export const secretEchoes: Cell = {
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
	['a page of 1 MB for an answer', `<!doctype html><h1>${long}</h1>`, 200],
];

/** What SECURITY.md promises: 500 characters of the service beside our own words, and 20 findings of 300 on lines of their own. */
const LONGEST_LINE = 1_000;
const LONGEST_FINDING = 310;
const MOST_FINDINGS = 20;
/** Lines of our own: what happened, how many findings there are more, what to do. */
const OWN_LINES = 4;

/** Why the words say more than they may; '' when they do not. */
function excess(words: string): string {
	const lengths = words.split('\n').map(({ length }) => length);
	const long = lengths.filter((length) => length > LONGEST_FINDING).length;
	const isShort =
		lengths.length <= MOST_FINDINGS + OWN_LINES && long <= OWN_LINES && Math.max(...lengths) <= LONGEST_LINE;
	return isShort ? '' : `${lengths.length} lines of ${Math.max(...lengths)} characters and less`;
}
/** The failure as data beside them. */
const LONGEST_FAILURE = 20_000;

export const bounds: Cell = {
	tries: 'refusals of megabytes',
	holds:
		'the message has at most 500 characters of the service and 20 findings of 300, and the failed item is small',
	attempts: TOO_MUCH.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, body, status = 409] of TOO_MUCH) {
			const peer = await stage.peer(json(status, body));
			const { failure } = await runAgainst(stage, CREATE_BOND, peer);
			const { error: words, ...rest } = failure[0]?.json ?? {};
			found.hold(failure.length === 1, `${what}: ${failure.length} failures`);
			const tooMuch = excess(String(words));
			found.hold(tooMuch === '', `${what}: ${tooMuch}`);
			const size = JSON.stringify(rest).length;
			found.hold(size <= LONGEST_FAILURE, `${what}: an item of ${size} characters`);
		}
		return found.list;
	},
};
