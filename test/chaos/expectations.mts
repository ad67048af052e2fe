/**
 * What must come of a request that something happens to: the rules of the transport, written down from what the
 * package promises and from the service's document. Nothing here asks shipped code. docs/reliability.md repeats
 * this table for users, and a test holds the two together.
 */

/**
 * `read` one GET; `parts` an item made of several GETs; `change` a PUT that carries several items; `remove` a DELETE;
 * `create` a POST to the service; `redeem` a POST that spends a code or a token at the sign-on.
 */
export const KINDS = ['read', 'parts', 'change', 'remove', 'create', 'redeem'] as const;
export type Kind = (typeof KINDS)[number];

export type Verdict =
	/** Sent again. The item succeeds as soon as the fault has passed, and fails after the last retry. */
	| 'again'
	/** Sent once; the item fails. */
	| 'fails'
	/** Sent once; the item fails, and its message says that the work may be done all the same. */
	| 'uncertain'
	/** Sent again with a fresh token; the item fails when that is refused too. */
	| 'renewed'
	/** Updates that travelled together are sent in halves, until the refused ones stand alone. */
	| 'halved'
	/** Sent once; the item succeeds. */
	| 'succeeds'
	/** Sent once; nothing was found, and the option When Nothing Found says what becomes of the item. */
	| 'nothing';

/** Faults that are tried in one run: they need the same timeout, and their waits are of the same order. */
export type Family = 'refusals' | 'busy' | 'lost' | 'content';

export interface Expectation {
	fault: string;
	family: Family;
	/** The row of docs/reliability.md. */
	row: string;
	verdicts: Record<Kind, Verdict>;
	/** In the message of an item that fails for it. The sign-on has words of its own. */
	says: RegExp;
	/** Milliseconds that must lie between the first attempt and the second. */
	waitsFor?: number;
}

type Verdicts = [
	read: Verdict,
	parts: Verdict,
	change: Verdict,
	remove: Verdict,
	create: Verdict,
	redeem: Verdict,
];

const REFUSED: Verdicts = ['fails', 'fails', 'fails', 'fails', 'fails', 'fails'];
const BUSY: Verdicts = ['again', 'again', 'again', 'again', 'again', 'again'];
const LOST: Verdicts = ['again', 'again', 'again', 'again', 'uncertain', 'uncertain'];
const BROKEN: Verdicts = ['fails', 'fails', 'fails', 'fails', 'uncertain', 'uncertain'];

function expected(
	family: Family,
	fault: string,
	row: string,
	[read, parts, change, remove, create, redeem]: Verdicts,
	says: RegExp,
	waitsFor?: number,
): Expectation {
	const verdicts = { read, parts, change, remove, create, redeem };
	return { family, fault, row, verdicts, says, ...(waitsFor !== undefined && { waitsFor }) };
}

const status = (family: Family, row: string, verdicts: Verdicts, ...statuses: number[]): Expectation[] =>
	statuses.map((code) => expected(family, String(code), row, verdicts, new RegExp(`\\(${code}\\)`)));

const NOT_IN_TIME = 'No answer within the timeout';
const BROKEN_OFF = 'The connection breaks, before or after the work is done, or in the middle of the answer';
const GATEWAY = '502, 504 (a gateway lost the answer), with a page of the gateway or without';
const BUSY_ROW = '429; 503 with `Retry-After` or an error body of the service';
const OF_GATEWAY = '503 with neither, or with a web page: a gateway may answer so after the work';
const TOO_LONG = '`Retry-After` asks for more than 60 s';
const NO_WAIT =
	'429, or 503 with an error body, whose `Retry-After` makes no sense (negative, no number, past)';
const PAGE = '200 with a web page, such as that of a proxy';
const TEXT = '200 with text that is not JSON';
const NO_BODY = '200 or 204 without a body';

