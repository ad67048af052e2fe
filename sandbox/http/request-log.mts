import { createHash } from 'node:crypto';
import { parseQuery, type Exchange, type RequestBody } from './exchange.mts';
import type { LogQuery, LoggedRequest, RequestLogAnswer } from '../admin-types.mts';

const CAPACITY = 100_000;

/** Fields of a form that are secrets: they are named in `withheld`, and their values are not kept. */
const SECRET_FIELDS = new Set(['client_secret', 'refresh_token', 'password']);

interface Entry {
	readonly id: number;
	readonly at: number;
	readonly method: string;
	readonly path: string;
	readonly search: string;
	readonly rawHeaders: readonly string[];
	body: RequestBody;
	status: number;
	durationMs: number;
	readonly inFlight: number;
	fault?: string;
}

/**
 * What the sandbox received, newest last, in a ring of 100,000 entries. Headers and queries are kept as
 * they came and taken apart only when somebody asks: the log stands in the way of every request of a benchmark.
 */
export class RequestLog {
	#ring: Entry[] = [];

	#nextId = 1;

	#inFlight = 0;

	#maxInFlight = 0;

	readonly #fingerprints = new Map<string, string>();

	begin(exchange: Exchange): Entry {
		this.#inFlight += 1;
		if (this.#inFlight > this.#maxInFlight) this.#maxInFlight = this.#inFlight;
		const entry: Entry = {
			id: this.#nextId++,
			at: Date.now(),
			method: exchange.method,
			path: exchange.path,
			search: exchange.search,
			rawHeaders: this.#withoutSecrets(exchange.req.rawHeaders),
			body: exchange.body,
			status: 0,
			durationMs: performance.now(),
			inFlight: this.#inFlight,
		};
		if (this.#ring.length < CAPACITY) this.#ring.push(entry);
		else this.#ring[(entry.id - 1) % CAPACITY] = entry;
		return entry;
	}

	/** `status` 0 says that no answer was sent: the connection was broken. */
	finish(entry: Entry, status: number): void {
		this.#inFlight -= 1;
		entry.status = status;
		entry.durationMs = performance.now() - entry.durationMs;
	}

	get inFlight(): number {
		return this.#inFlight;
	}

	/** Most requests in flight at once since the log was cleared. */
	get maxInFlight(): number {
		return this.#maxInFlight;
	}

	resetMaximum(): void {
		this.#maxInFlight = this.#inFlight;
	}

	clear(): void {
		// Ids start again too, so that the place of an id in the ring stays id - 1 modulo its size.
		this.#ring = [];
		this.#nextId = 1;
		this.resetMaximum();
	}

	query(query: LogQuery): RequestLogAnswer {
		const since = query.since === undefined ? 0 : query.since;
		const found = this.#inOrder().filter(
			(entry) =>
				entry.id > since &&
				(query.path === undefined || entry.path.startsWith(query.path)) &&
				(query.method === undefined || entry.method === query.method.toUpperCase()) &&
				(query.status === undefined || entry.status === query.status),
		);
		const shown = query.countOnly ? [] : query.limit === undefined ? found : found.slice(-query.limit);
		return {
			count: found.length,
			lastId: this.#nextId - 1,
			inFlight: this.#inFlight,
			maxInFlight: this.#maxInFlight,
			requests: shown.map(shownEntry),
		};
	}

	#inOrder(): Entry[] {
		if (this.#ring.length < CAPACITY) return this.#ring;
		const oldest = (this.#nextId - 1) % CAPACITY;
		return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
	}

	#withoutSecrets(rawHeaders: readonly string[]): readonly string[] {
		return rawHeaders.map((value, index) => {
			if (index % 2 === 0) return value;
			const name = rawHeaders[index - 1];
			if (name.length === 13 && name.toLowerCase() === 'authorization') return this.#fingerprintOf(value);
			return name.length === 6 && name.toLowerCase() === 'cookie' ? '(withheld)' : value;
		});
	}

	/** "Bearer " plus the first 8 hex digits of the SHA-256 of the token: tokens can be told apart, not used. */
	#fingerprintOf(authorization: string): string {
		const known = this.#fingerprints.get(authorization);
		if (known) return known;
		const [, scheme, secret] = /^(\S+\s+)?(.*)$/s.exec(authorization) ?? [];
		const digest = createHash('sha256')
			.update(secret ?? '')
			.digest('hex')
			.slice(0, 8);
		const fingerprint = `${(scheme ?? '').trim()} ${digest}`.trim();
		if (this.#fingerprints.size > 1_000) this.#fingerprints.clear();
		this.#fingerprints.set(authorization, fingerprint);
		return fingerprint;
	}
}

function shownEntry(entry: Entry): LoggedRequest {
	const { body, withheld } = shownBody(entry.body);
	return {
		id: entry.id,
		at: new Date(entry.at).toISOString(),
		method: entry.method,
		path: entry.path,
		query: parseQuery(entry.search),
		headers: shownHeaders(entry.rawHeaders),
		body,
		...(withheld.length > 0 ? { withheld } : {}),
		status: entry.status,
		durationMs: Math.round(entry.durationMs * 100) / 100,
		inFlight: entry.inFlight,
		...(entry.fault ? { fault: entry.fault } : {}),
	};
}

function shownBody(body: RequestBody): { body: unknown; withheld: string[] } {
	if (body.kind === 'json') return { body: body.value, withheld: [] };
	if (body.kind === 'form') {
		const fields = Object.entries(body.value);
		return {
			body: Object.fromEntries(fields.filter(([name]) => !SECRET_FIELDS.has(name))),
			withheld: fields.map(([name]) => name).filter((name) => SECRET_FIELDS.has(name)),
		};
	}
	if (body.kind === 'none') return { body: null, withheld: [] };
	return { body: body.kind === 'tooLarge' ? '(too large)' : body.text, withheld: [] };
}

/** Header names in lower case; a header that was sent more than once is a list. */
function shownHeaders(raw: readonly string[]): Record<string, string | string[]> {
	const headers: Record<string, string | string[]> = {};
	for (let index = 0; index < raw.length; index += 2) {
		const name = raw[index].toLowerCase();
		const known = headers[name];
		if (known === undefined) headers[name] = raw[index + 1];
		else headers[name] = Array.isArray(known) ? [...known, raw[index + 1]] : [known, raw[index + 1]];
	}
	return headers;
}

export type { Entry as LogEntry };
