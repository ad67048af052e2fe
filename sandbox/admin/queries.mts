import type { Request } from 'express';
import type { DeliveryQuery, LogQuery, StateQuery } from '../admin-types.mts';

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

export function deliveryQuery(query: Query): DeliveryQuery {
	return {
		requestId: text(query.requestId),
		status: number('status', query.status),
		limit: number('limit', query.limit),
	};
}
