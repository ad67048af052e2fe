import type { Attempt } from '../../../nodes/shared/transport/attempt.ts';
import type { Method } from '../../../nodes/shared/transport/request.ts';
import { nextStep, type RetryPolicy } from '../../../nodes/shared/transport/retry.ts';
import type { Trouble } from '../../../nodes/shared/transport/trouble.ts';

const NOW = Date.parse('2026-03-09T12:30:00Z');

const answered = (status: number, retryAfter?: unknown, text = ''): Attempt => ({
	kind: 'answered',
	reply: { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, text },
});
/** In the words of the service: the enrollment area's 500, for example. */
const OF_THE_SERVICE = '{"Errors":[{"Code":503,"Message":"Busy"}]}';
const PAGE = '<!doctype html><html><body>503 Service Temporarily Unavailable</body></html>';
const lost = (trouble: Trouble): Attempt => ({ kind: 'lost', trouble });
const unsigned = (lasting: boolean): Attempt => ({
	kind: 'unsigned',
	reason: { lasting, failure: { origin: 'signOn', effect: 'none', message: '', next: '' } },
});

const retries = (maxRetries: number, change: Partial<RetryPolicy> = {}): RetryPolicy => ({
	timeoutMs: 30_000,
	maxRetries,
	...change,
});

/** What comes after a first attempt of four. */
const afterFirst = (method: Method, attempt: Attempt) => nextStep(method, 0, attempt, retries(3), NOW, 0.5);

const safe: Method[] = ['GET', 'PUT', 'DELETE'];
const all: Method[] = [...safe, 'POST'];

describe('Every request is sent again', () => {
	test.each([
		['429', answered(429)],
		['503 with Retry-After', answered(503, '1')],
		['503 in the words of the service', answered(503, undefined, OF_THE_SERVICE)],
		['a connection that was refused', lost('refused')],
		['a name that was not resolved', lost('unresolved')],
		['a token that cannot be had at the moment', unsigned(false)],
	])('after %s', (_what, attempt) => {
		for (const method of all) expect([method, afterFirst(method, attempt).step]).toEqual([method, 'again']);
	});
});

describe('A lookup, an update and a deletion are sent again, a creation is not,', () => {
	test.each([
		['502', answered(502)],
		['504', answered(504)],
		['503 without a word', answered(503)],
		['503 with a Retry-After that names no wait', answered(503, 'soon')],
		['503 with a page', answered(503, undefined, PAGE)],
		['503 with a page and Retry-After, as a gateway has it', answered(503, '5', PAGE)],
		['a timeout', lost('timeout')],
		['a connection that broke', lost('broken')],
	])('after %s', (_what, attempt) => {
		for (const method of safe) expect([method, afterFirst(method, attempt).step]).toEqual([method, 'again']);
		expect(afterFirst('POST', attempt)).toEqual({ step: 'done' });
	});
});

describe('No request is sent again', () => {
	test.each([
		...[200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 408, 409, 410, 413, 422, 425, 500, 501, 505].map(
			(status): [string, Attempt] => [String(status), answered(status)],
		),
		...(['untrusted', 'invalidAddress', 'blocked', 'cancelled'] as const).map(
			(trouble): [string, Attempt] => [trouble, lost(trouble)],
		),
		['a secret that is refused', unsigned(true)] as [string, Attempt],
	])('after %s', (_what, attempt) => {
		for (const method of all) expect([method, afterFirst(method, attempt).step]).toEqual([method, 'done']);
	});
});

describe('The number of retries', () => {
	test('is what the options say', () => {
		const steps = [0, 1, 2, 3, 4].map(
			(attempt) => nextStep('GET', attempt, answered(503), retries(3), NOW, 0).step,
		);
		expect(steps).toEqual(['again', 'again', 'again', 'done', 'done']);
	});

	test('after 503 is none for creations when the user says so, and for creations only', () => {
		const step = (method: Method, status: number) =>
			nextStep(method, 0, answered(status, '1'), retries(3, { creationsAgainOn503: false }), NOW, 0).step;
		expect(step('POST', 503)).toBe('done');
		expect(step('POST', 429)).toBe('again');
		expect(safe.map((method) => step(method, 503))).toEqual(['again', 'again', 'again']);
	});

	test('may be none', () => {
		expect(nextStep('GET', 0, answered(503), retries(0), NOW, 0)).toEqual({ step: 'done' });
	});
});

describe('The wait', () => {
	const wait = (attempt: number, chance: number, outcome = answered(503)) => {
		const next = nextStep('GET', attempt, outcome, retries(20), NOW, chance);
		return next.step === 'again' ? next.waitMs : undefined;
	};

	test('doubles from half a second to fifteen seconds, and is shortened by up to a half by chance', () => {
		expect([0, 1, 2, 3, 4, 5, 6, 19].map((attempt) => wait(attempt, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
		]);
		expect([0, 1, 19].map((attempt) => wait(attempt, 0))).toEqual([250, 500, 7_500]);
		expect(wait(0, 0.5)).toBe(375);
	});

	test('is what Retry-After says, whatever the attempt and the chance', () => {
		expect(wait(0, 1, answered(429, '7'))).toBe(7_000);
		expect(wait(5, 0, answered(503, '60'))).toBe(60_000);
		expect(wait(0, 1, answered(429, '0'))).toBe(0);
		expect(wait(0, 1, answered(429, new Date(NOW + 9_000).toUTCString()))).toBe(9_000);
	});

	test.each([-5, 5])(
		'of a date is told by the clock of the service, where the answer says what time it is there and ours is %d minutes off',
		(minutes) => {
			const [date, until] = [0, 9_000].map((ms) => new Date(NOW + minutes * 60_000 + ms).toUTCString());
			expect(
				wait(0, 1, {
					kind: 'answered',
					reply: { status: 429, headers: { 'retry-after': until, date }, text: '' },
				}),
			).toBe(9_000);
		},
	);

	test.each([undefined, 'soon', '-1', '', 5, ['7'], null, new Date(NOW - 3_000).toUTCString()])(
		'is the usual one when Retry-After is %p',
		(header) => {
			expect(wait(0, 1, answered(429, header))).toBe(500);
		},
	);

	test.each(['61', '86400', new Date(NOW + 61_000).toUTCString()])(
		'beyond a minute (%s) ends the attempts at once and is named, also after the last one',
		(header) => {
			const outcome = answered(503, header);
			for (const attempt of [0, 3]) {
				expect(nextStep('POST', attempt, outcome, retries(3), NOW, 0)).toMatchObject({ step: 'tooLong' });
			}
			expect(nextStep('GET', 0, outcome, retries(0), NOW, 0)).toMatchObject({ step: 'tooLong' });
		},
	);

	test('beyond a minute means nothing on an answer that is final anyway', () => {
		expect(afterFirst('GET', answered(400, '3600'))).toEqual({ step: 'done' });
		expect(afterFirst('GET', answered(200, '3600'))).toEqual({ step: 'done' });
		expect(afterFirst('POST', answered(502, '3600'))).toEqual({ step: 'done' });
	});
});
