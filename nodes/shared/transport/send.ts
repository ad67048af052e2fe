/**
 * One request to the service, with everything that may happen on the way: a token that has run out, a service
 * that asks to wait, connections that break. Sends only through n8n's own helpers (proxy, protection against
 * server-side request forgery, tracing and cancellation stay n8n's).
 */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { mayHaveBeenDone, type Attempt } from './attempt';
import { failed, success, type Outcome } from './failure';
import { pause } from './pause';
import { refusedByStatus, refusedByTrouble, refusedForLong } from './refusedBecause';
import { targetOf, type Reply, type ServiceRequest } from './request';
import { nextStep } from './retry';
import type { Session } from './session';

/** How long and how often is tried. `timeoutMs` holds for each attempt. */
export interface Policy {
	timeoutMs: number;
	maxRetries: number;
}

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
		let doneBefore = false;
		for (let attempt = 0; ; ) {
			let outcome = await attemptOf(session, options, signal);
			if (outcome.kind === 'answered' && outcome.reply.status === 401 && renewals < MOST_RENEWALS) {
				renewals++;
				const reason = await session.renew(outcome.token);
				if (reason === undefined) continue;
				outcome = { kind: 'unsigned', reason };
			}
			const next = nextStep(request.method, attempt, outcome, policy.maxRetries, Date.now(), Math.random());
			if (next.step === 'again') {
				doneBefore ||= mayHaveBeenDone(outcome);
				attempt++;
				await pause(next.waitMs, signal);
				continue;
			}
			if (next.step === 'tooLong') return failed(refusedForLong(next.reply, next.waitMs));
			return conclusionOf(request, outcome, session.baseUrl, doneBefore);
		}
	};
}

async function attemptOf(session: Session, options: IHttpRequestOptions, signal: AbortSignal | undefined): Promise<Attempt> {
	const attempt: Attempt = signal?.aborted ? CANCELLED : await session.send(options);
	return attempt.kind === 'lost' && signal?.aborted ? CANCELLED : attempt;
}

function conclusionOf(request: ServiceRequest, outcome: Attempt, origin: string, doneBefore: boolean): Outcome<Reply> {
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
			return deletedBefore ? success({ ...reply, text: '' }) : failed(refusedByStatus(request, reply, Date.now()));
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
