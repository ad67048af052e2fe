/** Requests written byte by byte, as no client would write them. */
import { connect } from 'node:net';

export interface RawAnswer {
	/** 0: the connection ended without an answer. */
	status: number;
	/** Head and body. */
	text: string;
}

export interface RawRequest {
	method?: string;
	/** Added to the path of the address. */
	query?: string;
	/** Lines of the head, as they are. */
	headers: readonly string[];
	body?: string | Buffer;
	/** Hangs up so many milliseconds after everything was written. */
	hangUpAfterMs?: number;
}

const PATIENCE_MS = 30_000;

/** A `Host` in the lines replaces the right one. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
	const { method = 'POST', query = '', headers, body, hangUpAfterMs } = request;
	const { hostname, port, pathname, host } = new URL(url);
	const bytes = Buffer.from((body ?? '') as string);
	const hosts = headers.some((line) => /^host:/i.test(line)) ? [] : [`host: ${host}`];
	const length = body === undefined ? [] : [`content-length: ${bytes.length}`];
	const lines = [
		`${method} ${pathname}${query} HTTP/1.1`,
		...hosts,
		'connection: close',
		...headers,
		...length,
	];
	// Latin 1, so that a header can hold any byte.
	const head = Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
	return await new Promise((resolve) => {
		const socket = connect(Number(port), hostname);
		const parts: Buffer[] = [];
		const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
		socket.on('data', (part: Buffer) => parts.push(part));
		// A server may answer and hang up before everything was written: what it said counts.
		socket.on('error', () => undefined);
		socket.on('close', () => {
			clearTimeout(patience);
			const text = Buffer.concat(parts).toString('utf8');
			resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
		});
		socket.write(head);
		socket.write(bytes);
		if (hangUpAfterMs !== undefined) setTimeout(() => socket.destroy(), hangUpAfterMs);
	});
}