export const EXPECTATIONS: readonly Expectation[] = [
	...status('refusals', 'A redirect (301, 302, 307, 308)', REFUSED, 301, 302, 307, 308),
	...status('refusals', '400', ['fails', 'fails', 'halved', 'fails', 'fails', 'fails'], 400),
	...status('refusals', '401', ['renewed', 'renewed', 'renewed', 'renewed', 'renewed', 'fails'], 401),
	...status(
		'refusals',
		'Any other refusal (403, 404, 405, 408, 409, 410, 413, 415, 422, …)',
		REFUSED,
		...[403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 425, 451],
	),
	...status('refusals', '500, 501 and other 5xx', BROKEN, 500, 501),
	...status('busy', BUSY_ROW, BUSY, 429, 503),
	expected('busy', '503 page', OF_GATEWAY, LOST, /\(503\)/),
	expected('busy', '503 done', OF_GATEWAY, LOST, /\(503\)/),
	...status('busy', GATEWAY, LOST, 502, 504),
	expected('busy', '502 page', GATEWAY, LOST, /\(502\)/),
	expected('busy', '502 done', GATEWAY, LOST, /\(502\)/),
	expected('busy', '504 done', GATEWAY, LOST, /\(504\)/),
	expected('busy', 'after 1 s', '`Retry-After`, seconds or a date', BUSY, /\(429\)/, 1_000),
	expected('busy', 'after date', '`Retry-After`, seconds or a date', BUSY, /\(503\)/),
	expected('busy', 'after -5', NO_WAIT, BUSY, /\(429\)/),
	expected('busy', 'after junk', NO_WAIT, BUSY, /\(503\)/),
	expected('busy', 'after past', NO_WAIT, BUSY, /\(503\)/),
	expected('busy', 'after 61 s', TOO_LONG, REFUSED, /asks to wait 61 s/),
	expected('busy', 'after year', TOO_LONG, REFUSED, /asks to wait 365 days/),
	expected('busy', 'year date', TOO_LONG, REFUSED, /asks to wait 36[56] days/),
	expected('lost', 'slow', NOT_IN_TIME, LOST, /in time/),
	expected('lost', 'slow done', NOT_IN_TIME, LOST, /in time/),
	expected('lost', 'reset', BROKEN_OFF, LOST, /connection .*(ended|broke)/),
	expected('lost', 'reset done', BROKEN_OFF, LOST, /connection .*(ended|broke)/),
	expected('lost', 'cut', BROKEN_OFF, LOST, /connection .*(ended|broke)/),
	...['page 200', 'page 200 done'].map((fault) =>
		expected('content', fault, PAGE, BROKEN, /not JSON|web page/),
	),
	expected(
		'content',
		'words 200',
		TEXT,
		['fails', 'fails', 'succeeds', 'succeeds', 'succeeds', 'uncertain'],
		/not JSON/,
	),
	...['empty 200', '204'].map((fault) =>
		expected(
			'content',
			fault,
			NO_BODY,
			['nothing', 'succeeds', 'succeeds', 'succeeds', 'succeeds', 'uncertain'],
			/finds nothing/,
		),
	),
	expected(
		'content',
		'wrong type',
		'JSON under another content type',
		['succeeds', 'succeeds', 'succeeds', 'succeeds', 'succeeds', 'succeeds'],
		/./,
	),
];

/** What happens to a whole run, by the column of the matrix: in the words of docs/reliability.md. */
export const PROMISES_OF_RUNS: Record<string, { what: string; promise: string }> = {
	'token expires every 10th': {
		what: 'The service takes tokens back in the middle of the run',
		promise: 'New ones are fetched, and every item is done once.',
	},
	'token endpoint down 5 s': {
		what: 'The sign-on gives no tokens for some seconds',
		promise: 'The run waits. Nothing is sent without a token, then every item is done once.',
	},
	'token endpoint down': {
		what: 'The sign-on gives no tokens at all',
		promise: 'Every item fails and names the sign-on. Nothing was sent.',
	},
	'refused 2 s': {
		what: 'The service refuses connections for some seconds',
		promise: 'The run waits, then every item is done once.',
	},
	refused: {
		what: 'Nothing listens at the address',
		promise: 'Every item fails and names the address. Nothing was sent.',
	},
	'reset unread': {
		what: 'Connections are taken and closed unread',
		promise:
			'Lookups, updates and deletions are tried again, then the items fail. Creations are sent once, fail, and say that the record may exist.',
	},
	'stop at 500': {
		what: 'An item fails, and **On Error** is *Stop Workflow*',
		promise: 'The run ends as failed and names the item. Nothing is begun after it.',
	},
	'Retry On Fail': {
		what: 'An item fails, and **Retry On Fail** of n8n is on',
		promise: 'n8n runs the node again with all items: what was created before is sent a second time.',
	},
	cancelled: {
		what: 'You stop the run in the editor',
		promise: 'It ends within a second or so, and nothing is sent after that.',
	},
	SIGTERM: {
		what: 'n8n is stopped (SIGTERM), and the run ends within 30 s',
		promise: 'n8n waits for it: every item is done once, and the run is complete.',
	},
	'SIGTERM, too long': {
		what: 'n8n is stopped, and the run takes longer than n8n waits',
		promise:
			'The run is cut, shown as *Error*, and does not go on by itself. A second run from its start does the rest.',
	},
	SIGKILL: {
		what: 'n8n is killed',
		promise:
			'The same. With *Save execution progress* on in the settings of the workflow, **Retry execution** does the rest.',
	},
};

interface PromiseOfRosters {
	what: string;
	promise: string;
	/** What a person does then. */
	todo: string;
}

