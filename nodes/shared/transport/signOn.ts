/**
 * Requests to the sign-on area, which carry their proof in themselves: client id and secret in a form, or a token
 * that the workflow has. Sends only through n8n's own helpers, like send.ts.
 */
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { readJson } from '../contract/json';
import { refused } from '../signOn/finding';
import type { FetchJson } from '../signOn/issuerKeys';

import type { Attempt } from './attempt';
import { failed, success, type Failure, type Outcome } from './failure';
import { persevere, type Policy } from './persevere';
import type { Method, Reply } from './request';
import { inWords as waitInWords } from './retryAfter';
import { inWords } from './tokenFailure';
import { mayHaveArrived, troubleOf } from './trouble';

/** What is needed of n8n: the `helpers` of a run, of a webhook, or of a list that the editor loads. */
export interface HttpHelpers {
	httpRequest: (options: IHttpRequestOptions) => Promise<unknown>;
}

/** Sends one request, again where that is safe. Any status is an answer. */
export type Ask = (method: Method, address: string, wish?: AskWish) => Promise<Outcome<Reply>>;

export interface AskWish {
	readonly form?: Readonly<Record<string, string>>;
	/** Goes out as `Authorization: Bearer …`. */
	readonly bearer?: string;
}

function optionsOf(
	method: Method,
	url: string,
	wish: AskWish,
	policy: Policy,
	signal?: AbortSignal,
): IHttpRequestOptions {
	const headers: IDataObject = { Accept: 'application/json' };
	if (wish.bearer !== undefined) headers.Authorization = `Bearer ${wish.bearer}`;
	if (wish.form !== undefined) headers['Content-Type'] = 'application/x-www-form-urlencoded';
	return {
		method,
		url,
		headers,
		...(wish.form && { body: new URLSearchParams(wish.form).toString() }),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Trap: n8n's helper would carry secret and token along to another origin.
		disableFollowRedirect: true,
		timeout: policy.timeoutMs,
		...(signal && { abortSignal: signal }),
	};
}

/** One attempt. The answer's body is text, '' when there was none. */
async function attemptOf(
	helpers: HttpHelpers,
	options: IHttpRequestOptions,
	signal?: AbortSignal,
): Promise<Attempt> {
	if (signal?.aborted) return { kind: 'lost', trouble: 'cancelled' };
	try {
		const {
			statusCode: status,
			headers,
			body,
		} = (await helpers.httpRequest(options)) as IN8nHttpFullResponse;
		return {
			kind: 'answered',
			token: undefined,
			reply: { status, headers, text: typeof body === 'string' ? body : '' },
		};
	} catch (thrown) {
		return { kind: 'lost', trouble: signal?.aborted ? 'cancelled' : troubleOf(thrown) };
	}
}

function tooLong(waitMs: number): Failure {
	return {
		origin: 'service',
		message: `The sign-on asks to wait ${waitInWords(waitMs)} before the next request`,
		description:
			'Run the workflow again after that time, or lower the concurrency in the options of this node.',
		cause: 'temporarily-unavailable',
		retryAfterMs: waitMs,
	};
}

function lost(method: Method, attempt: Extract<Attempt, { kind: 'lost' }>, address: string): Failure {
	const uncertain = method === 'POST' && mayHaveArrived(attempt.trouble);
	const origin = URL.canParse(address) ? new URL(address).origin : 'its address';
	return {
		origin: 'service',
		message: `The sign-on cannot be reached at ${origin} (${inWords[attempt.trouble]})`,
		description:
			'Check Issuer URL in the credential, and that n8n can reach it.' +
			(uncertain
				? ' A code or refresh token that was on its way may count as used: the user may have to log in again.'
				: ''),
		cause: 'temporarily-unavailable',
	};
}

/** A sender for one run, or for one request of a webhook. */
export function askerOf(helpers: HttpHelpers, policy: Policy, signal?: AbortSignal): Ask {
	return async (method, address, wish = {}) => {
		const options = optionsOf(method, address, wish, policy, signal);
		const ending = await persevere(
			method,
			policy,
			signal,
			async () => await attemptOf(helpers, options, signal),
		);
		if (ending.kind === 'tooLong') return failed(tooLong(ending.waitMs));
		const { attempt } = ending;
		if (attempt.kind === 'answered') return success(attempt.reply);
		return failed(attempt.kind === 'lost' ? lost(method, attempt, address) : attempt.reason.failure);
	};
}

/** The way to the issuer's own documents (discovery, keys). */
export function jsonFetcher(ask: Ask): FetchJson {
	return async (address) => {
		const reply = await ask('GET', address);
		if (!reply.ok) {
			const { message, description } = reply.failure;
			return refused({ code: 'issuer_unreachable', message, description });
		}
		const { status, text } = reply.value;
		// What is not JSON holds nothing of what its reader looks for, and he says so.
		if (status === 200) return { valid: true, body: readJson(text) };
		return refused({
			code: 'issuer_refused',
			message: `The sign-on does not give its discovery document or its keys (${status})`,
			description:
				'Check Issuer URL in the credential: it is the address before /.well-known/openid-configuration.',
		});
	};
}
