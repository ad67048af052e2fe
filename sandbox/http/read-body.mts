import type { IncomingMessage } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import type { RequestBody } from './exchange.mts';

const LARGEST_BODY = 32 * 1024 * 1024;

/** True when a body was announced; a GET without one costs nothing. */
export function hasBody(req: IncomingMessage): boolean {
	const length = req.headers['content-length'];
	return (length !== undefined && length !== '0') || req.headers['transfer-encoding'] !== undefined;
}

/** Reads and parses the body. A client that breaks off rejects the promise. */
export async function readBody(req: IncomingMessage): Promise<RequestBody> {
	const bytes = await collect(req);
	if (bytes === undefined) return { kind: 'tooLarge' };
	const text = bytes.toString('utf8');
	const mediaType = mediaTypeOf(req);
	if (mediaType === 'application/x-www-form-urlencoded') {
		return { kind: 'form', value: { ...parseForm(text) } as Record<string, string | string[]>, text };
	}
	if (mediaType !== 'application/json') return { kind: 'text', text };
	try {
		return { kind: 'json', value: JSON.parse(text), text };
	} catch (error) {
		return { kind: 'broken', text, reason: error instanceof Error ? error.message : String(error) };
	}
}

export function mediaTypeOf(req: IncomingMessage): string {
	return (req.headers['content-type'] ?? '').split(';', 1)[0].trim().toLowerCase();
}

async function collect(req: IncomingMessage): Promise<Buffer | undefined> {
	return await new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		req.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= LARGEST_BODY) chunks.push(chunk);
		});
		req.on('end', () => resolve(size > LARGEST_BODY ? undefined : Buffer.concat(chunks, size)));
		req.on('error', reject);
	});
}
