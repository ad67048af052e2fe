import type { ServerResponse } from 'node:http';

/** Answers JSON with its length, so that a connection can be kept. */
export function sendJson(
	res: ServerResponse,
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): void {
	const body = JSON.stringify(value);
	res.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(body),
		...headers,
	});
	res.end(body);
}

/** Answers without a body. */
export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
	res.writeHead(status, status === 204 ? headers : { 'content-length': 0, ...headers });
	res.end();
}

export function sendText(
	res: ServerResponse,
	status: number,
	contentType: string,
	body: string,
	headers: Record<string, string> = {},
): void {
	res.writeHead(status, {
		'content-type': contentType,
		'content-length': Buffer.byteLength(body),
		...headers,
	});
	res.end(body);
}
