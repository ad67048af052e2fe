/**
 * What the sign-on area said when it gave no token, read from what n8n's OAuth2 helper throws. Pure.
 *
 * n8n 2.40.7 hands on what its OAuth2 client throws, or wraps it with that as the cause. n8n 2.4.8 does so for a renewal; for the
 * first token of a credential it wraps it in a NodeApiError that has no cause, only notes of what was thrown. n8n 2.22.6 and 2.33.7 keep nothing
 * but its text, behind words of their own.
 */
import { isJsonObject } from '../contract/json';

import { causesOf, rawMessage } from './trouble';

type NoToken =
	/** It refuses the client or the grant, with an OAuth error code (RFC 6749 section 5.2) where that is known. */
	| { kind: 'client'; code?: string }
	/** It answers with this status and no such code, or with what is no answer of a sign-on area. */
	| { kind: 'status'; status: number }
	/** It answers with something that cannot be read; n8n does not say with which status. */
	| { kind: 'unreadable' };

/** Undefined when no answer came back. */
export function noTokenBehind(thrown: unknown): NoToken | undefined {
	if (asksToReconnect(thrown)) return { kind: 'client', code: 'invalid_grant' };
	return foundInCauses(thrown) ?? foundInNotes(thrown);
}

/**
 * Trap: for a refresh token that is refused or missing, n8n (2.40.7) throws a text of its own that carries neither
 * the sign-on's code nor a status; n8n 2.4.8 does so for one that is missing.
 */
function asksToReconnect(thrown: unknown): boolean {
	return isJsonObject(thrown) && /\breconnect|^refreshToken is required$/i.test(rawMessage(thrown));
}

interface OAuthErrorLink {
	status?: unknown;
	body?: unknown;
	response?: unknown;
}

/** The OAuth error code or the status, wherever n8n's wrapping has put it. */
function foundInCauses(thrown: unknown): NoToken | undefined {
	let status: number | undefined;
	for (const link of causesOf<OAuthErrorLink>(thrown)) {
		if (isJsonObject(link.body) && typeof link.body.error === 'string')
			return { kind: 'client', code: link.body.error };
		// Trap: an answer that broke off carries its status 200 along; only with its body it is an answer.
		const found = isJsonObject(link.response) ? link.response.status : link.status;
		if (typeof found === 'number' && (found >= 300 || 'body' in link)) status ??= found;
	}
	if (status !== undefined) return { kind: 'status', status };
	return isJsonObject(thrown) && thrown.name === 'SyntaxError' ? { kind: 'unreadable' } : undefined;
}

/** What n8n's OAuth2 client says instead of the code that it was given. */
const CODE_BEHIND_TEXT: Array<[beginning: string, code: string]> = [
	['Client authentication failed', 'invalid_client'],
	['The client is not authorized', 'unauthorized_client'],
	['The requested scope', 'invalid_scope'],
	['The provided authorization grant', 'invalid_grant'],
	['The authorization grant type is not supported', 'unsupported_grant_type'],
	['The request is missing a required parameter', 'invalid_request'],
	['The authorization server encountered', 'server_error'],
	['The authorization server is currently unable', 'temporarily_unavailable'],
];

/**
 * The codes of RFC 6749 and RFC 8628 for "not now", and what gateways answer 429 with. Trap: of an answer with a code, n8n's client
 * keeps the body and not the status.
 */
const NOT_NOW =
	/^(temporarily|service)[ _]unavailable$|^server[ _](error|busy)$|^slow[ _]down$|^too[ _]many[ _]requests$|^rate[ _]limit(ed|[ _](exceeded|reached))?$/i;

/** True for a code that says nothing against the client: the next answer may be another. */
export function isPassingCode(code: string | undefined): boolean {
	return code !== undefined && NOT_NOW.test(code);
}

/** The text of an answer that is not JSON; with such a text a status of 200 belongs to an answer that was read to its end. */
const NOT_JSON = /^(Unsupported content type|Expected JSON response)/;

/** `httpCode` of a NodeApiError is whatever it found first: a status, or the code of the thrown error. */
function foundInNotes(thrown: unknown): NoToken | undefined {
	if (!isJsonObject(thrown)) return undefined;
	const text = rawMessage(thrown);
	if (thrown.httpCode === 'EAUTH') return { kind: 'client', code: codeBehind(text) };
	const status = Number(thrown.httpCode);
	if (status >= 300 || (status >= 200 && NOT_JSON.test(text))) return { kind: 'status', status };
	return thrown.httpCode === null && (/\bJSON\b/.test(text) || NOT_JSON.test(text))
		? { kind: 'unreadable' }
		: undefined;
}

/** Trap: for a code that n8n does not know, the text is the sign-on's own description, which is not ours to show. */
function codeBehind(text: string): string | undefined {
	const [, code] = CODE_BEHIND_TEXT.find(([beginning]) => text.startsWith(beginning)) ?? [];
	return code ?? (/^[a-z_]+$/.test(text) || isPassingCode(text) ? text : undefined);
}

const OWN_WORDS = 'Failed to acquire OAuth2 access token: ';

const STATUS = /^(?:HTTP status|Request failed with status code) (\d{3})$/;

/** The codes behind texts of axios, Node.js and OpenSSL that do not name them. Anchored: the words of a refusal may speak of certificates, too. */
const CODE_OF_TEXT: Array<[text: RegExp, code: string]> = [
	// Of a host with several addresses that all refuse, Node.js says nothing.
	[/^$/, 'ECONNREFUSED'],
	[
		/^socket hang up$|\baborted$|^Parse Error|^Client network socket disconnected|^Proxy connection ended|unexpected eof/i,
		'ECONNRESET',
	],
	[
		/^(self.signed|unable to (get|verify)|certificate (has|is|not|chain|signature|revoked|rejected)|Hostname\/IP)/i,
		'CERT_UNTRUSTED',
	],
	[/^timeout of /, 'ECONNABORTED'],
	[/^Maximum number of redirects/, 'ERR_FR_TOO_MANY_REDIRECTS'],
	[/^Invalid URL$/, 'ERR_INVALID_URL'],
];

/** As Node.js names the code in a text: `connect ECONNREFUSED 127.0.0.1:1`. */
const SYSTEM_CALL = /^(?:connect|read|write|getaddrinfo) (E[A-Z_]+)\b/;

/** What n8n's protection against server-side request forgery says. */
const BLOCKED = /^The request was blocked because/;

/** As n8n 2.4.8 would keep it: the text, and the code or the status as `httpCode`. Anything else comes back as it is. */
export function thrownAtFirst(thrown: unknown): unknown {
	if (!isJsonObject(thrown) || thrown.cause !== undefined) return thrown;
	const text = rawMessage(thrown);
	if (!text.startsWith(OWN_WORDS)) return thrown;
	const message = text.slice(OWN_WORDS.length);
	if (BLOCKED.test(message)) return { message, name: 'SsrfBlocked' };
	// Of an answer that cannot be read, the status is not known.
	return { message, httpCode: NOT_JSON.test(message) ? null : codeInText(message) };
}

/** What is no status, and no trouble on the way, are the words of a refusal. */
function codeInText(message: string): string {
	const [, status] = STATUS.exec(message) ?? [];
	const [, code] = CODE_OF_TEXT.find(([text]) => text.test(message)) ?? SYSTEM_CALL.exec(message) ?? [];
	return status ?? code ?? 'EAUTH';
}
