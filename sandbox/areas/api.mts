import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { sendEmpty, sendJson } from '../http/answer.mts';
import { exchangeOf, type Exchange } from '../http/exchange.mts';
import { mediaTypeOf } from '../http/read-body.mts';
import { areaOf, documentedError, errorsBody } from './errors.mts';
import { inputOf, sendAnswer, type Answer, type Route } from './route.mts';

export interface TokenCheck {
	/** True when the token may call the API. A promise only for a token that was not seen before. */
	isValid(token: string): boolean | Promise<boolean>;
}

/**
 * The API of the service as an Express application: 404 for unknown paths, 405 with `Allow`, 401 without a
 * body, 415 and 400 for bodies that are no JSON, and the routes themselves.
 */
export function createApi(routes: readonly Route[], tokens: TokenCheck): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.enable('case sensitive routing');
	app.enable('strict routing');
	const paths = new Set(routes.map(({ path }) => path));
	for (const path of paths) {
		const here = routes.filter((route) => route.path === path);
		app.all(path, (req, res) => serve(exchangeOf(req), req.params, here, tokens, res));
	}
	app.use((req: Request, res: Response) => {
		const { path } = exchangeOf(req);
		sendJson(res, 404, errorsBody(areaOf(path), 404, ['There is no such path.']));
	});
	app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
		const { path } = exchangeOf(req);
		if (error instanceof URIError)
			return sendAnswer(res, documentedError(areaOf(path), 400, 'The path is not well encoded.'));
		console.error(`${req.method} ${path}:`, error);
		sendAnswer(res, documentedError(areaOf(path), 500));
	});
	return app;
}

async function serve(
	exchange: Exchange,
	params: Record<string, string | string[]>,
	routes: readonly Route[],
	tokens: TokenCheck,
	res: Response,
): Promise<void> {
	const verdict = tokens.isValid(presentedToken(exchange));
	if (!(typeof verdict === 'boolean' ? verdict : await verdict)) return sendEmpty(res, 401);
	const route = routes.find(({ method }) => method === exchange.method);
	if (!route) {
		const allow = routes.map(({ method }) => method).join(', ');
		const body = errorsBody(areaOf(exchange.path), 405, [`Allowed here: ${allow}.`]);
		return sendJson(res, 405, body, { allow });
	}
	const refusal = route.method === 'GET' ? undefined : bodyRefusal(exchange);
	sendAnswer(res, refusal ?? route.answer(inputOf(exchange, params as Record<string, string>)));
}

/**
 * The token of `Authorization: Bearer <token>`, or the bare token: the header format of some endpoints is
 * not shown by the document, so both are taken.
 */
export function presentedToken({ req }: Exchange): string {
	const header = req.headers.authorization ?? '';
	return /^bearer /i.test(header) ? header.slice(7).trim() : header.trim();
}

function bodyRefusal(exchange: Exchange): Answer | undefined {
	const area = areaOf(exchange.path);
	const { body } = exchange;
	if (body.kind === 'tooLarge') return documentedError(area, 413, 'The body is too large.');
	if (mediaTypeOf(exchange.req) !== 'application/json') {
		return documentedError(area, 415, 'Content-Type must be application/json.');
	}
	if (body.kind === 'broken') return documentedError(area, 400, 'The body is not valid JSON.');
	return body.kind === 'none' ? documentedError(area, 400, 'The body is empty.') : undefined;
}
