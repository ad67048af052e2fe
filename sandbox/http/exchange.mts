import type { IncomingMessage, ServerResponse } from 'node:http';

/** What came with a request's body, read once for the log, the faults and the checks. */
export type RequestBody =
	| { readonly kind: 'none' }
	| { readonly kind: 'json'; readonly value: unknown; readonly text: string }
	| { readonly kind: 'form'; readonly value: Record<string, string | string[]>; readonly text: string }
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'broken'; readonly text: string; readonly reason: string }
	| { readonly kind: 'tooLarge' };

/** One request on its way through the sandbox. */
export interface Exchange {
	readonly req: IncomingMessage;
	readonly res: ServerResponse;
	readonly method: string;
	/** Path without the query, as it was sent (not decoded). */
	readonly path: string;
	readonly search: string;
	body: RequestBody;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

export function rememberExchange(exchange: Exchange): void {
	exchanges.set(exchange.req, exchange);
}

/** The exchange of a request inside an Express handler. */
export function exchangeOf(req: IncomingMessage): Exchange {
	const exchange = exchanges.get(req);
	if (!exchange) throw new Error('The request did not come through the pipeline.');
	return exchange;
}

export function parseQuery(search: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = {};
	if (search.length < 2) return query;
	for (const [name, value] of new URLSearchParams(search)) {
		const known = Object.hasOwn(query, name) ? query[name] : undefined;
		if (known === undefined) query[name] = value;
		else query[name] = Array.isArray(known) ? [...known, value] : [known, value];
	}
	return query;
}
