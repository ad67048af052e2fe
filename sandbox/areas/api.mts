import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../settings-types.mts';
import { sendEmpty } from '../http/answer.mts';
import { exchangeOf, type Exchange } from '../http/exchange.mts';
import { mediaTypeOf } from '../http/read-body.mts';
import { areaOf, documentedError, errorsBody } from './errors.mts';
import { inputOf, sendAnswer, type Answer, type Route } from './route.mts';
import { schemeOf, strictRefusal } from './strictness.mts';
import { varied, variedError } from './variation.mts';

export type ApiSettings = Readonly<Pick<Settings, 'authorization' | 'strict' | 'variants'>>;

export interface TokenCheck {
	/** True when the token may call the API. A promise only for a token that was not seen before. */
	isValid(token: string): boolean | Promise<boolean>;
}

/**
 * The API of the service as an Express application: 404 for unknown paths, 405 with `Allow`, 401 without a
 * body, 415 and 400 for bodies that are no JSON, and the routes themselves.
 */
export function createApi(routes: readonly Route[], tokens: TokenCheck, settings: ApiSettings): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.enable('case sensitive routing');
	app.enable('strict routing');
	const paths = new Set(routes.map(({ path }) => path));
	for (const path of paths) {
		const here = routes.filter((route) => route.path === path);
		app.all(path, (req, res) => serve(exchangeOf(req), req.params, here, tokens, settings, res));
	}
	app.use((req: Request, res: Response) => {
		const { path } = exchangeOf(req);
		const refusal = { status: 404, body: errorsBody(areaOf(path), 404, ['There is no such path.']) };
		sendAnswer(res, variedError(refusal, settings.variants));
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
	settings: ApiSettings,
	res: Response,
): Promise<void> {
	const verdict = tokens.isValid(presentedToken(exchange, schemeOf(areaOf(exchange.path), settings)));
	if (!(typeof verdict === 'boolean' ? verdict : await verdict)) return sendEmpty(res, 401);
	const route = routes.find(({ method }) => method === exchange.method);
	if (!route) {
		const allow = routes.map(({ method }) => method).join(', ');
		const body = errorsBody(areaOf(exchange.path), 405, [`Allowed here: ${allow}.`]);
		return sendAnswer(res, variedError({ status: 405, body, headers: { allow } }, settings.variants));
	}
	const refusal =
		strictRefusal(exchange, route, settings.strict) ??
		(route.method === 'GET' ? undefined : bodyRefusal(exchange));
	const answer = refusal ?? route.answer(inputOf(exchange, params as Record<string, string>));
	sendAnswer(res, varied(answer, route, settings.variants));
}

/**
 * The token of `Authorization: Bearer <token>`, or the bare token: the header format of some endpoints is
 * not shown by the document. A token in another form than the expected one is none: the empty text.
 */
export function presentedToken({ req }: Exchange, expected: Settings['authorization'] = 'either'): string {
	const header = req.headers.authorization ?? '';
	const isBearer = /^bearer /i.test(header);
	if (expected !== 'either' && isBearer !== (expected === 'bearer')) return '';
	return isBearer ? header.slice(7).trim() : header.trim();
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
