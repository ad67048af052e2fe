/** The troubles of real requests, made with axios as n8n's helper makes them, against servers that misbehave. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { Agent } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import axios, { type AxiosRequestConfig } from 'axios';

import { mayHaveArrived, troubleOf, type Trouble } from '../../../nodes/shared/transport/trouble.ts';
import { wrappedWithoutCause } from './older-n8n.mts';

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Starts a server that does so with each connection; gives its address. */
async function serverThat(handle: (socket: Socket) => void): Promise<string> {
	const server = createServer((socket) => {
		sockets.add(socket);
		// A client that gives up is what these tests are about.
		socket.on('error', () => undefined);
		handle(socket);
	});
	servers.push(server.listen(0, '127.0.0.1'));
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	sockets.clear();
	await Promise.all(servers.splice(0).map(async (server) => await new Promise((done) => server.close(done))));
});

/** What a request ends with. */
async function thrownBy(url: string, config: AxiosRequestConfig = {}): Promise<unknown> {
	return await axios
		.request({ method: 'POST', url, data: { a: 1 }, proxy: false, timeout: 30_000, ...config })
		.then(
			() => {
				throw new Error('The request was answered');
			},
			(error: unknown) => error,
		);
}

/** What a request ends with, and that it ends with the same on n8n 2.4.8, where the first request of a token is wrapped. */
async function troubleBehind(url: string, config?: AxiosRequestConfig): Promise<Trouble> {
	const thrown = await thrownBy(url, config);
	const trouble = troubleOf(thrown);
	expect(troubleOf(wrappedWithoutCause(thrown))).toBe(trouble);
	return trouble;
}

const afterRequest = (answer: string, end: (socket: Socket) => void) => (socket: Socket) => {
	socket.once('data', () => {
		if (answer === '') end(socket);
		else socket.write(answer, () => end(socket));
	});
};
const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"data":';
const CHUNK = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"dat\r\n';

