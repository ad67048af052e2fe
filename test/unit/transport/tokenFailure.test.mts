/** Failures of n8n's own OAuth2 client, made with real answers of a token endpoint. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ClientOAuth2 } from '@n8n/client-oauth2';
import { OperationalError } from 'n8n-workflow';

import {
	answeredWithoutToken,
	CREDENTIAL_CHANGED,
	CREDENTIAL_NOT_READ,
	tokenFailure,
} from '../../../nodes/shared/transport/tokenFailure.ts';
import { wrappedAsText, wrappedWithoutCause } from './older-n8n.mts';

interface Answer {
	status: number;
	body?: string;
	type?: string;
	/** Ends the connection before the body is whole. */
	cut?: boolean;
}

let answer: Answer;
let server: Server;
let issuer: string;

beforeAll(async () => {
	server = createServer((_req, res) => {
		const { status, body = '', type = 'application/json', cut } = answer;
		res.writeHead(status, { 'content-type': type, 'content-length': body.length + (cut ? 10 : 0) });
		res.end(body);
		if (cut) res.once('finish', () => res.socket?.destroy());
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/**
 * What n8n throws when the token endpoint answers so: bare, wrapped as for the first token of a credential, and wrapped as
 * n8n 2.4.8 does that.
 */
async function thrownBy(given: Answer, accessTokenUri = `${issuer}/connect/token`): Promise<unknown[]> {
	answer = given;
	const client = new ClientOAuth2({
		clientId: 'a',
		clientSecret: 'b',
		accessTokenUri,
		authentication: 'body',
	});
	const bare: unknown = await client.credentials.getToken().then(
		() => {
			throw new Error('A token was given');
		},
		(error: unknown) => error,
	);
	return [
		bare,
		new OperationalError('Failed to acquire OAuth2 access token', { cause: bare as Error }),
		wrappedWithoutCause(bare),
		...(OTHER_KIND.test(String(bare)) ? [] : [wrappedAsText(bare)]),
	];
}

/** Of such an answer, n8n 2.33.7 does not tell the status. */
const OTHER_KIND = /Unsupported content type|Expected JSON response/;

const refusal = (error: string): Answer => ({
	status: error === 'invalid_client' ? 401 : 400,
	body: JSON.stringify({ error, error_description: 'Words of the sign-on area.' }),
});

const CLIENT = 'Check Client ID and Client Secret in the credential.';
const MACHINE =
	'Check the values in the credential, and that the client may use the client credentials grant.';
const CONNECT = 'Open the credential, click Connect and log in again.';

describe('A refusal that stays one', () => {
	test.each([
		['invalid_client', CLIENT, CLIENT],
		['unauthorized_client', CLIENT, CLIENT],
		['invalid_scope', 'Check Scope in the credential; it may be left empty.', CONNECT],
		['unsupported_grant_type', MACHINE, CONNECT],
		['invalid_request', MACHINE, CONNECT],
		['invalid_grant', MACHINE, `The connection of this credential has ended. ${CONNECT}`],
	])(
		'is named by its code alone, with what to do in the credential which asked: %s',
		async (code, ...next) => {
			for (const thrown of await thrownBy(refusal(code))) {
				const told = [false, true].map((isConnected) => tokenFailure(thrown, issuer, { isConnected }));
				const failure = {
					...{ origin: 'signOn', effect: 'none', code },
					message: `The sign-on area gives no token: ${code}`,
				};
				expect(told).toEqual(next.map((what) => ({ lasting: true, failure: { ...failure, next: what } })));
			}
		},
	);

	test.each([
		['there is no such path', { status: 404 }],
		['a page answers', { status: 200, body: '<h1>Hello</h1>', type: 'text/html' }],
		['a page refuses', { status: 403, body: '<h1>No</h1>', type: 'text/html' }],
		['another method is wanted', { status: 405 }],
	])('points to Issuer URL when %s', async (_what, given) => {
		for (const thrown of await thrownBy(given)) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(true);
			expect(failure.message).toBe(`The sign-on area at ${issuer} gives no token (${given.status})`);
			expect(failure.next).toContain('Issuer URL');
		}
	});

	test.each([
		['nothing', undefined],
		['a page', '<h1>Unauthorized</h1>'],
	])('points to the client first when it is a 401 with %s beside it', async (_what, body) => {
		for (const thrown of await thrownBy({ status: 401, ...(body && { body, type: 'text/html' }) })) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(true);
			expect(failure).toMatchObject({ status: 401, code: 'no_token' });
			expect(failure.next.split('\n')).toEqual([CLIENT, expect.stringMatching(/Issuer URL/)]);
		}
	});

	test('is an address that is none', async () => {
		for (const thrown of await thrownBy({ status: 200 }, 'not an address')) {
			expect(tokenFailure(thrown, 'not an address')).toMatchObject({
				lasting: true,
				failure: { next: expect.stringContaining('it is not an address') as string },
			});
		}
	});

	test('is named by the code that the sign-on area made up, unless n8n 2.4.8 keeps only its words', async () => {
		const [bare, wrapped, withoutCause] = (await thrownBy(refusal('an_error_of_its_own'))).map((thrown) =>
			tokenFailure(thrown, issuer),
		);
		expect(bare?.failure.message).toBe('The sign-on area gives no token: an_error_of_its_own');
		expect(wrapped).toEqual(bare);
		expect(withoutCause).toMatchObject({
			lasting: true,
			failure: { message: 'The sign-on area gives no token', next: MACHINE },
		});
		const body = JSON.stringify({ error: 'an_error_of_its_own' });
		for (const thrown of await thrownBy({ status: 400, body }))
			expect(tokenFailure(thrown, issuer)).toEqual(bare);
	});

	test('is an answer without a token', () => {
		expect(answeredWithoutToken(issuer)).toMatchObject({
			lasting: true,
			failure: { message: `The answer of the sign-on area at ${issuer} holds no token` },
		});
	});

	test('is a connection of a user that has ended, in whichever words n8n says so', async () => {
		const withoutRefreshToken: unknown = await new ClientOAuth2({ clientId: 'a', accessTokenUri: issuer })
			.createToken({ access_token: 'a', refresh_token: '' }, 'bearer')
			.refresh()
			.catch((error: unknown) => error);
		const spoken = new Error('The credential "School" needs to be reconnected.');
		const refused = await thrownBy(refusal('invalid_grant'));
		for (const thrown of [withoutRefreshToken, spoken, ...refused]) {
			expect(tokenFailure(thrown, issuer, { isConnected: true })).toMatchObject({
				lasting: true,
				failure: {
					message: 'The sign-on area gives no token: invalid_grant',
					next: expect.stringContaining('click Connect and log in again') as string,
				},
			});
		}
	});
});

/** Thrown by the OAuth2 client of n8n 2.4.8 (@n8n/client-oauth2 1.0.0-rc.0), which reads answers in another way. */
describe('An answer that n8n 2.4.8 cannot read', () => {
	test.each([
		[200, 'text/html', '<h1>Hello</h1>'],
		[404, '', ''],
	])('is known by its status: %d', (status, type, body) => {
		const bare = Object.assign(new Error(`Unsupported content type: ${type}`), {
			status,
			body,
			code: 'ESTATUS',
		});
		for (const thrown of [bare, wrappedWithoutCause(bare)]) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(true);
			expect(failure.message).toBe(`The sign-on area at ${issuer} gives no token (${status})`);
		}
	});

	test.each(['', '<h1>Hello</h1>', '{"access_token": "a', 'undefined'])(
		'but calls itself JSON holds no token, and the next may: %p',
		(body) => {
			let bare: unknown;
			try {
				JSON.parse(body);
			} catch (error) {
				bare = error;
			}
			for (const thrown of [bare, wrappedWithoutCause(bare)]) {
				const { lasting, failure } = tokenFailure(thrown, issuer);
				expect(lasting).toBe(false);
				expect(failure.message).toBe(`The answer of the sign-on area at ${issuer} holds no token`);
			}
		},
	);
});

/** n8n 2.22.6 and 2.33.7. */
describe('Where n8n keeps nothing but a text', () => {
	test.each([200, 404, 429])('an answer that is no JSON holds no token, and the next may (%d)', (status) => {
		const bare = Object.assign(new Error('Unsupported content type: text/html'), { status, code: 'ESTATUS' });
		const { lasting, failure } = tokenFailure(wrappedAsText(bare), issuer);
		expect(lasting).toBe(false);
		expect(failure.message).toBe(`The answer of the sign-on area at ${issuer} holds no token`);
	});

	test.each([
		['self-signed certificate', 'its certificate is not trusted', true],
		[
			"Hostname/IP does not match certificate's altnames: Host: other.example",
			'its certificate is not trusted',
			true,
		],
		[
			'The request was blocked because it resolves to a restricted IP address',
			'n8n does not allow requests to it',
			true,
		],
		['timeout of 10000ms exceeded', 'there was no answer in time', false],
		['socket hang up', 'the connection or its answer broke off', false],
		['read ECONNRESET', 'the connection or its answer broke off', false],
		['write EPIPE', 'the connection or its answer broke off', false],
		['connect EMFILE 192.0.2.1:443 - Local (undefined:undefined)', 'the connection was refused', false],
		[
			'Client network socket disconnected before secure TLS connection was established',
			'the connection was refused',
			false,
		],
		['Maximum number of redirects exceeded', 'the connection or its answer broke off', false],
		[
			'write EPROTO 8031:error:0A000126:SSL routines::unexpected eof while reading:',
			'the connection or its answer broke off',
			false,
		],
		['', 'the connection was refused', false],
		['connect ETIMEDOUT 192.0.2.1:443', 'the connection was refused', false],
		['getaddrinfo EAI_AGAIN accounts.example', 'there is no host of that name', false],
	])('trouble on the way is known by it: %p', (text, told, stays) => {
		const { lasting, failure } = tokenFailure(wrappedAsText(new Error(text)), issuer);
		expect(failure.next).toContain(`(${told})`);
		expect(lasting).toBe(stays);
	});

	test.each([
		'ERROR: this client is switched off',
		'ERR_CLIENT_DISABLED: ask the operator',
		'A client certificate is required',
	])('words of the sign-on area are a refusal, whatever they look like: %s', (text) => {
		const { lasting, failure } = tokenFailure(wrappedAsText(new Error(text)), issuer);
		expect(lasting).toBe(true);
		expect(failure.message).toBe('The sign-on area gives no token');
	});
});

describe('Trouble of the moment', () => {
	/** n8n keeps the body of such an answer, and not its status. */
	test.each([
		[400, 'temporarily_unavailable', 'Words of the sign-on area.'],
		[400, 'server_error', 'Words of the sign-on area.'],
		[400, 'slow_down', undefined],
		[429, 'too_many_requests', undefined],
		[429, 'Too Many Requests', undefined],
		[429, 'rate_limit_exceeded', undefined],
		[429, 'Rate limit exceeded', undefined],
	])('that has a code may pass: %d %s', async (status, error, error_description) => {
		for (const thrown of await thrownBy({ status, body: JSON.stringify({ error, error_description }) }))
			for (const isConnected of [false, true])
				expect(tokenFailure(thrown, issuer, { isConnected })).toEqual({
					lasting: false,
					failure: {
						origin: 'signOn',
						effect: 'none',
						code: error,
						message: `The sign-on area gives no token: ${error}`,
						next: 'Run the item again later.',
					},
				});
	});

	test('is no refusal that only speaks of requests or limits', async () => {
		for (const error of ['request_limit_is_zero', 'no_such_server', 'slow_client_not_allowed'])
			for (const thrown of await thrownBy({ status: 400, body: JSON.stringify({ error }) }))
				expect(tokenFailure(thrown, issuer)).toMatchObject({ lasting: true, failure: { code: error } });
	});

	test.each([500, 502, 503, 504, 429])('with the status %d may pass', async (status) => {
		for (const thrown of await thrownBy({ status })) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(false);
			expect(failure).toMatchObject({ status, next: 'Run the item again later.' });
		}
	});

	test('of a connection that broke in the middle of a token may pass', async () => {
		for (const thrown of await thrownBy({ status: 200, body: '{"access_', cut: true })) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(false);
			expect(failure.message).toContain('cannot be reached');
		}
	});

	test.each([
		['nobody listens', 'http://127.0.0.1:1/token', 'the connection was refused'],
		['the name has no address', 'http://no-such-host.invalid/token', 'there is no host of that name'],
	])('may pass when %s', async (_what, address, words) => {
		for (const thrown of await thrownBy({ status: 200 }, address)) {
			const { lasting, failure } = tokenFailure(thrown, issuer);
			expect(lasting).toBe(false);
			expect(failure.next).toContain(words);
		}
	});
});

test('A secret that stands where a long code is cut is struck out as a whole', async () => {
	const secret = '0123456789abcdef'.repeat(4);
	const error = `${'x'.repeat(60)} ${secret}`;
	for (const thrown of await thrownBy({ status: 400, body: JSON.stringify({ error }) })) {
		const { failure } = tokenFailure(thrown, issuer, { secrets: [secret] });
		expect(JSON.stringify(failure)).not.toContain(secret.slice(0, 8));
	}
});

test('Without a token only what failed is run again: what was created before is not sent a second time', async () => {
	const passing = await thrownBy(refusal('temporarily_unavailable'));
	const failed = [
		...[...passing, ...(await thrownBy({ status: 503 }))].map((thrown) => tokenFailure(thrown, issuer)),
		...[answeredWithoutToken(issuer), CREDENTIAL_NOT_READ, CREDENTIAL_CHANGED],
	];
	for (const { failure } of failed) expect(failure.next).not.toMatch(/run the workflow/i);
	for (const { failure } of failed) expect(failure.next).toMatch(/run (the item again|again what failed)/i);
});
