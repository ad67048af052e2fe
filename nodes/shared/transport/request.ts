/** What travels: a request to the service, and what comes back. Nothing of n8n in here. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request to the service. `path` starts with a slash and is escaped already (see contract/path.ts). */
export interface ServiceRequest {
	method: Method;
	path: string;
	query?: Record<string, string> | Array<[name: string, value: string]>;
	body?: object;
}

/** An answer of the service, whatever its status. `text` is the body as it came, '' when there was none. */
export interface Reply {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

/** The query of a request, escaped; '' when there is none. */
export function queryOf(request: ServiceRequest): string {
	const pairs = Array.isArray(request.query) ? request.query : Object.entries(request.query ?? {});
	return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** Path and query of a request, as they stand behind the base address. */
export function targetOf(request: ServiceRequest): string {
	const query = queryOf(request);
	return query === '' ? request.path : `${request.path}?${query}`;
}

/**
 * True when sending it twice does the same as sending it once (RFC 9110 section 9.2.2). A POST creates: one
 * that may have arrived is never sent again.
 */
export function isRepeatable(method: Method): boolean {
	return method !== 'POST';
}

const ROOT_OF_PAGE = /^\s*<(!doctype\s+html|html)\b/i;
const MARKUP = /<[a-z!/]/i;

/**
 * True for a web page, mostly a proxy's own, before the service was asked. By how the answer begins, or by its content type. Trap: frameworks call a plain `Created` text/html too, so that the content type
 * counts only where there is markup.
 */
export function isPage({ text, headers }: Reply): boolean {
	return ROOT_OF_PAGE.test(text) || (/html/i.test(String(headers['content-type'])) && MARKUP.test(text));
}
