import {
	pageInstead,
	refusedByStatus,
	refusedByTrouble,
	refusedForLong,
	unreadableAnswer,
} from '../../../nodes/shared/transport/requestFailure.ts';
import { SERVICE, SIGN_ON } from '../../../nodes/shared/transport/requestWords.ts';
import { targetOf, type Method, type Reply } from '../../../nodes/shared/transport/request.ts';
import type { Trouble } from '../../../nodes/shared/transport/trouble.ts';

const NOW = Date.parse('2026-03-09T12:30:00Z');
const ORIGIN = 'https://api.school-partner.example';

const request = (method: Method, peer = SERVICE) => ({ method, path: '/x', url: `${ORIGIN}/x`, peer });
const reply = (status: number, body: unknown = '', headers = {}): Reply => ({
	status,
	headers,
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** n8n's rule for messages: what happened, without blaming; the next step stands in the next. */
const BLAMING = /\b(error|problem|failure|mistake)/i;
const statuses = [
	300, 301, 302, 304, 307, 400, 401, 403, 404, 405, 407, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503,
	504,
];
const troubles: Trouble[] = [
	'refused',
	'unresolved',
	'timeout',
	'broken',
	'untrusted',
	'invalidAddress',
	'blocked',
	'oversized',
	'cancelled',
];
const methods: Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

test('407 is told of the proxy that answers so, and not of the service', () => {
	const failure = refusedByStatus(request('POST'), reply(407), NOW);
	expect(failure).toMatchObject({ origin: 'network', status: 407 });
	expect(`${failure.message} ${failure.next}`).toMatch(/proxy.*\(407\).*HTTPS_PROXY/s);
});

describe('Every way in which a request may fail', () => {
	const failures = methods.flatMap((method) => [
		...statuses.map((status) => refusedByStatus(request(method), reply(status), NOW)),
		...troubles.map((trouble) => refusedByTrouble(request(method), trouble)),
		...statuses.map((status) => refusedByStatus(request(method, SIGN_ON), reply(status), NOW)),
		...troubles.map((trouble) => refusedByTrouble(request(method, SIGN_ON), trouble)),
		refusedForLong({ peer: SERVICE }, reply(429), 3_600_000),
		unreadableAnswer(reply(200), 'The answer of the service is not JSON (200)'),
		pageInstead(reply(200), true),
		pageInstead(reply(200), false),
	]);

	test('says what happened and what to do, in whole words', () => {
		for (const { message, next } of failures) {
			expect(message).toMatch(/^(n8n|[A-Z]).*[^.]$/);
			expect(next).toMatch(/^[A-Z].*\.$/s);
			expect(message).not.toMatch(BLAMING);
		}
	});

	test('never sends the whole workflow again: other items of the run are done', () => {
		for (const { next } of failures) expect(next).not.toMatch(/run the workflow/i);
	});

	test('names the status that came back', () => {
		for (const status of statuses) {
			expect(refusedByStatus(request('GET'), reply(status), NOW)).toMatchObject({
				status,
				message: expect.stringContaining(`(${status})`) as string,
			});
		}
	});
});

describe("The service's own words stand in the message", () => {
	const said = (body: unknown) => {
		const { message, next } = refusedByStatus(request('GET'), reply(400, body), NOW);
		return [message, next.split('\n')];
	};

	test.each([
		['there is no body', ''],
		['the body is a page', '<html>a page</html>'],
		['the body is empty JSON', {}],
	])('or what to check instead, when %s', (_what, body) => {
		expect(said(body)).toEqual([
			'The service refuses the data (400)',
			[
				'The service does not say which value. Check every value of this item against the field tables in the documentation of this node, and that the ids in it exist.',
			],
		]);
	});

	test('a code or a finding for a field alone is something that it names', () => {
		for (const body of [
			{ Code: 'USR001' },
			{ Error: { ErrorProperties: [{ PropertyName: 'tenant_id', ErrorMessage: 'Required.' }] } },
		]) {
			expect(said(body)[1]).toContain('Correct the values that the service names and run the item again.');
		}
	});
});

test('409 is a conflict of what is written; a lookup has none: its parameters are wrong, as the document says', () => {
	const words = (method: Method, body?: unknown) => refusedByStatus(request(method), reply(409, body), NOW);
	const said = { Code: 'X', Message: 'No.' };
	expect(words('GET', said)).toMatchObject({
		message: 'The service finds wrong parameters in the request (409): X: No.',
		next: 'Correct the values that the service names and run the item again.',
	});
	expect(words('GET').next).toMatch(/^The service does not say which value\. Check every value/);
	expect(words('POST', said)).toMatchObject({
		message: 'The service refuses the request because it conflicts with its data (409): X: No.',
		next: 'Correct the values that the service names and run the item again. Where it is only that the record exists already, a creation may let that pass: When It Exists Already in its options.',
	});
	const status = { ...request('POST'), url: 'https://api.example/enrollment/v1/schools/s/courses/c/status' };
	expect(refusedByStatus(status, reply(409, said), NOW).next).toBe(
		'Correct the values that the service names and run the item again.',
	);
	expect(words('POST').next).toMatch(
		/^The service does not say which value\. Check every value.*exists already/s,
	);
	for (const method of ['PUT', 'DELETE'] as const) {
		expect(words(method, said).message).toBe(
			'The service refuses the request because it conflicts with its data (409): X: No.',
		);
		for (const body of [said, undefined]) expect(words(method, body).next).not.toContain('exists already');
	}
});

describe('Whether a record may exist', () => {
	const words = (failure: { message: string; next: string }) => `${failure.message}\n${failure.next}`;

	test.each([500, 502, 504])('is said of a creation that ends with %d, and of nothing else', (status) => {
		for (const method of methods) {
			const text = words(refusedByStatus(request(method), reply(status), NOW));
			expect([method, text.includes('may exist')]).toEqual([method, method === 'POST']);
		}
	});

	test.each(troubles)('is said of a creation exactly when it may have arrived: %s', (trouble) => {
		for (const method of methods) {
			const uncertain =
				method === 'POST' && ['timeout', 'broken', 'oversized', 'cancelled'].includes(trouble);
			const text = words(refusedByTrouble(request(method), trouble));
			expect([method, text.includes('may exist')]).toEqual([method, uncertain]);
		}
	});

	test('is said of a creation that ends with 503 only when the user takes 503 for an answer after the work', () => {
		const text = (distrusts503: boolean) =>
			words(refusedByStatus({ ...request('POST'), distrusts503 }, reply(503), NOW)).includes('may exist');
		expect([text(true), text(false)]).toEqual([true, false]);
	});

	test('is not said of a creation that was refused', () => {
		for (const status of [400, 401, 403, 404, 409, 422, 429, 503]) {
			expect(words(refusedByStatus(request('POST'), reply(status), NOW))).not.toContain('may exist');
		}
	});

	test('is said of a web page that answers a creation, and not of one that answers another write or of a lookup that cannot be read', () => {
		expect(words(pageInstead(reply(200), true))).toContain('may exist');
		expect(words(pageInstead(reply(200), false))).not.toContain('may exist');
		expect(words(unreadableAnswer(reply(200), 'Odd'))).not.toContain('may exist');
	});
});

test('What the sign-on does is told of the sign-on, and names the field of its address', () => {
	const told = JSON.stringify([
		...statuses.map((status) => refusedByStatus(request('GET', SIGN_ON), reply(status), NOW)),
		...troubles.map((trouble) => refusedByTrouble(request('GET', SIGN_ON), trouble)),
		refusedForLong({ peer: SIGN_ON }, reply(429), 90_000),
	]);
	expect(told).not.toMatch(/The service |Base URL/);
	expect(told).toContain('Issuer URL');
});

test('Who is to wait for longer than a code lives is told of a new login', () => {
	const mayBeSpent = 'A code may count as used.';
	const next = (waitMs: number) => refusedForLong({ peer: SIGN_ON, mayBeSpent }, reply(429), waitMs).next;
	expect(next(600_000)).toBe(
		'Run the item again after that time. A code is too old by then: who came with one has to log in again.',
	);
	expect(next(90_000)).not.toContain('log in');
	expect(refusedForLong({ peer: SIGN_ON }, reply(429), 600_000).next).not.toContain('log in');
});

test('A password that stands in an address is not named', () => {
	const url = 'http://bob:hunter2@127.0.0.1:1/x';
	for (const trouble of troubles) {
		for (const peer of [SERVICE, SIGN_ON]) {
			const failure = refusedByTrouble({ ...request('GET', peer), url }, trouble);
			expect(JSON.stringify(failure)).not.toContain('hunter2');
		}
	}
});

test('A failure says how long a busy service asks to wait', () => {
	const busy = reply(429, '', { 'retry-after': '7' });
	const refused = refusedByStatus(request('GET'), busy, NOW);
	expect(refused.retryAfterSeconds).toBe(7);
	const forLong = refusedForLong({ peer: SERVICE }, reply(503), 90_000);
	expect(forLong.retryAfterSeconds).toBe(90);
	expect(forLong.message).toBe('The service asks to wait 90 s before the next request');
});

test('The query of a request is escaped, and its order and repetitions are kept', () => {
	const query: Array<[string, string]> = [
		['a b', 'c&d=e'],
		['a b', 'é/?#+'],
		['empty', ''],
	];
	expect(targetOf({ method: 'GET', path: '/x', query })).toBe(
		'/x?a%20b=c%26d%3De&a%20b=%C3%A9%2F%3F%23%2B&empty=',
	);
	expect(targetOf({ method: 'GET', path: '/x', query: {} })).toBe('/x');
	expect(targetOf({ method: 'GET', path: '/x', query: { id: '1' } })).toBe('/x?id=1');
	expect(targetOf({ method: 'GET', path: '/x' })).toBe('/x');
});
