/**
 * What n8n's OAuth2 client threw, where n8n (2.22.6 and 2.33.7) has kept nothing of it but its text, behind words of its own: without code, status and
 * cause. Pure.
 */
import { isJsonObject } from '../contract/json';

import { rawMessage } from './trouble';

const OWN_WORDS = 'Failed to acquire OAuth2 access token: ';

/** The codes behind the texts of axios and Node.js, or the part of a text that is one. */
const CODE_IN_TEXT: Array<[text: RegExp, code?: string]> = [
	[/^(?:HTTP status|Request failed with status code) (\d{3})$/],
	[/\b(E(?:AI_|ADDR|CONN|HOST|NET|NOTFOUND|PIPE|PROTO|RR_|TIMEDOUT)[A-Z_]*)\b/],
	[/certificate|^Hostname\/IP/i, 'CERT_UNTRUSTED'],
	[/^timeout of /, 'ECONNABORTED'],
	[/^socket hang up$|\baborted$|^Parse Error/, 'ECONNRESET'],
	[/^Invalid URL$/, 'ERR_INVALID_URL'],
];

/** Of an answer that cannot be read: its status is not known. */
const UNREADABLE = /^(Unsupported content type|Expected JSON response)/;

/** As n8n 2.4.8 would keep it: the text, and the code or the status as `httpCode`. Anything else comes back as it is. */
export function thrownAtFirst(thrown: unknown): unknown {
	if (!isJsonObject(thrown) || thrown.cause !== undefined) return thrown;
	const text = rawMessage(thrown);
	if (!text.startsWith(OWN_WORDS)) return thrown;
	const message = text.slice(OWN_WORDS.length);
	return { message, httpCode: UNREADABLE.test(message) ? null : codeIn(message) };
}

/** What is no trouble on the way, and no status, are the words of a refusal. */
function codeIn(message: string): string {
	for (const [text, code] of CODE_IN_TEXT) {
		const found = text.exec(message);
		if (found !== null) return code ?? found[1] ?? '';
	}
	return 'EAUTH';
}
