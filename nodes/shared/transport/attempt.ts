/** What one attempt to send a request came to. */
import { isInOwnForm } from '../contract/refusal';
import type { Feedback } from '../pace/pace';

import { isPage, type Reply } from './request';
import type { RetryPolicy } from './retry';
import { LONGEST_WAIT_MS, waitAskedBy } from './retryAfter';
import type { TokenFailure } from './tokenFailure';
import { mayHaveArrived, type Trouble } from './trouble';

export type Attempt =
	/** The service answered, with whatever status. */
	| { kind: 'answered'; reply: Reply }
	/** No answer came back. */
	| { kind: 'lost'; trouble: Trouble }
	/** Nothing was sent, for want of a token. */
	| { kind: 'unsigned'; reason: TokenFailure }
	/** Nothing was sent: the run is over, or the service has given no answer for too long. */
	| { kind: 'held'; by: 'closed' | 'unavailable' };

/** True when the service answered that it does not take the token. */
export function isRefused(attempt: Attempt): boolean {
	return attempt.kind === 'answered' && attempt.reply.status === 401;
}

/** True when the service takes nothing of this client at the moment, whatever it is. */
export function isHeldOff(attempt: Attempt): boolean {
	if (attempt.kind === 'answered') return attempt.reply.status === 429 || attempt.reply.status === 503;
	return attempt.kind === 'lost' && (attempt.trouble === 'refused' || attempt.trouble === 'unresolved');
}

/** What an attempt says about the service. */
export function feedbackOf(attempt: Attempt, tookMs: number, now: number): Feedback {
	if (attempt.kind === 'lost') {
		if (isHeldOff(attempt)) return { kind: 'refused', tooMany: false };
		if (attempt.trouble === 'timeout') return { kind: 'lost', isSilent: true };
		return { kind: attempt.trouble === 'broken' ? 'lost' : 'none' };
	}
	if (attempt.kind !== 'answered') return { kind: 'none' };
	const { status, headers } = attempt.reply;
	if (isLostOnTheWay(status)) return { kind: 'lost' };
	if (!isHeldOff(attempt)) return { kind: 'served', tookMs };
	const asked = waitAskedBy(headers, now);
	// A longer wait fails its item at once and is named (retry.ts): it does not hold the others.
	const isHeeded = asked !== undefined && asked <= LONGEST_WAIT_MS;
	return { kind: 'refused', tooMany: status === 429, ...(isHeeded && { retryAfterMs: asked }) };
}

export function isAccepted({ status }: Reply): boolean {
	return status >= 200 && status < 300;
}

/** True for the statuses of a gateway that lost the answer, or the service behind it. */
export function isLostOnTheWay(status: number): boolean {
	return status === 502 || status === 504;
}

/**
 * True when a 503 means "not taken", as the status is defined (RFC 9110 section 15.6.4). Trap: a gateway may answer it after the work. So it
 * counts only where the service speaks: with a wait that it asks for, or with an error body of its own form. And where the user believes it.
 */
export function is503NotTaken(reply: Reply, { creationsAgainOn503 = true }: RetryPolicy): boolean {
	const isOfTheService =
		!isPage(reply) && (waitAskedBy(reply.headers, 0) !== undefined || isInOwnForm(reply.text));
	return creationsAgainOn503 && isOfTheService;
}

/** True when the service may have done what was asked although its answer does not say so. */
export function mayHaveBeenDone(attempt: Attempt, policy: RetryPolicy): boolean {
	if (attempt.kind === 'lost') return mayHaveArrived(attempt.trouble);
	if (attempt.kind !== 'answered') return false;
	const { status } = attempt.reply;
	// See Other is the usual answer to a POST that was processed (RFC 9110 section 15.4.4).
	if (status === 303) return true;
	return status === 503 ? !is503NotTaken(attempt.reply, policy) : status >= 500;
}
