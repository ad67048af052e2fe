/**
 * One request to the service, with everything that may happen on the way: a token that has run out, a service
 * that asks to wait, connections that break. Sends only through n8n's own helpers (proxy, protection against
 * server-side request forgery, tracing and cancellation stay n8n's).
 */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Attempt } from './attempt';
import { failed, success, type Outcome } from './failure';
import { persevere, type Policy } from './persevere';
import { refusedByStatus, refusedByTrouble, refusedForLong } from './refusedBecause';
import { targetOf, type Reply, type ServiceRequest } from './request';
import type { Session } from './session';

/** Sends a request; gives an answer of 200 to 299, or why there is none. Never throws. */
export type Send = (request: ServiceRequest) => Promise<Outcome<Reply>>;

/** How often one request may find its token refused: once for its age, once more for one that was withdrawn meanwhile. */
const MOST_RENEWALS = 2;

const CANCELLED: Attempt = { kind: 'lost', trouble: 'cancelled' };

/** A sender with the session and the policy of one run. */
export function senderOf(session: Session, policy: Policy, signal?: AbortSignal): Send {
	return async (request) => {
		const options = optionsOf(request, session.baseUrl, policy, signal);
		let renewals = 0;
		const attemptOnce = async (): Promise<Attempt> => {
			for (;;) {
				const attempt = await attemptOf(session, options, signal);
				if (attempt.kind !== 'answered' || attempt.reply.status !== 401 || !session.isWorthRenewing)
					return attempt;
				// A token that was replaced while the request was on its way says nothing about the new one.
				if (!attempt.stale && ++renewals > MOST_RENEWALS) return attempt;
				const reason = await session.renew(attempt.token);
				if (reason !== undefined) return { kind: 'unsigned', reason };
			}
		};
		const ending = await persevere(request.method, policy, signal, attemptOnce);
		if (ending.kind === 'tooLong') return failed(refusedForLong(ending.reply, ending.waitMs));
		return conclusionOf(request, ending.attempt, session.baseUrl, ending.doneBefore);
	};
}

async function attemptOf(
	session: Session,
	options: IHttpRequestOptions,
	signal: AbortSignal | undefined,
): Promise<Attempt> {
	const attempt: Attempt = signal?.aborted ? CANCELLED : await session.send(options);
	return attempt.kind === 'lost' && signal?.aborted ? CANCELLED : attempt;
}

function conclusionOf(
	request: ServiceRequest,
	outcome: Attempt,
	origin: string,
	doneBefore: boolean,
): Outcome<Reply> {
	switch (outcome.kind) {
		case 'unsigned':
			return failed(outcome.reason.failure);
		case 'lost':
			return failed(refusedByTrouble(request, outcome.trouble, origin));
		case 'answered': {
			const { reply } = outcome;
			if (reply.status >= 200 && reply.status < 300) return success(reply);
			// The first DELETE did its work, its answer was lost, and the second finds nothing to delete.
			const deletedBefore = request.method === 'DELETE' && reply.status === 404 && doneBefore;
			return deletedBefore
				? success({ ...reply, text: '' })
				: failed(refusedByStatus(request, reply, Date.now()));
		}
	}
}

function optionsOf(
	request: ServiceRequest,
	baseUrl: string,
	policy: Policy,
	abortSignal: AbortSignal | undefined,
): IHttpRequestOptions {
	return {
		method: request.method,
		url: `${baseUrl}${targetOf(request)}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		...(request.body && { body: request.body as IDataObject }),
		// The body is taken as text and parsed by the contract: what is not JSON gets a message of its own.
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Trap: n8n's helper would carry the token along to another origin.
		disableFollowRedirect: true,
		timeout: policy.timeoutMs,
		...(abortSignal && { abortSignal }),
	};
}
