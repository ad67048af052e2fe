/** Requests to the service itself, with the token of a run. */
import type { Outcome } from '../failure';

import type { Context } from './credential';
import type { Limiter } from './limiter';
import { SERVICE } from './requestWords';
import { targetOf, type Reply, type ServiceRequest } from './request';
import type { RetryPolicy } from './retry';
import { requestContext, sendWithRetries } from './sendWithRetries';
import type { Session } from './session';

/**
 * Areas whose header the service's document fixes as `Authorization: Bearer` (Authentication: enrollment, event query). It does not show
 * the header of the others: there the credential says it.
 */
const BEARER_AREAS = /^\/(enrollment|webhook)\//;

/** Sends a request; gives an answer of 200 to 299, or why there is none. Never throws. */
export type Send = (request: ServiceRequest) => Promise<Outcome<Reply>>;

/** A sender with the session, the policy and the limiter of one run. */
export function senderOf(
	{ helpers }: Context,
	session: Session,
	policy: RetryPolicy,
	limiter?: Limiter,
): Send {
	const context = requestContext(helpers, policy, limiter);
	return async (request) => {
		const { method, path, body } = request;
		const url = `${session.baseUrl}${targetOf(request)}`;
		// A bounded answer costs a quarter more of n8n's time (measured). What answers a write is one record: only its time is bounded.
		const isBounded = method === 'GET';
		const sent = { method, url, body, isBounded, contentType: 'application/json' };
		const asBearer = BEARER_AREAS.test(path);
		return await sendWithRetries({ ...sent, peer: SERVICE, signer: session, asBearer }, context);
	};
}
