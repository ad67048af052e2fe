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

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Trap: an answer without a body arrives as undefined, null or empty text, depending on its status. */
function bodyText(body: unknown): string {
	return typeof body === 'string' ? body : '';
}

/** Throws when the answer breaks off, or is longer than {@link LONGEST_ANSWER}. Leaving the loop ends the stream. */
async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > LONGEST_ANSWER) throw new Oversized();
		chunks.push(chunk);
	}
	// Leaves out the mark that some systems put before UTF-8, which JSON.parse does not take.
	return new TextDecoder().decode(Buffer.concat(chunks));
}