/** What happens to the run of a roster when the service fails: in the words of docs/reliability.md. */
export const PROMISES_OF_ROSTERS = {
	busy: {
		what: 'The service has too much to do (429, 503)',
		promise: 'The run slows down. Every change is done once.',
		todo: 'Nothing.',
	},
	away: {
		what: 'The service is away in the middle, for less than two minutes',
		promise:
			'The run waits and goes on. A creation whose answer was cut is `uncertain`: bonds that need it are sent, a student who needs it is `blocked`.',
		todo: 'Settle what is `uncertain`.',
	},
	gone: {
		what: 'The service goes and does not come back',
		promise:
			'After two minutes without any answer changes are `failed`; after 100 of them in a row nothing more is sent, and the run ends as `unfinished`.',
		todo: 'Start it when the service is back, or wait for the night.',
	},
	lost: {
		what: 'The service answers 500, or an answer is lost on its way, whether the work was done or not',
		promise:
			'The creation is `uncertain`, and is not sent again unseen; every night tells it. A removal is sent again, except of lists.',
		todo: 'Settle what is `uncertain`.',
	},
	refused: {
		what: 'The service refuses some records, such as a responsible person',
		promise: 'They are `failed`. What needs them is `blocked` and not sent. All others are done.',
		todo: 'Look at *Needs Attention*: it has the words of the service, the file and the line. All of it that the export has is tried the next night; what is refused again, [less and less often](roster.md#every-night), and at once when its values change.',
	},
	forbidden: {
		what: 'The service forbids all of one school (403)',
		promise: 'Where 50 of a kind were refused, the rest of them is left out. The other schools go on.',
		todo: 'Ask the operator.',
	},
	token: {
		what: 'The service takes tokens back in the middle',
		promise: 'New ones are fetched. Every change is done once.',
		todo: 'Nothing.',
	},
	noToken: {
		what: 'The sign-on gives no tokens any more',
		promise: 'What is left is `failed` or `not tried`. Nothing is sent without a token.',
		todo: 'Correct the credential, and start again.',
	},
} satisfies Record<string, PromiseOfRosters>;

/** What comes of a roster that cannot be right. Tried in the whole workflow (test/e2e/examples/badNights.test.mts). */
export const HOLDS_OF_ROSTERS = {
	export: {
		what: 'The export is empty or cut, without one of its files, without schools or users, or no export at all',
		promise: 'The run stops. Nothing is sent, no row is written, and the error workflow is told why.',
		todo: 'Have it exported again, and start again.',
	},
	ledger: {
		what: 'The ledger has lost rows, or is empty',
		promise: 'Everything is held, and nothing is sent.',
		todo: '[Restore it](ledger.md#when-it-is-lost-or-old).',
	},
	otherSchool: {
		what: "A school's part of the export is that of another school",
		promise: 'That school is held: nobody of it is created or loses a class. The other schools go on.',
		todo: 'Nothing, when the next export is right. Where it was right already, [approve it](roster.md#what-is-held).',
	},
	manyGone: {
		what: 'Many are gone in one school at once',
		promise:
			'That school is held: nobody loses a class. The other schools go on, unless it is too much for all schools together.',
		todo: 'The same.',
	},
} satisfies Record<string, PromiseOfRosters>;

/** A request is retried so often by every run of the matrix. */
export const MAX_RETRIES = 2;

/**
 * With the token it was refused with first, with one that another item has fetched meanwhile, and with two fresh ones: then it is
 * the service that does not want it.
 */
const RENEWED = { atLeast: 2, atMost: 4 };

/** Two updates that travel together: both, then each alone. */
const HALVED = { atLeast: 3, atMost: 3 };

const times = (count: number) => ({ atLeast: count, atMost: count });

/** `once`: the fault strikes the first request of an item only. `always`: every one. */
export type Variation = 'once' | 'always';

/** How often the request of an item must arrive at the service. */
export function arrivalsOf(verdict: Verdict, variation: Variation): { atLeast: number; atMost: number } {
	switch (verdict) {
		case 'again':
			// The first refusal may have been a pause of the whole run, which spends no retry.
			return variation === 'once' ? times(2) : { atLeast: 1 + MAX_RETRIES, atMost: 2 + MAX_RETRIES };
		case 'renewed':
			return variation === 'once' ? times(2) : RENEWED;
		case 'halved':
			return HALVED;
		case 'fails':
		case 'uncertain':
		case 'succeeds':
		case 'nothing':
			return times(1);
	}
}

/** Where an item must come out. `nothing`: on the failure output, because the runs here ask for that. */
export function outcomeOf(verdict: Verdict, variation: Variation): 'success' | 'failure' {
	const passes = verdict === 'again' || verdict === 'renewed' || verdict === 'halved';
	return verdict === 'succeeds' || (passes && variation === 'once') ? 'success' : 'failure';
}

/** How a message says that the work may be done although the item failed. */
export const SAYS_UNCERTAIN: Record<Kind, RegExp> = {
	read: /./,
	parts: /./,
	change: /./,
	remove: /./,
	create: /may exist/,
	redeem: /may count as used|may have to log in again/,
};

/**
 * The longest that one request may take with all its repetitions, in milliseconds: every attempt runs into the
 * timeout, and between attempts lies the longest wait (README: 0.5 s, then 1 s, 2 s, …, or what Retry-After says).
 */
export function longestRequest(timeoutMs: number, maxRetries: number, longestRetryAfterMs = 0): number {
	let whole = timeoutMs;
	for (let retry = 0; retry < maxRetries; retry++) {
		whole += Math.max(500 * 2 ** retry, longestRetryAfterMs) + timeoutMs;
	}
	return whole;
}
