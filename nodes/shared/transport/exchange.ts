/** One request, sent once through n8n's own helper: the only place that knows its options. */
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isServerError } from '../contract/refusal';

import type { Attempt } from './attempt';
import type { Deadline } from './deadline';
import type { Method } from './request';
import { troubleOf } from './trouble';

/** What is needed of n8n: the `helpers` of a run, of a webhook, or of a list that the editor loads. */
export interface HttpHelpers {
	httpRequest: (options: IHttpRequestOptions) => Promise<unknown>;
}

/** What goes over the wire, but for the proof of who sends it. */
export interface Message {
	method: Method;
	url: string;
	contentType?: string;
	/** Text, or what becomes JSON. */
	body?: string | object;
	/** Whether no more of the answer is read than {@link LONGEST_ANSWER}. */
	isBounded: boolean;
}

/** The longest answer that is read, as long as the longest body that n8n itself takes in. Bytes, after decompression. */
export const LONGEST_ANSWER = 16 * 1024 * 1024;

class Oversized extends Error {}

/**
 * One attempt, which ends with its deadline. Never throws.
 * @param authorization the header of that name
 */
export async function exchange(
	helpers: HttpHelpers,
	message: Message,
	deadline: Deadline,
	authorization?: string,
): Promise<Attempt> {
	if (deadline.trouble !== undefined) return { kind: 'lost', trouble: deadline.trouble };
	try {
		const response = await deadline.within(
			helpers.httpRequest(httpOptions(message, deadline, authorization)),
		);
		const { statusCode, headers, body } = response as IN8nHttpFullResponse;
		const text = isStream(body) ? await deadline.within(readAll(body)) : bodyText(body);
		// Trap: by the document's samples, a server error may come as a bad request.
		const status = statusCode === 400 && isServerError(text) ? 500 : statusCode;
		return { kind: 'answered', reply: { status, headers, text } };
	} catch (thrown) {
		return {
			kind: 'lost',
			trouble: thrown instanceof Oversized ? 'oversized' : (deadline.trouble ?? troubleOf(thrown)),
		};
	}
}

function httpOptions(
	{ method, url, contentType, body, isBounded }: Message,
	{ signal }: Deadline,
	authorization: string | undefined,
): IHttpRequestOptions {
	const headers: IDataObject = { Accept: 'application/json' };
	if (contentType !== undefined) headers['Content-Type'] = contentType;
	if (authorization !== undefined) headers.Authorization = authorization;
	return {
		method,
		url,
		headers,
		...(body !== undefined && { body: body as IDataObject }),
		// n8n's helper has no bound for the size of an answer, so that a bounded one is read by ourselves. In any case it is text:
		// what is not JSON gets a message of its own.
		encoding: isBounded ? 'stream' : 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Trap: n8n's helper would carry token and secret along to another origin.
		disableFollowRedirect: true,
		// The deadline ends the request. Without a timeout n8n would end it after five minutes of silence.
		timeout: 0,
		abortSignal: signal,
	};
}

interface Stream {
	on(event: 'data', listener: (chunk: Buffer) => void): this;
	on(event: 'end' | 'close', listener: () => void): this;
	on(event: 'error', listener: (reason: Error) => void): this;
	destroy(): void;
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;
}

/** Trap: an answer without a body arrives as undefined, null or empty text, depending on its status. */
function bodyText(body: unknown): string {
	return typeof body === 'string' ? body : '';
}

/** Trap: JSON.parse does not take the mark that some systems put before UTF-8. */
function answerText(chunks: readonly Buffer[]): string {
	const text = Buffer.concat(chunks).toString();
	return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Rejects when the answer breaks off, or is longer than {@link LONGEST_ANSWER}. */
async function readAll(body: Stream): Promise<string> {
	return await new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		body.on('data', (chunk) => {
			bytes += chunk.length;
			if (bytes <= LONGEST_ANSWER) chunks.push(chunk);
			else {
				reject(new Oversized());
				body.destroy();
			}
		});
		body.on('end', () => resolve(answerText(chunks)));
		body.on('error', reject);
		body.on('close', () => reject(new Error('The answer broke off')));
	});
}
