import type { ServerResponse } from 'node:http';
import { sendEmpty, sendJson, sendText } from '../http/answer.mts';
import { parseQuery, type Exchange } from '../http/exchange.mts';
import type { ErrorAnswer } from './errors.mts';

/** What a route answers: a status and, unless undefined, a JSON body; or `text`, which is plain text. */
export interface Answer extends ErrorAnswer {
	readonly text?: string;
	readonly headers?: Record<string, string>;
}

export interface RouteInput {
	/** Path parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, string | string[]>>;
	/** The parsed JSON body of a write. */
	readonly body: unknown;
}

/** One row of the document's endpoint tables. */
export interface Route {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Express path. */
	readonly path: string;
	/** The query parameters that the row lists; none when absent. */
	readonly query?: readonly string[] | 'not shown';
	/** What the row says of the body of a success; `shown` when absent. */
	readonly success?: 'not shown';
	readonly answer: (input: RouteInput) => Answer;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

export const nothing: Answer = { status: 204, body: undefined };

export function sendAnswer(
	res: ServerResponse,
	{ status, statusMessage, body, text, headers }: Answer,
): void {
	if (statusMessage !== undefined) res.statusMessage = statusMessage;
	if (text !== undefined) sendText(res, status, 'text/plain; charset=utf-8', text, headers);
	else if (body === undefined) sendEmpty(res, status, headers);
	else sendJson(res, status, body, headers);
}

export function inputOf(exchange: Exchange, params: Readonly<Record<string, string>>): RouteInput {
	const { body } = exchange;
	return { params, query: parseQuery(exchange.search), body: body.kind === 'json' ? body.value : undefined };
}

/** One text value of a query parameter; a repeated one counts as its first. */
export function oneOf(value: string | string[] | undefined): string | undefined {
	return Array.isArray(value) ? value[0] : value;
}
