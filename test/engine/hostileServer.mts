/** A server that answers as no service should: the sandbox has no such faults. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answering = (response: ServerResponse) => void;

/** One byte every 200 ms, for as long as anybody listens. */
export const drips: Answering = (response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const drip = setInterval(() => response.write(' '), 200);
	response.on('close', () => clearInterval(drip));
};

/** As many bytes as are taken, without end. */
export const floods: Answering = (response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const chunk = Buffer.alloc(64 * 1024, ' ');
	const pour = () => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on('drain', pour);
	pour();
};

export interface HostileServer {
	url: string;
	/** Method and path of each request, oldest first. */
	received: string[];
	/** Connections on which an answer is still being given. */
	open: () => number;
	stop: () => void;
}

export async function hostileServer(answering: Answering): Promise<HostileServer> {
	const received: string[] = [];
	const open = new Set<ServerResponse>();
	const server = createServer((request, response) => {
		received.push(`${request.method ?? ''} ${request.url ?? ''}`);
		open.add(response);
		response.on('close', () => open.delete(response));
		request.resume();
		answering(response);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const stop = () => {
		server.closeAllConnections();
		server.close();
	};
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url, received, open: () => open.size, stop };
}
