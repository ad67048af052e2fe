/** A load balancer as small as one can be: every request goes to the next of its targets. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
	baseUrl: string;
	/** Requests passed on, by target. */
	passed: Map<string, number>;
	stop(): Promise<void>;
}

/** @param targets base addresses, for example `http://127.0.0.1:5678` */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
	const passed = new Map<string, number>();
	let next = 0;
	const server = createServer((request, response) => {
		const target = targets[next++ % targets.length] ?? '';
		passed.set(target, (passed.get(target) ?? 0) + 1);
		passOn(request, response, target);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		passed,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function passOn(request: IncomingMessage, response: ServerResponse, target: string): void {
	const { method, headers, url = '/' } = request;
	const onward = httpRequest(target + url, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	onward.on('error', () => response.writeHead(502).end());
	request.pipe(onward);
}
