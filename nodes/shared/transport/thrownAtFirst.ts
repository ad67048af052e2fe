/**
 * What n8n's OAuth2 client threw, where n8n (2.22.6 and 2.33.7) has kept nothing of it but its text, behind words of its own: without code, status and
 * cause. Pure.
 */
import { isJsonObject } from '../contract/json';

import { NOT_JSON } from './noToken';
import { rawMessage } from './trouble';

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
	return { message, httpCode: NOT_JSON.test(message) ? null : codeIn(message) };
}

/** What is no status, and no trouble on the way, are the words of a refusal. */
function codeIn(message: string): string {
	const [, status] = STATUS.exec(message) ?? [];
	const [, code] = CODE_OF_TEXT.find(([text]) => text.test(message)) ?? SYSTEM_CALL.exec(message) ?? [];
	return status ?? code ?? 'EAUTH';
}
