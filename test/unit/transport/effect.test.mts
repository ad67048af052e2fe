/** What a failure says as data. The answers are scripted: most of these faults need a network, a proxy or a broken service of their own. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { NOT_BEGUN, type Failure } from '../../../nodes/shared/failure.ts';
import { askForTokens } from '../../../nodes/shared/signOn/tokens.ts';
import { askerOf } from '../../../nodes/shared/transport/askIssuer.ts';
import { Deadlines } from '../../../nodes/shared/transport/deadline.ts';
import type { HttpHelpers } from '../../../nodes/shared/transport/exchange.ts';
import { Limiter } from '../../../nodes/shared/transport/limiter.ts';
import { pageInstead, unreadableAnswer } from '../../../nodes/shared/transport/requestFailure.ts';
import { SERVICE, SIGN_ON } from '../../../nodes/shared/transport/requestWords.ts';
import type { Method } from '../../../nodes/shared/transport/request.ts';
import type { RetryPolicy } from '../../../nodes/shared/transport/retry.ts';
import { sendWithRetries } from '../../../nodes/shared/transport/sendWithRetries.ts';
import { CLIENT_ID, ISSUER } from '../signOn/peer.mts';

type Fault = number | string | { status: number; retryAfter?: string; body?: string };

const coded = (code: string) =>
	Object.assign(new Error('timeout of 5000 ms, or whatever the network says'), { code });

/** Each fault in turn is what comes of an attempt: a status, an answer, or the code of what Node.js throws. */
async function failureOf(
	method: Method,
	faults: Fault[],
	policy: Partial<RetryPolicy> = {},
	peer = SERVICE,
): Promise<Failure> {
	const left = [...faults];
	const httpRequest = async (_options: IHttpRequestOptions) => {
		const fault = left.shift();
		if (fault === undefined) throw new Error('More attempts than faults');
		if (typeof fault === 'string') throw coded(fault);
		const { status, retryAfter, body = '' } = typeof fault === 'number' ? { status: fault } : fault;
		return { statusCode: status, headers: { 'retry-after': retryAfter }, body };
	};
	const context = {
		helpers: { httpRequest },
		policy: { timeoutMs: 5_000, maxRetries: faults.length - 1, ...policy },
		limiter: new Limiter(),
		deadlines: new Deadlines(5_000),
	};
	const url = 'https://api.school-partner.example/x';
	const outcome = await sendWithRetries({ method, url, isBounded: false, peer }, context);
	if (outcome.ok) throw new Error(NO_FAILURE);
	expect(left).toEqual([]);
	return outcome.failure;
}

const NO_FAILURE = 'The request did not fail';

const WRITES: Method[] = ['POST', 'PUT', 'DELETE'];

