/**
 * What can go wrong below HTTP, read from what n8n's helper throws (axios and Node.js system errors).
 *
 * The question that matters is whether the request may have reached the service.
 */

export type Trouble =
	/** The connection was never made: nothing has arrived. */
	| 'refused'
	/** The host name has no address: nothing has arrived. */
	| 'unresolved'
	/** No answer in time: the request may have arrived. */
	| 'timeout'
	/** The connection ended on the way: the request may have arrived. */
	| 'broken'
	/** The certificate is not trusted or TLS could not be agreed: nothing has arrived. */
	| 'untrusted'
	/** The address is no address of a service. */
	| 'invalidAddress'
	/** n8n itself does not let the request out (its protection against server-side request forgery, a proxy rule). */
	| 'blocked'
	/** The answer was longer than is read (exchange.ts): what was asked may be done. */
	| 'oversized'
	/** The run was cancelled. */
	| 'cancelled';

/** What happened on the way, to stand in brackets. */
export const IN_BRACKETS: Record<Trouble, string> = {
	refused: 'the connection was refused',
	unresolved: 'there is no host of that name',
	timeout: 'there was no answer in time',
	oversized: 'its answer was too long',
	broken: 'the connection or its answer broke off',
	untrusted: 'its certificate is not trusted',
	invalidAddress: 'it is not an address',
	blocked: 'n8n does not allow requests to it',
	cancelled: 'the run was cancelled',
};

const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'EHOSTDOWN',
]);
const NO_ADDRESS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const NOT_IN_TIME = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']);
const CUT = new Set(['ECONNRESET', 'EPIPE']);
const INVALID = new Set(['ERR_INVALID_URL', 'ERR_BAD_OPTION_VALUE', 'ERR_UNESCAPED_CHARACTERS']);
/** TLS that broke after it was agreed: what was sent under it may have arrived. */
const BROKEN_TLS = /^ERR_SSL_.*(BAD_RECORD_MAC|UNEXPECTED_EOF)/;
const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH)/;

/** Names the trouble behind a thrown value, following its causes. Anything unknown counts as a broken connection. */
export function troubleOf(thrown: unknown): Trouble {
	for (const link of causesOf<Link>(thrown)) {
		const trouble = troubleOfOne(link);
		if (trouble !== undefined) return trouble;
	}
	return 'broken';
}

/** True when the service may have received the request although no answer came back. */
export function mayHaveArrived(trouble: Trouble): boolean {
	return ['timeout', 'broken', 'oversized', 'cancelled'].includes(trouble);
}

/** True for what n8n itself decides before anything is on its way, or what its credential holds. */
export function isTroubleOfN8n(trouble: Trouble): boolean {
	return ['invalidAddress', 'blocked', 'cancelled'].includes(trouble);
}

interface Link {
	code?: unknown;
	httpCode?: unknown;
	messages?: unknown;
	name?: unknown;
	message?: unknown;
	syscall?: unknown;
}

function troubleOfOne(link: Link): Trouble | undefined {
	const code = codeOf(link);
	const name = typeof link.name === 'string' ? link.name : '';
	if (code === 'ERR_CANCELED' || name === 'AbortError' || name === 'CanceledError') return 'cancelled';
	if (name.startsWith('SsrfBlocked') || name === 'DomainNotAllowedError') return 'blocked';
	// Trap: a connection that was made can end with the same codes, when its host or the way there is gone.
	if (NEVER_CONNECTED.has(code)) return isOfConnection(link) ? 'broken' : 'refused';
	if (NO_ADDRESS.has(code)) return 'unresolved';
	if (wasConnecting(link, code, name)) return 'refused';
	if (link.syscall === 'getaddrinfo') return 'unresolved';
	if (NOT_IN_TIME.has(code)) return abortedMidway(link) ? 'broken' : 'timeout';
	if (INVALID.has(code) || rawMessage(link) === 'Invalid URL') return 'invalidAddress';
	if (BROKEN_TLS.test(code)) return 'broken';
	if (UNTRUSTED.test(code)) return 'untrusted';
	if (CUT.has(code) || code === 'ERR_BAD_RESPONSE' || code.startsWith('HPE_')) return 'broken';
	return undefined;
}

/**
 * True where no connection was made, whatever its code. Traps: an attempt that timed out has the same code as an answer that did; one at
 * several addresses has that code without a word, and no syscall (Node.js, `autoSelectFamily`). One that is reset at once was there.
 */
function wasConnecting(link: Link, code: string, name: string): boolean {
	const message = rawMessage(link);
	if (!CUT.has(code) && (link.syscall === 'connect' || /^connect E/.test(message))) return true;
	if (name === 'AggregateError' && NOT_IN_TIME.has(code)) return true;
	return message.includes('before secure TLS connection was established');
}

/** True for what happened to a connection that was there. */
function isOfConnection({ syscall, ...link }: Link): boolean {
	return /^(read|write)\b/.test(typeof syscall === 'string' ? syscall : rawMessage(link));
}

/** Trap: axios reports an answer that was cut short as ECONNABORTED too, with another message than its timeouts. */
function abortedMidway(link: Link): boolean {
	const message = rawMessage(link);
	return message !== '' && !/time/i.test(message);
}

/**
 * Trap: what n8n 2.4.8 catches in its OAuth2 helper it wraps in a NodeApiError without a cause. The code is kept as `httpCode`
 * then, and the message, before n8n put it into words of its own, stands first in `messages`.
 */
function codeOf({ code, httpCode }: Link): string {
	if (typeof code === 'string') return code;
	return typeof httpCode === 'string' ? httpCode : '';
}

/** What was thrown at first, in its own words. */
export function rawMessage({ message, messages }: Pick<Link, 'message' | 'messages'>): string {
	const raw: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
	return typeof raw === 'string' ? raw : '';
}

/** The thrown value and its causes; for a connection tried at several addresses, also its first attempt. */
export function causesOf<Each extends object>(thrown: unknown): Each[] {
	const links: Each[] = [];
	let next = thrown;
	while (typeof next === 'object' && next !== null && links.length < 8 && !links.includes(next as Each)) {
		const link: { cause?: unknown; errors?: unknown } = next;
		links.push(next as Each);
		next = link.cause ?? (Array.isArray(link.errors) ? link.errors[0] : undefined);
	}
	return links;
}
