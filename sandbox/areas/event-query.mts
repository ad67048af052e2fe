import { isUuid } from '../checks/check-fields.mts';
import type { Deliveries } from '../events/deliveries.mts';
import { documentedError } from './errors.mts';
import { ok, type Route } from './route.mts';

/** The event query: the stored record of a delivery. An id that is none, or unknown, is a bad request (without a body). */
export function eventQueryRoutes(deliveries: Deliveries): Route[] {
	return [
		{
			method: 'GET',
			path: '/webhook/v1/webhooks/callback/:request_id',
			answer: ({ params }) => {
				const record = isUuid(params.request_id) ? deliveries.find(params.request_id) : undefined;
				if (!record) return documentedError('event', 400);
				const { payload, message, status, sentAt, isSuccessful } = record;
				return ok({ payload, message, status, sentAt, isSuccessful });
			},
		},
	];
}