describe('Whether the service may have done it', () => {
	test.each<[Fault, Failure['effect']]>([
		[300, 'none'],
		[302, 'none'],
		// See Other: the usual answer to a POST that was processed (RFC 9110 section 15.4.4).
		[303, 'unknown'],
		[307, 'none'],
		[400, 'none'],
		[401, 'none'],
		[403, 'none'],
		[404, 'none'],
		[409, 'none'],
		[422, 'none'],
		[429, 'none'],
		[500, 'unknown'],
		[501, 'unknown'],
		[502, 'unknown'],
		[{ status: 503, body: '{"Error":{"Code":"INT503"}}' }, 'none'],
		[504, 'unknown'],
		['ECONNREFUSED', 'none'],
		['ENOTFOUND', 'none'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'none'],
		['ERR_INVALID_URL', 'none'],
		['ETIMEDOUT', 'unknown'],
		['ECONNRESET', 'unknown'],
		['ERR_CANCELED', 'unknown'],
		[{ status: 503, retryAfter: '5' }, 'none'],
		[{ status: 503, retryAfter: '3600' }, 'none'],
		[{ status: 429, retryAfter: '3600' }, 'none'],
	])('%j: of a write %s, of a lookup never', async (fault, effect) => {
		for (const method of WRITES)
			expect([method, (await failureOf(method, [fault])).effect]).toEqual([method, effect]);
		expect((await failureOf('GET', [fault])).effect).toBe('none');
	});

	test.each<[string, Fault]>([
		['without a word', 503],
		['with a page', { status: 503, body: '<!doctype html><html></html>' }],
		['with JSON of a gateway', { status: 503, body: '{"message":"Service Unavailable"}' }],
		['with JSON of a framework', { status: 503, body: '{"status":503,"error":"Service Unavailable"}' }],
		['with an empty list', { status: 503, body: '{"message":"Service Unavailable","Errors":[]}' }],
		[
			'with names that hold nothing',
			{ status: 503, body: '{"Message":"Service Unavailable","Errors":null}' },
		],
		[
			'with a text for an error',
			{ status: 503, body: '{"Error":"Service Unavailable","Message":"upstream"}' },
		],
		['with a word of a gateway', { status: 503, body: '{"error":"upstream_timeout"}' }],
		['with a page and a wait', { status: 503, retryAfter: '5', body: '<!doctype html><html></html>' }],
	])('503 %s to a write: a gateway may have answered it after the work', async (_what, fault) => {
		for (const method of WRITES)
			expect([method, (await failureOf(method, [fault])).effect]).toEqual([method, 'unknown']);
		expect((await failureOf('GET', [fault])).effect).toBe('none');
		const failure = await failureOf('POST', [fault]);
		expect(failure.effect).toBe('unknown');
		expect(failure.next).toContain('The record may exist all the same');
	});

	test.each([500, 502, 503])(
		'%i to a code or refresh token: it may be spent, and no record exists; a machine token spends nothing',
		async (statusCode) => {
			const httpRequest = async () => await Promise.resolve({ statusCode, headers: {}, body: '' });
			const ask = askerOf({ httpRequest } as unknown as HttpHelpers, { timeoutMs: 5_000, maxRetries: 0 });
			const client = { issuer: ISSUER, clientId: CLIENT_ID, clientSecret: 'secret', scope: '' };
			for (const grant of ['authorization_code', 'refresh_token', 'client_credentials'] as const) {
				const tokens = await askForTokens({ client, ask }, grant, {});
				const { effect, message, next } = tokens.ok ? NOT_BEGUN : tokens.failure;
				const isSpent = grant !== 'client_credentials';
				expect([grant, effect]).toEqual([grant, isSpent ? 'unknown' : 'none']);
				expect(next.includes('may count as used: the user may have to log in again')).toBe(isSpent);
				expect(`${message} ${next}`).not.toContain('record');
			}
		},
	);

	test('503 of a gateway to a deletion, which is not found when it is sent again: it is done', async () => {
		await expect(failureOf('DELETE', [503, 404])).rejects.toThrow(NO_FAILURE);
		expect(await failureOf('DELETE', [{ status: 503, retryAfter: '0' }, 404])).toMatchObject({ status: 404 });
	});

	test('303 to a creation: its record may exist, and no other redirect says so', async () => {
		expect((await failureOf('POST', [303])).next).toContain('The record may exist all the same');
		for (const fault of [301, 302, 307, 308])
			expect((await failureOf('POST', [fault])).next).not.toContain('The record may exist');
	});

	test.each(WRITES)('503 to a %s is no longer trusted when the user forbids it', async (method) => {
		const policy = { creationsAgainOn503: false };
		expect((await failureOf(method, [503], policy)).effect).toBe('unknown');
		expect((await failureOf('GET', [503], policy)).effect).toBe('none');
	});

	test.each<[string, Fault[]]>([
		['a lost answer, then a refusal', ['ETIMEDOUT', 400]],
		['a lost answer, then no service', [502, 'ECONNREFUSED']],
		['a lost answer, then a long wait', ['ECONNRESET', { status: 503, retryAfter: '3600' }]],
	])('%s: the first attempt may have been done', async (_what, faults) => {
		expect((await failureOf('PUT', faults)).effect).toBe('unknown');
		expect((await failureOf('GET', faults)).effect).toBe('none');
	});

	test('a deletion whose answer was lost is not done because the page of a proxy says that nothing is found', async () => {
		const page = { status: 404, body: '<!doctype html><html><body>default backend</body></html>' };
		expect(await failureOf('DELETE', [504, page])).toMatchObject({
			status: 404,
			effect: 'unknown',
			isPage: true,
		});
	});

	test('a page that answers a write may be a proxy: nobody can say; a lookup that cannot be read changes nothing', () => {
		const page = { status: 200, headers: {}, text: '<html>' };
		const ofWrites = [true, false].map((isCreation) => pageInstead(page, isCreation).effect);
		expect([...ofWrites, unreadableAnswer(page, 'Odd').effect]).toEqual(['unknown', 'unknown', 'none']);
	});
});