describe('A real request says what happened to it', () => {
	test('nobody listens at the port', async () => {
		expect(await troubleBehind('http://127.0.0.1:1/')).toBe('refused');
	});

	test('nobody listens at any of the addresses of the name', async () => {
		expect(await troubleBehind('http://localhost:1/')).toBe('refused');
	});

	test('the name has no address', async () => {
		expect(await troubleBehind('http://no-such-host.invalid/')).toBe('unresolved');
	});

	test.each<[string, string, (socket: Socket) => void]>([
		['closes', '', (socket) => socket.end()],
		['is reset', '', (socket) => socket.resetAndDestroy()],
		['closes in the middle of the head', 'HTTP/1.1 200 OK\r\ncontent-', (socket) => socket.end()],
		['closes in the middle of the body', HALF, (socket) => socket.end()],
		['is reset in the middle of the body', HALF, (socket) => socket.resetAndDestroy()],
		['closes in the middle of a chunk', CHUNK, (socket) => socket.end()],
		['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', (socket) => socket.end()],
	])('the connection %s after the request', async (_how, answer, end) => {
		const url = await serverThat(afterRequest(answer, end));
		expect(await troubleBehind(url, { responseType: 'text' })).toBe('broken');
	});

	test('there is no answer in time', async () => {
		const url = await serverThat(() => undefined);
		expect(await troubleBehind(url, { timeout: 150 })).toBe('timeout');
	});

	test('an answer stops in the middle until the time is over: axios cuts it off', async () => {
		const url = await serverThat(afterRequest(HALF, () => undefined));
		// Time for the first half to arrive: without it, it would be no answer at all.
		expect(await troubleBehind(url, { timeout: 1_500 })).toBe('broken');
	});

	test('the run was cancelled while it was on its way', async () => {
		const abort = new AbortController();
		const url = await serverThat(() => abort.abort());
		expect(await troubleBehind(url, { signal: abort.signal })).toBe('cancelled');
	});

	test('TLS was spoken where nobody does', async () => {
		const server = createHttpServer().listen(0, '127.0.0.1');
		servers.push(server);
		await once(server, 'listening');
		const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		expect(await troubleBehind(url)).toBe('untrusted');
	});

	test('TLS breaks after the request has arrived', async () => {
		const [psk, suite] = [
			Buffer.from('of this test only'),
			{ ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const,
		];
		let line: Socket | undefined;
		const service = createTlsServer({ ...suite, pskCallback: () => psk }, (connection) => {
			connection.on('error', () => undefined);
			// A record that nobody can read, as from a line that garbles what it carries.
			connection.once('data', () => line?.write(Buffer.from([23, 3, 3, 0, 32, ...Buffer.alloc(32)])));
		}).listen(0, '127.0.0.1');
		servers.push(service);
		await once(service, 'listening');
		const url = await serverThat((socket) => {
			line = socket;
			const behind = connect((service.address() as AddressInfo).port, '127.0.0.1').on(
				'error',
				() => undefined,
			);
			sockets.add(behind);
			socket.pipe(behind).pipe(socket);
		});
		const httpsAgent = new Agent({
			...suite,
			pskCallback: () => ({ psk, identity: 'test' }),
			checkServerIdentity: () => undefined,
		});
		expect(await troubleBehind(url.replace('http:', 'https:'), { httpsAgent })).toBe('broken');
	});

	test.each(['not an address', '127.0.0.1:4010/data', 'http://', 'http://:80/'])(
		'the address %p is none',
		async (url) => {
			expect(await troubleBehind(url)).toBe('invalidAddress');
		},
	);
});

/** Invented, because they need a network, a certificate or an n8n of their own: codes as Node.js and n8n document them. */
describe('What cannot be made on one machine is known by its code', () => {
	const NO_TLS = 'Client network socket disconnected before secure TLS connection was established';
	const coded = (code: string, more: object = {}) => Object.assign(new Error('invented'), { code, ...more });

	test.each<[Trouble, unknown]>([
		['refused', coded('EHOSTUNREACH')],
		['refused', coded('ENETUNREACH')],
		['refused', coded('ETIMEDOUT', { syscall: 'connect' })],
		['refused', coded('EMFILE', { message: 'connect EMFILE 192.0.2.1:443', syscall: 'connect' })],
		['unresolved', coded('EAI_FAIL', { message: 'getaddrinfo EAI_FAIL aurora', syscall: 'getaddrinfo' })],
		['refused', coded('ECONNRESET', { message: NO_TLS })],
		['refused', coded('ETIMEDOUT', { name: 'AggregateError', message: '' })],
		['broken', coded('ECONNRESET', { message: 'connect ECONNRESET 192.0.2.1:443', syscall: 'connect' })],
		['broken', coded('EHOSTUNREACH', { message: 'read EHOSTUNREACH', syscall: 'read' })],
		['broken', coded('ENETDOWN', { message: 'write ENETDOWN', syscall: 'write' })],
		['broken', coded('ERR_SSL_UNEXPECTED_EOF_WHILE_READING')],
		['unresolved', coded('EAI_AGAIN')],
		['timeout', coded('ETIMEDOUT', { message: 'read ETIMEDOUT', syscall: 'read' })],
		['broken', coded('EPIPE')],
		['untrusted', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
		['untrusted', coded('CERT_HAS_EXPIRED')],
		['untrusted', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
		['untrusted', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
		['blocked', Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' })],
		['refused', new Error('wrapped by n8n', { cause: coded('ECONNREFUSED') })],
		['refused', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])],
		['broken', new Error('anything else')],
		['broken', undefined],
		['broken', 'text'],
		['broken', null],
	])('%s', (trouble, thrown) => {
		expect(troubleOf(thrown)).toBe(trouble);
	});

	test.each<[Trouble, Error]>([
		['refused', coded('EHOSTUNREACH')],
		['refused', coded('ETIMEDOUT', { message: 'connect ETIMEDOUT 192.0.2.1:443', syscall: 'connect' })],
		['unresolved', coded('EAI_AGAIN')],
		['timeout', coded('ETIMEDOUT', { message: 'read ETIMEDOUT', syscall: 'read' })],
		['broken', coded('EHOSTUNREACH', { message: 'read EHOSTUNREACH', syscall: 'read' })],
		['untrusted', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
		['broken', new Error('anything else')],
	])('%s, as n8n 2.4.8 wraps it', (trouble, thrown) => {
		expect(troubleOf(wrappedWithoutCause(thrown))).toBe(trouble);
	});

	test('causes that go round in a circle come to an end', () => {
		const one = new Error('one');
		one.cause = new Error('two', { cause: one });
		expect(troubleOf(one)).toBe('broken');
	});
});

test('Only what never reached the service is certain not to have arrived', () => {
	const arrived = (['refused', 'unresolved', 'untrusted', 'invalidAddress', 'blocked'] as const).map(
		mayHaveArrived,
	);
	expect(arrived).toEqual([false, false, false, false, false]);
	expect((['timeout', 'broken', 'cancelled'] as const).map(mayHaveArrived)).toEqual([true, true, true]);
});
