import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Receiver {
	url: string;
	received: Received[];
	/** What is answered: a status, or 'break' to end the connection without an answer. */
	answer: (received: Received, index: number) => number | 'break';
	/** After so long, in milliseconds; default: at once. */
	answersAfterMs: number;
	close(): Promise<void>;
}

/** The partner's side of a delivery: takes what comes and answers as told. */
export async function openReceiver(): Promise<Receiver> {
	const receiver: Receiver = {
		...{ url: '', received: [], answersAfterMs: 0 },
		...{ answer: () => 200, close: async () => undefined },
	};
	const server = createServer((req, res) => {
		let body = '';
		req.on('data', (chunk: Buffer) => (body += chunk.toString()));
		req.on('end', () => {
			const received = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body };
			receiver.received.push(received);
			const answer = receiver.answer(received, receiver.received.length);
			setTimeout(() => {
				if (answer === 'break') req.socket.destroy();
				else res.writeHead(answer).end(JSON.stringify({ status: answer < 300 ? 'accepted' : 'rejected' }));
			}, receiver.answersAfterMs);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
	receiver.close = async () =>
		await new Promise((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return receiver;
}
