/** Refusals that say what they should not, or more than anybody reads. */
import { Findings, type Cell } from '../cell.mts';
import { friendly, json, redirect, type Answer, type Received } from '../peers/servicePeer.mts';

import { runAgainst } from './against.mts';
import { CREATE_BOND, GET_ACCOUNT, rowOf } from './calls.mts';

const tokenOf = ({ headers }: Received): string => String(headers.authorization).replace(/^\w+ /, '');
const error = (message: string) => ({ Errors: [{ Code: 'ECHO-0001', Message: message }] });

/** An answer that is made of what came. */
const madeOf =
	(answer: (received: Received) => Answer): Answer =>
	(received, response) =>
		answer(received)(received, response);
const withToken = (answer: (token: string) => Answer): Answer =>
	madeOf((received) => answer(tokenOf(received)));
const [PAGE, TEXT] = ['html', 'plain'].map((type) => ({ 'content-type': `text/${type}` }));

const ECHOES: ReadonlyArray<[string, Answer]> = [
	['a message', withToken((token) => json(400, error(`Bad token ${token}.`)))],
	['a code', withToken((token) => json(409, { Error: { Code: token, Message: 'x' } }))],
	[
		'a property',
		withToken((token) => {
			const ErrorProperties = [{ PropertyName: token, ErrorMessage: token }];
			return json(409, { Error: { Code: 'FLU001', Message: 'x', ErrorProperties } });
		}),
	],
	['all headers', madeOf(({ headers }) => json(403, error(JSON.stringify(headers))))],
	['a page', withToken((token) => json(403, `<p>${token}</p>`, PAGE))],
	['text', withToken((token) => json(422, `No: ${token}`, TEXT))],
	['the status line', (received, response) => void response.writeHead(403, `No ${tokenOf(received)}`).end()],
	['a header', withToken((token) => json(429, {}, { 'retry-after': token }))],
	['an address', withToken((token) => redirect(302, `http://127.0.0.1:9/?token=${token}`))],
	['a refused token', withToken((token) => json(401, error(`Expired: ${token}`)))],
	['a page for an answer', withToken((token) => json(200, `<p>${token}</p>`, PAGE))],
	['half of its letters escaped', withToken((token) => json(400, error(encodeURIComponent(token))))],
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
		madeOf((received) =>
			json(401, { error: 'invalid_client', error_description: `wrong: ${form(received)}` }),
		),
	],
	['a code', madeOf((received) => json(400, { error: form(received) }))],
	['the whole form', madeOf(({ body }) => json(400, body, TEXT))],
	['a page', madeOf(({ body }) => json(500, `<p>${body}</p>`, PAGE))],
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