describe('Where it comes from, and by which name', () => {
	test.each<[Fault, Failure['origin'], Failure['origin'], string | undefined]>([
		[301, 'service', 'signOn', undefined],
		[400, 'service', 'signOn', undefined],
		[403, 'service', 'signOn', undefined],
		[429, 'service', 'signOn', undefined],
		[500, 'service', 'signOn', undefined],
		[{ status: 503, retryAfter: '3600' }, 'service', 'signOn', undefined],
		['ECONNREFUSED', 'network', 'signOn', 'refused'],
		['ENOTFOUND', 'network', 'signOn', 'unresolved'],
		['ETIMEDOUT', 'network', 'signOn', 'timeout'],
		['ECONNRESET', 'network', 'signOn', 'broken'],
		['CERT_HAS_EXPIRED', 'network', 'signOn', 'untrusted'],
		['ERR_INVALID_URL', 'n8n', 'n8n', 'invalidAddress'],
		['ERR_CANCELED', 'n8n', 'n8n', 'cancelled'],
	])('%j', async (fault, ofService, ofSignOn, code) => {
		for (const [peer, origin] of [[SERVICE, ofService] as const, [SIGN_ON, ofSignOn] as const]) {
			const failure = await failureOf('POST', [fault], {}, peer);
			expect([failure.origin, failure.code]).toEqual([origin, code]);
		}
	});

	test('a code of the service is its own, whatever it is called, and does not stand for trouble of the network', async () => {
		const failure = await failureOf('GET', [
			{ status: 400, body: '{"Error":{"Code":"timeout","Message":"Later."}}' },
		]);
		expect([failure.origin, failure.code, failure.status]).toEqual(['service', 'timeout', 400]);
	});
});

describe('What the service objects to', () => {
	test('is there for each property, no more than twenty, and none of it longer than a line', async () => {
		const ErrorProperties = Array.from({ length: 300 }, (_, index) => ({
			PropertyName: `field_${index}`,
			ErrorMessage: `${'long '.repeat(500)}`,
		}));
		const { code, properties = [] } = await failureOf('POST', [
			{ status: 400, body: JSON.stringify({ Error: { Code: 'FLU001', ErrorProperties } }) },
		]);
		expect([code, properties.length, properties[0].property]).toEqual(['FLU001', 20, 'field_0']);
		for (const { message } of properties) expect(message.length).toBeLessThanOrEqual(200);
	});

	test('of several findings for enrollment the first is the code, and the others follow', async () => {
		const Errors = [
			{ Code: 'ENRL-0001', Message: 'Unknown course.' },
			{ Code: 'ENRL-0002', Message: 'Unknown school.' },
		];
		expect(await failureOf('PUT', [{ status: 400, body: JSON.stringify({ Errors }) }])).toMatchObject({
			code: 'ENRL-0001',
			properties: [{ property: 'ENRL-0002', message: 'Unknown school.' }],
		});
	});
});
