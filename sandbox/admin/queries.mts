import type { Request } from 'express';
import type { LogQuery, StateQuery } from '../admin-types.mts';
import type { DeliveryQuery } from '../delivery-types.mts';
import { LIMITS } from '../command-line.mts';
import type { RosterQuery } from '../roster-types.mts';

type Query = Request['query'];

const text = (value: Query[string]): string | undefined => (typeof value === 'string' ? value : undefined);

function number(name: string, value: Query[string]): number | undefined {
	if (value === undefined) return undefined;
	const read = Number(value);
	if (!Number.isInteger(read) || read < 0) throw new Error(`"${name}" must be a whole number.`);
	return read;
}

/** `since`, `path`, … of the request log. */
export function logQuery(query: Query): LogQuery {
	return {
		path: text(query.path),
		method: text(query.method),
		since: number('since', query.since),
		status: number('status', query.status),
		limit: number('limit', query.limit),
		countOnly: query['count-only'] !== undefined && query['count-only'] !== 'false',
	};
}

export function stateQuery(query: Query): StateQuery {
	return {
		externalId: text(query.externalId),
		schoolExternalId: text(query.schoolExternalId),
		accountId: text(query.accountId),
		profile: text(query.profile),
		...(query.provisioned === undefined ? {} : { provisioned: query.provisioned === 'true' }),
		limit: number('limit', query.limit),
		offset: number('offset', query.offset),
	};
}

/** Size and changes of a roster; what is not asked for is not there. An empty field of the page asks for nothing. */
export function rosterQuery(query: Query): RosterQuery {
	const asked: RosterQuery = {};
	for (const name of ['seed', 'students', 'schools', 'tonight'] as const) {
		if (query[name] === undefined || query[name] === '') continue;
		const value = number(name, query[name]);
		const [least, most] = LIMITS[name];
		if (value === undefined || value < least || value > most)
			throw new Error(`"${name}" must be a whole number from ${least} to ${most}.`);
		asked[name] = value;
	}
	return asked;
}

export function deliveryQuery(query: Query): DeliveryQuery {
	return {
		requestId: text(query.requestId),
		status: number('status', query.status),
		limit: number('limit', query.limit),
	};
}
