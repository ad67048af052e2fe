/** A service that answers whatever a test tells it to, and writes down what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Answered {
	method: string;
	/** Path and query, unescaped where that is possible. */
	target: string;
	/** Everything that can tell for whom it was: target, body and token. */
	text: string;
	status: number;
}

export interface GivenAnswer {
	status: number;
	body: string;
}

export class AnyService {
	/** What was asked, oldest first; without requests for tokens of the machine. */
	log: Answered[] = [];

	/** Used in turn, from the beginning again when all were given. */
	answers: GivenAnswer[] = [];

	readonly #server: Server;

	private constructor() {
		this.#server = createServer((request, response) => void this.#answer(request, response));
	}

	static async start(): Promise<AnyService> {
		const service = new AnyService();
		service.#server.listen(0, '127.0.0.1');
		await once(service.#server, 'listening');
		return service;
	}

	get address(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}

	begin(answers: GivenAnswer[]): void {
		this.log = [];
		this.answers = answers;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const sent = await text(request);
		const { method = '', url = '', headers } = request;
		if (url === '/machine/connect/token') {
			response
				.setHeader('content-type', 'application/json')
				.end('{"access_token":"machine","token_type":"Bearer"}');
			return;
		}
		const { status, body } = this.answers[this.log.length % this.answers.length];
		const target = decodeURIComponent(url);
		const form = decodeURIComponent(sent.replace(/\+/g, ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
		this.log.push({ method, target, text: `${target}\n${form}\n${headers.authorization}`, status });
		response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : body);
	}
}
