/** A service that answers as an attack wants, over real sockets, and remembers what it was sent. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';

export interface Received {
	method: string;
	/** Path and query, as they came. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Milliseconds since 1970. */
	at: number;
	/** Of the answer; 0 until it was sent. */
	status: number;
}

export type Answer = (received: Received, response: ServerResponse) => void;

export interface Peer {
	/** `http://127.0.0.1:<port>`: base URL and issuer in one. */
	readonly url: string;
	readonly received: Received[];
	/** Machine tokens that were given out. */
	readonly tokens: string[];
	/** Requests that are not for tokens. */
	calls(): Received[];
	close(): void;
}

export const TOKEN_PATH = '/connect/token';

/** @param api answers everything but requests for tokens, which `token` answers; without it they get one. */
export async function startPeer(api: Answer, token?: Answer): Promise<Peer> {
	const received: Received[] = [];
	const tokens: string[] = [];
	const honestToken: Answer = (_received, response) => {
		const given = `machine-${randomBytes(18).toString('base64url')}`;
		tokens.push(given);
		json(200, { access_token: given, token_type: 'Bearer', expires_in: 3600 })(_received, response);
	};
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('error', () => undefined);
		response.on('error', () => undefined);
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const entry: Received = {
				method,
				url,
				headers,
				body: Buffer.concat(parts).toString(),
				at: Date.now(),
				status: 0,
			};
			received.push(entry);
			response.on('finish', () => (entry.status = response.statusCode));
			(url.startsWith(TOKEN_PATH) ? (token ?? honestToken) : api)(entry, response);
		});
	});
	server.on('clientError', (_error, socket) => void socket.destroy());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		received,
		tokens,
		calls: () => received.filter((each) => !each.url.startsWith(TOKEN_PATH)),
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Text goes out as it is, anything else as JSON. */
export const json =
	(status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
	(_received, response) =>
		void response
			.writeHead(status, { 'content-type': 'application/json', ...headers })
			.end(typeof body === 'string' ? body : JSON.stringify(body));

/** Lookups that answer with a list, and with a list called `data`. */
const IS_LIST = /^\/sync\/v1\/(?:schools\/|accounts\/.*\/(?:sponsors|dependents|classes)$)/;
const IS_DATA = /^\/(?:enrollment\/v1\/accounts\/.*\/courses$|data\/)/;

/** A record in the form that the service's document shows, for whoever is asked for; writes are confirmed. */
export const friendly: Answer = (received, response) => {
	const [path = ''] = received.url.split('?');
	const id = path.split('/').pop() ?? '';
	const record = { hash: 'h', id: 'a-1', account_id: id.slice(0, 36), name: 'Iolanda Prado' };
	const read = IS_DATA.test(path) ? { data: [record] } : IS_LIST.test(path) ? [record] : record;
	json(200, received.method === 'GET' ? read : { data: { status: 'done' } })(received, response);
};

/** Honest for the first calls, then something else. */
export function afterFirst(calls: number, first: Answer, then: Answer): Answer {
	let count = 0;
	return (received, response) => (count++ < calls ? first : then)(received, response);
}

export const redirect =
	(status: number, location: string): Answer =>
	(_received, response) =>
		void response.writeHead(status, { location }).end();

/** Writes the text byte by byte until the connection ends. */
function drip(write: (byte: string) => void, text: string, onClose: (stop: () => void) => void): void {
	let index = 0;
	const timer = setInterval(() => write(text[index++ % text.length] ?? ' '), EVERY_MS);
	onClose(() => clearInterval(timer));
}

const EVERY_MS = 500;

/** The head is there; the body comes a byte every half second, and never ends. */
export const drippingBody: Answer = (_received, response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{"a":"');
	drip(
		(byte) => void response.write(byte),
		'never ends ',
		(stop) => response.on('close', stop),
	);
};

/** The head itself comes a byte every half second. */
export const drippingHead: Answer = (_received, response) => {
	const { socket } = response;
	socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
	drip(
		(byte) => void socket?.write(byte),
		'never ends ',
		(stop) => socket?.on('close', stop),
	);
};

/** Says every half second that it is still at work. */
export const drippingNotices: Answer = (_received, response) => {
	drip(
		() => void response.writeProcessing(),
		' ',
		(stop) => response.on('close', stop),
	);
};

/** As many bytes as the connection takes, in one text of JSON that never ends. */
export const endlessBody =
	(status: number): Answer =>
	(_received, response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.write('{"a":"');
		const chunk = Buffer.alloc(64 * 1024, 'a');
		const pour = () => {
			while (!response.destroyed && response.write(chunk));
			if (!response.destroyed) response.once('drain', pour);
		};
		pour();
	};

/** A small answer that unfolds to so many megabytes. */
export const unfolding =
	(megabytes: number): Answer =>
	(_received, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		const gzip = createGzip();
		gzip.on('error', () => undefined);
		gzip.pipe(response);
		gzip.write('{"a":"');
		const chunk = Buffer.alloc(1024 * 1024, 'a');
		let left = megabytes;
		const pour = () => {
			while (left-- > 0 && !response.destroyed) if (!gzip.write(chunk)) return void gzip.once('drain', pour);
			gzip.end('"}');
		};
		pour();
	};

/** JSON of so many levels around a value. */
export const nested = (levels: number, inside = '1'): string =>
	`${'{"a":'.repeat(levels)}${inside}${'}'.repeat(levels)}`;
