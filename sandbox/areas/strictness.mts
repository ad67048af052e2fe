import type { Settings } from '../settings-types.mts';
import { parseQuery, type Exchange } from '../http/exchange.mts';
import { mediaTypeOf } from '../http/read-body.mts';
import type { StrictPart } from '../strict.mts';
import { areaOf, documentedError, type Area } from './errors.mts';
import type { Answer, Route } from './route.mts';

/** Areas whose table of headers lists `Content-Type: application/json`, for reads too. */
const listsContentType = (area: Area): boolean =>
	area === 'sync' || area === 'enrollment' || area === 'event';

/** Areas for which the document fixes `Authorization: Bearer`. */
const isBearerArea = (area: Area): boolean => area === 'enrollment' || area === 'event';

/** In which form an area takes its token. */
export function schemeOf(
	area: Area,
	{ authorization, strict }: Pick<Settings, 'authorization' | 'strict'>,
): Settings['authorization'] {
	if (!isBearerArea(area)) return authorization;
	return strict.includes('authorization') ? 'bearer' : 'either';
}

/** What the row of the endpoint does not show of this request; undefined when there is nothing of it. */
export function strictRefusal(
	exchange: Exchange,
	route: Route,
	strict: readonly StrictPart[],
): Answer | undefined {
	if (strict.length === 0) return undefined;
	const area = areaOf(exchange.path);
	const finding = findings(exchange, route, area).find(([part]) => strict.includes(part));
	return finding && documentedError(area, 400, finding[1]);
}

function findings(exchange: Exchange, route: Route, area: Area): Array<[StrictPart, string]> {
	const { req, search, body } = exchange;
	const found: Array<[StrictPart, string]> = [];
	if (listsContentType(area) && mediaTypeOf(req) !== 'application/json')
		found.push(['content-type', 'Content-Type: application/json is missing.']);
	if (route.method === 'GET' && body.kind !== 'none')
		found.push(['members', 'No body is shown for this request.']);
	for (const [name, value] of Object.entries(parseQuery(search))) {
		if (route.query !== 'not shown' && !route.query?.includes(name))
			found.push(['query', `The query parameter "${name}" is not shown for this request.`]);
		else if (Array.isArray(value))
			found.push(['query', `The query parameter "${name}" is there more than once.`]);
	}
	return found;
}
