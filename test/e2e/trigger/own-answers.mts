/**
 * Requests that n8n answers before the trigger is asked, or that the trigger refuses for the way they are
 * sent. The texts are those of the tables in docs/events.md, which the test holds against what n8n answers.
 */
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { userAccess } from '../../unit/trigger/sample-events.mts';
import { KEY } from './support.mts';

export interface OwnAnswer {
	/** The row of the document. */
	what: string;
	status: number;
	/** Everything after the request line. */
	headers: string[];
	body?: Buffer | string;
	/** Only the length of the body is said: who refuses by it hangs up, and bytes on their way would destroy the answer. */
	withholdsBody?: true;
	method?: string;
}

const text = JSON.stringify(userAccess());
const json = ['content-type: application/json'];
const key = `x-api-key: ${KEY}`;
const gzip = gzipSync(text);

/** Answers of n8n itself. */
export const n8nAnswers: OwnAnswer[] = [
	{ what: 'Another method than POST', status: 404, method: 'PUT', headers: [...json, key], body: text },
	{ what: 'JSON that does not parse', status: 422, headers: [...json, key], body: '{"header": ' },
	{
		what: 'An unknown charset',
		status: 422,
		headers: ['content-type: application/json; charset=klingon', key],
		body: text,
	},
	{
		what: 'A body in a compression that n8n does not know, such as br',
		status: 422,
		headers: [...json, key, 'content-encoding: br'],
		body: brotliCompressSync(text),
	},
	{
		what: 'XML that does not parse',
		status: 422,
		headers: ['content-type: application/xml', key],
		body: '<a><b></a>',
	},
	{
		what: 'gzip or deflate that is broken',
		status: 500,
		headers: [...json, key, 'content-encoding: gzip'],
		body: 'not gzip',
	},
	{
		what: 'gzip or deflate that is cut off',
		status: 500,
		headers: [...json, key, 'content-encoding: gzip'],
		body: gzip.subarray(0, gzip.length >> 1),
	},
	{
		what: 'A body over the limit of n8n (16 MB)',
		status: 500,
		headers: [...json, key],
		body: Buffer.alloc(17 * 1024 * 1024, ' '),
		withholdsBody: true,
	},
	{
		what: 'A multipart body that does not parse',
		status: 400,
		headers: ['content-type: multipart/form-data', key],
		body: 'x',
	},
	{
		what: 'Headers over 16 KB',
		status: 431,
		headers: [...json, key, `x-much: ${'m'.repeat(20_000)}`],
		body: text,
	},
	{
		what: 'Two lengths, or a line that is no header',
		status: 400,
		headers: [...json, key, 'content-length: 1', 'content-length: 2'],
	},
];

/** Answers of the trigger that depend on how a delivery is sent. */
export const triggerAnswers: OwnAnswer[] = [
	{ what: 'x-api-key twice', status: 401, headers: [...json, key, key], body: text },
	{
		what: 'no x-api-key, and 15 MB',
		status: 401,
		headers: json,
		body: Buffer.alloc(15 * 1024 * 1024, ' ').fill('{}', 0, 2),
	},
	{
		what: '15 MB',
		status: 413,
		headers: [...json, key],
		body: Buffer.alloc(15 * 1024 * 1024, ' ').fill('{}', 0, 2),
	},
	{
		what: 'a small gzip that becomes 10 MB',
		status: 413,
		headers: [...json, key, 'content-encoding: gzip'],
		body: gzipSync(Buffer.alloc(10 * 1024 * 1024, ' ').fill('{}', 0, 2)),
	},
	{ what: 'no content type', status: 415, headers: [key], body: text },
	{ what: 'text/plain', status: 415, headers: ['content-type: text/plain', key], body: text },
	{
		what: 'a form',
		status: 415,
		headers: ['content-type: application/x-www-form-urlencoded', key],
		body: 'header=1',
	},
	{ what: 'XML', status: 415, headers: ['content-type: text/xml', key], body: '<header/>' },
	{
		what: 'a multipart form',
		status: 415,
		headers: ['content-type: multipart/form-data; boundary=b', key],
		body: '--b\r\ncontent-disposition: form-data; name="header"\r\n\r\n1\r\n--b--\r\n',
	},
	{
		what: 'bytes of unknown type',
		status: 415,
		headers: ['content-type: application/octet-stream', key],
		body: text,
	},
	{
		what: 'UTF-16',
		status: 415,
		headers: ['content-type: application/json; charset=utf-16le', key],
		body: Buffer.from(text, 'utf16le'),
	},
	{
		what: 'Latin 1',
		status: 415,
		headers: ['content-type: application/json; charset=latin1', key],
		body: Buffer.from(text, 'latin1'),
	},
	{ what: 'an empty body', status: 400, headers: [...json, key], body: '' },
];

/** Writes a request byte by byte as given and gives the status of the answer; 0 when the connection ended without. */
export async function sendRaw(
	url: string,
	{ method = 'POST', headers, body, withholdsBody }: OwnAnswer,
): Promise<{ status: number; text: string }> {
	const { hostname, port, pathname, host } = new URL(url);
	const bytes = Buffer.from((body ?? '') as string);
	const length = body === undefined ? [] : [`content-length: ${bytes.length}`];
	const head = [
		`${method} ${pathname} HTTP/1.1`,
		`host: ${host}`,
		'connection: close',
		...headers,
		...length,
		'',
		'',
	].join('\r\n');
	return await new Promise((resolve) => {
		const socket = connect(Number(port), hostname);
		const parts: Buffer[] = [];
		const done = () => {
			const answer = Buffer.concat(parts).toString('utf8');
			resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), text: answer });
		};
		socket.on('data', (part: Buffer) => parts.push(part));
		// A server may answer and hang up before everything was written: what it said counts.
		socket.on('error', () => undefined);
		socket.on('close', done);
		socket.write(head);
		if (!withholdsBody) socket.write(bytes);
	});
}
