/** A sender of deliveries that writes its requests itself, so that it can also write what no client would. */
import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export const KEY = 'the-key-of-the-aurora-network';

/** Kept connections race with a server that closes them: a test of refusals is no place for that. */
const NO_POOL = new Agent({ keepAlive: false });

export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	/** The body as it came. */
	text: string;
	/** The body as JSON; undefined when it is none. */
	body: Record<string, unknown> | undefined;
}

export interface Delivery {
	/** Text and bytes are sent as they are, anything else as JSON. */
	body: unknown;
	/** Default: POST. */
	method?: string;
	/** Replaces and adds to Content-Type, Content-Length and x-api-key; undefined takes one away. */
	headers?: OutgoingHttpHeaders;
	/** Hangs up when it fires. */
	signal?: AbortSignal;
}

function bytesOf(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): Record<string, unknown> | undefined {
	try {
		return JSON.parse(text) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}

/** Sends a delivery. Rejects when there is no answer. */
export async function deliver(
	url: string,
	{ body, headers, signal, method = 'POST' }: Delivery,
): Promise<Answer> {
	const bytes = bytesOf(body);
	const all = {
		'content-type': 'application/json',
		'content-length': bytes.length,
		'x-api-key': KEY,
		...headers,
	};
	const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
	return await new Promise((resolve, reject) => {
		const request = httpRequest(url, { method, headers: sent, signal, agent: NO_POOL }, (response) => {
			const parts: Buffer[] = [];
			response.on('data', (part: Buffer) => parts.push(part));
			response.on('error', reject);
			response.on('end', () => {
				const text = Buffer.concat(parts).toString('utf8');
				resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
			});
		});
		request.on('error', reject);
		request.end(bytes);
	});
}
