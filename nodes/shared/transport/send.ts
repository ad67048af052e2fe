/** Requests to the service itself, with the token of a run. */
import type { Outcome } from '../failure';

import type { Context } from './credential';
import type { Gate } from './gate';
import type { Policy } from './persevere';
import { SERVICE } from './refusedBecause';
import { targetOf, type Reply, type ServiceRequest } from './request';
import { requesterOf } from './requester';
import type { Session } from './session';

/**
 * Areas whose header the service's document fixes as `Authorization: Bearer` (Authentication: enrollment, event query). It does not show
 * the header of the others: there the credential says it.
 */
const BEARER_AREAS = /^\/(enrollment|webhook)\//;

/** Sends a request; gives an answer of 200 to 299, or why there is none. Never throws. */
export type Send = (request: ServiceRequest) => Promise<Outcome<Reply>>;

/**
 * A sender with the session, the policy and the gate of one run.
 * @param mayLeave asked right before each request is handed to n8n
 */
export function senderOf(
	{ helpers }: Context,
	session: Session,
	policy: Policy,
	cancel?: AbortSignal,
	gate?: Gate,
	mayLeave?: () => boolean,
): Send {
	const httpRequest = helpers.httpRequest.bind(helpers);
	const ask = requesterOf({ httpRequest, mayLeave }, policy, cancel, gate);
	return async (request) => {
		const { method, path, body } = request;
		const url = `${session.baseUrl}${targetOf(request)}`;
		// A bounded answer costs a quarter more of n8n's time (measured). What answers a write is one record: only its time is bounded.
		const isBounded = method === 'GET';
		return await ask({
			method,
			url,
			body,
			isBounded,
			contentType: 'application/json',
			peer: SERVICE,
			signer: BEARER_AREAS.test(path) ? session.asBearer : session,
		});
	};
}
