import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Lets a handler do its work and answer into the void; `instead` then decides what the client gets.
 * Used by faults that strike after the state has changed.
 */
export function interceptAnswer(res: ServerResponse, instead: (body: Buffer) => void): void {
	const chunks: Buffer[] = [];
	const keep = (chunk: unknown, encoding: unknown): void => {
		if (typeof chunk === 'string') {
			chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
		} else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
	};
	res.writeHead = ((status: number, headers?: Record<string, string>) => {
		res.statusCode = status;
		for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
		return res;
	}) as typeof res.writeHead;
	res.write = ((chunk: unknown, encoding: unknown) => {
		keep(chunk, encoding);
		return true;
	}) as typeof res.write;
	res.end = ((chunk: unknown, encoding: unknown) => {
		keep(chunk, encoding);
		// The methods of the prototype come back into view.
		for (const name of ['write', 'end', 'writeHead']) Reflect.deleteProperty(res, name);
		instead(Buffer.concat(chunks));
		return res;
	}) as typeof res.end;
}

/** Breaks the connection at once, as a peer that died would: the client sees a reset. */
export function breakConnection(res: ServerResponse): void {
	const { socket } = res;
	if (!socket || socket.destroyed) return;
	// Only a bare TCP socket can be reset; over TLS the method throws. An end before the answer is a reset to the client.
	if (socket instanceof TLSSocket) socket.destroy();
	else socket.resetAndDestroy();
}

/** Announces the whole body, sends half of it, and ends the connection. */
export function sendHalf(res: ServerResponse, body: Buffer): void {
	const whole = Math.max(body.length, 2);
	res.removeHeader('transfer-encoding');
	res.setHeader('content-length', whole);
	res.flushHeaders();
	const half = body.subarray(0, Math.floor(body.length / 2));
	res.write(half.length > 0 ? half : ' ', () => res.socket?.destroy());
}
