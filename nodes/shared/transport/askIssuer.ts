/** Requests to the sign-on area: a form with client id and secret, a token that the workflow has, or the connected user's. */
import { readJson } from '../contract/json';
import { failed, success, type Outcome, type Reason } from '../failure';
import type { FetchJson } from '../oidc/discovery';

import type { HttpHelpers } from './exchange';
import type { Limiter } from './limiter';
import { refusalDetails } from './requestFailure';
import { SIGN_ON } from './requestWords';
import type { Method, Reply } from './request';
import type { RetryPolicy } from './retry';
import { requestContext, sendWithRetries, type Request } from './sendWithRetries';

/** Sends one request, again where that is safe. Gives an answer of 200 to 299, or why there is none. Never throws. */
export type Ask = (method: Method, address: string, wish?: AskWish) => Promise<Outcome<Reply>>;

export interface AskWish extends Pick<Request, 'signer' | 'refused' | 'mayBeSpent'> {
	readonly form?: Readonly<Record<string, string>>;
}

/** Fields of a form that must not come back in a text from outside. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
	'client_secret',
	'code',
	'code_verifier',
	'refresh_token',
]);

/** A sender for one run, or for one request of a webhook. */
export function askerOf(helpers: HttpHelpers, policy: RetryPolicy, limiter?: Limiter): Ask {
	const context = requestContext(helpers, policy, limiter);
	return async (method, url, { form, ...wish } = {}) => {
		const sent = { method, url, isBounded: true, ...(form && formOf(form)) };
		return await sendWithRetries({ ...sent, ...wish, peer: SIGN_ON }, context);
	};
}

function formOf(form: Readonly<Record<string, string>>) {
	return {
		contentType: 'application/x-www-form-urlencoded',
		body: new URLSearchParams(form).toString(),
		secrets: Object.keys(form).flatMap((field) => (SECRET_FIELDS.has(field) ? [form[field]] : [])),
	};
}

/** True for what says nothing about the question: the sign-on is busy or broken, or something else answers in its place. */
export function isSignOnUnavailable({ status }: Reply): boolean {
	// RFC 9110 section 15.5.8: only a proxy answers 407.
	return (status >= 300 && status < 400) || status === 407 || status === 429 || status >= 500;
}

/** The way to the issuer's own documents (discovery, keys). A refusal carries the failure that it comes from. */
export function jsonFetcher(ask: Ask): FetchJson {
	return async (address) => {
		const reply = await ask('GET', address, { refused: notGiven });
		// What is not JSON holds nothing of what its reader looks for, and he says so.
		if (reply.ok) return success(readJson(reply.value.text));
		const { message, next, status } = reply.failure;
		const code = status === undefined ? 'issuer_unreachable' : 'issuer_refused';
		return failed({ findings: [{ code, message, next }], cause: reply.failure });
	};
}

function notGiven(reply: Reply): Reason | undefined {
	if (isSignOnUnavailable(reply)) return undefined;
	return {
		origin: 'signOn',
		message: `The sign-on does not give its discovery document or its keys (${reply.status})`,
		next: 'Check Issuer URL in the credential: it is the address before /.well-known/openid-configuration.',
		...refusalDetails(reply, Date.now()),
	};
}
