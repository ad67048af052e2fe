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

/** 15 MB of JSON. */
const LARGE = Buffer.alloc(15 * 1024 * 1024, ' ').fill('{}', 0, 2);

const answered = (
	what: string,
	status: number,
	headers: string[] = [...json, key],
	body: OwnAnswer['body'] = text,
): OwnAnswer => ({ what, status, headers, body });

const typed = (what: string, status: number, type: string, body?: OwnAnswer['body']): OwnAnswer =>
	answered(what, status, [`content-type: ${type}`, key], body);

const compressed = (what: string, status: number, encoding: string, body: OwnAnswer['body']): OwnAnswer =>
	answered(what, status, [...json, key, `content-encoding: ${encoding}`], body);

/** Answers of n8n itself. */
export const n8nAnswers: OwnAnswer[] = [
	{ ...answered('Another method than POST', 404), method: 'PUT' },
	answered('JSON that does not parse', 422, undefined, '{"header": '),
	typed('An unknown charset', 422, 'application/json; charset=klingon'),
	compressed(
		'A body in a compression that n8n does not know, such as br',
		422,
		'br',
		brotliCompressSync(text),
	),
	typed('XML that does not parse', 422, 'application/xml', '<a><b></a>'),
	compressed('gzip or deflate that is broken', 500, 'gzip', 'not gzip'),
	compressed('gzip or deflate that is cut off', 500, 'gzip', gzip.subarray(0, gzip.length >> 1)),
	{
		...answered('A body over the limit of n8n (16 MB)', 500, undefined, Buffer.alloc(17 * 1024 * 1024, ' ')),
		withholdsBody: true,
	},
	typed('A multipart body that does not parse', 400, 'multipart/form-data', 'x'),
	answered('Headers over 16 KB', 431, [...json, key, `x-much: ${'m'.repeat(20_000)}`]),
	{
		...answered('Two lengths, or a line that is no header', 400, [
			...[...json, key, 'content-length: 1', 'content-length: 2'],
		]),
		body: undefined,
	},
];

const MULTIPART = '--b\r\ncontent-disposition: form-data; name="header"\r\n\r\n1\r\n--b--\r\n';

/** Answers of the trigger that depend on how a delivery is sent. */
export const triggerAnswers: OwnAnswer[] = [
	answered('x-api-key twice', 401, [...json, key, key]),
	answered('no x-api-key, and 15 MB', 401, json, LARGE),
	answered('15 MB', 413, undefined, LARGE),
	compressed(
		'a small gzip that becomes 10 MB',
		413,
		'gzip',
		gzipSync(Buffer.alloc(10 * 1024 * 1024, ' ').fill('{}', 0, 2)),
	),
	answered('no content type', 415, [key]),
	typed('text/plain', 415, 'text/plain'),
	typed('a form', 415, 'application/x-www-form-urlencoded', 'header=1'),
	typed('XML', 415, 'text/xml', '<header/>'),
	typed('a multipart form', 415, 'multipart/form-data; boundary=b', MULTIPART),
	typed('bytes of unknown type', 415, 'application/octet-stream'),
	typed('UTF-16', 415, 'application/json; charset=utf-16le', Buffer.from(text, 'utf16le')),
	typed('Latin 1', 415, 'application/json; charset=latin1', Buffer.from(text, 'latin1')),
	answered('an empty body', 400, undefined, ''),
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
