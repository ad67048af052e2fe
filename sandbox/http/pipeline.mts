import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultState } from '../admin-types.mts';
import { areaOf, documentedError } from '../areas/errors.mts';
import { sendAnswer } from '../areas/route.mts';
import { variedError } from '../areas/variation.mts';
import type { Variant } from '../variants.mts';
import { rememberExchange, type Exchange } from './exchange.mts';
import type { Faults } from './faults.mts';
import { breakConnection, interceptAnswer, sendHalf } from './intercept.mts';
import type { Pace } from './pace.mts';
import { hasBody, readBody } from './read-body.mts';
import type { LogEntry, RequestLog } from './request-log.mts';

export interface PipelineParts {
	readonly log: RequestLog;
	readonly faults: Faults;
	readonly pace: Pace;
	expireToken(exchange: Exchange): Promise<void>;
	/** The variants that are switched on: they hold for the refusals of faults, too. */
	variants(): readonly Variant[];
	/** Answers the request. */
	dispatch(exchange: Exchange): void;
}

/** Log, body, fault, pace, handler: the way of every request that is not the admin's. */
export function createPipeline(parts: PipelineParts): (req: IncomingMessage, res: ServerResponse) => void {
	return (req, res) => {
		const url = req.url ?? '/';
		const mark = url.indexOf('?');
		const exchange: Exchange = {
			req,
			res,
			method: req.method ?? 'GET',
			path: mark < 0 ? url : url.slice(0, mark),
			search: mark < 0 ? '' : url.slice(mark),
			body: { kind: 'none' },
		};
		rememberExchange(exchange);
		const entry = parts.log.begin(exchange);
		res.once('close', () => parts.log.finish(entry, res.headersSent ? res.statusCode : 0));
		if (!hasBody(req)) return proceed(parts, exchange, entry);
		readBody(req).then(
			(body) => {
				exchange.body = body;
				entry.body = body;
				proceed(parts, exchange, entry);
			},
			// The client broke off: there is nobody to answer.
			() => res.destroy(),
		);
	};
}

function proceed(parts: PipelineParts, exchange: Exchange, entry: LogEntry): void {
	const fault = parts.faults.take(exchange);
	if (fault) {
		entry.fault = fault.id;
		// A fault that cannot be carried out breaks its own request, and not the sandbox.
		strike(parts, exchange, fault).catch(() => exchange.res.destroy());
	} else handle(parts, exchange);
}

/** The API is as far and as busy as it was set to be. Signing on is neither, but for its connections. */
function handle(parts: PipelineParts, exchange: Exchange): void {
	const serve = (): void => parts.dispatch(exchange);
	const area = areaOf(exchange.path);
	if (area !== 'identity') {
		parts.pace.admit(exchange, serve, ({ status, message, headers }) => {
			const refusal = { ...documentedError(area, status, message), headers };
			sendAnswer(exchange.res, variedError(refusal, parts.variants()));
		});
		return;
	}
	const connecting = parts.pace.connectionMs(exchange);
	if (connecting > 0) setTimeout(serve, connecting);
	else serve();
}

async function strike(parts: PipelineParts, exchange: Exchange, { fault }: FaultState): Promise<void> {
	const { res } = exchange;
	if (fault.delayMs !== undefined && !fault.afterwards) await wait(fault.delayMs);
	if (res.destroyed) return;
	if (fault.drop === 'before') return breakConnection(res);
	if (fault.expireToken) await parts.expireToken(exchange);
	if (fault.drop === 'after') {
		interceptAnswer(res, () => breakConnection(res));
		return handle(parts, exchange);
	}
	if (!replacesAnswer(fault) && !comesLate(fault)) {
		if (fault.cutBody) interceptAnswer(res, (body) => sendHalf(res, body));
		else addHeaders(res, fault);
		return handle(parts, exchange);
	}
	if (!fault.afterwards) return answerFault(exchange, fault, parts.variants());
	interceptAnswer(res, (body) => {
		answerAfterwards(parts, exchange, fault, body).catch(() => res.destroy());
	});
	handle(parts, exchange);
}

/** The work is done: its own answer comes late, or another one in its place. */
async function answerAfterwards(
	parts: PipelineParts,
	exchange: Exchange,
	fault: FaultState['fault'],
	body: Buffer,
): Promise<void> {
	const { res } = exchange;
	if (fault.delayMs !== undefined) await wait(fault.delayMs);
	if (res.destroyed) return;
	if (!replacesAnswer(fault)) {
		res.end(body);
		return;
	}
	for (const name of res.getHeaderNames()) res.removeHeader(name);
	answerFault(exchange, fault, parts.variants());
}

const comesLate = ({ afterwards, delayMs }: FaultState['fault']): boolean =>
	afterwards === true && delayMs !== undefined;

const replacesAnswer = ({ status, body, documented, htmlPage }: FaultState['fault']): boolean =>
	status !== undefined || body !== undefined || documented !== undefined || htmlPage === true;

function addHeaders(res: ServerResponse, { headers, retryAfter }: FaultState['fault']): void {
	for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
	if (retryAfter !== undefined) res.setHeader('retry-after', String(retryAfter));
}

function answerFault(exchange: Exchange, fault: FaultState['fault'], variants: readonly Variant[]): void {
	const { res } = exchange;
	const shown = shownAnswer(exchange, fault, variants);
	res.statusCode = shown.status;
	if (shown.statusMessage !== undefined) res.statusMessage = shown.statusMessage;
	if (shown.body.length > 0) res.setHeader('content-type', shown.contentType);
	addHeaders(res, fault);
	if (fault.cutBody) return sendHalf(res, shown.body);
	if (shown.status !== 204 && shown.status !== 304) res.setHeader('content-length', shown.body.length);
	res.end(shown.body);
}

interface ShownAnswer {
	status: number;
	statusMessage: string | undefined;
	contentType: string;
	body: Buffer;
}

function shownAnswer(
	{ path }: Exchange,
	fault: FaultState['fault'],
	variants: readonly Variant[],
): ShownAnswer {
	const { htmlPage, documented, contentType, statusMessage } = fault;
	if (htmlPage) {
		const status = fault.status ?? 502;
		const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>The gateway could not reach the service.</p></body></html>`;
		return { status, statusMessage, contentType: contentType ?? 'text/html', body: Buffer.from(page) };
	}
	const answer =
		documented === undefined
			? { status: fault.status ?? 200, body: fault.body, statusMessage: undefined }
			: variedError(documentedError(areaOf(path), documented, fault.message), variants);
	const text =
		answer.body === undefined || typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
	return {
		status: answer.status,
		statusMessage: statusMessage ?? answer.statusMessage,
		contentType: contentType ?? 'application/json; charset=utf-8',
		body: Buffer.from(text ?? ''),
	};
}
