/** What one attempt to send a request came to. */
import type { Failure } from '../failure';

import type { Method, Reply } from './request';
import type { TokenFailure } from './tokenFailure';
import { mayHaveArrived, type Trouble } from './trouble';

export type Attempt =
	/** The service answered, with whatever status. */
	| { kind: 'answered'; reply: Reply }
	/** No answer came back. */
	| { kind: 'lost'; trouble: Trouble }
	/** Nothing was sent, for want of a token. */
	| { kind: 'unsigned'; reason: TokenFailure }
	/**
	 * Nothing was sent: the run is at its end, or it gave up because of the silence of the service, with what that refused last.
	 */
	| { kind: 'held'; by: 'end' | 'silence'; refusal: Attempt | undefined };

/** True when the service answered that it does not take the token. */
export function isRefused(attempt: Attempt): boolean {
	return attempt.kind === 'answered' && attempt.reply.status === 401;
}

/** True for the statuses of a gateway that lost the answer, or the service behind it. */
export function isLostOnTheWay(status: number): boolean {
	return status === 502 || status === 504;
}

/**
 * True when the service may have done what was asked although its answer does not say so. That 503 means "not taken" is how the
 * status is defined (RFC 9110 section 15.6.4).
 * @param trusts503 whether it does so at this service too
 */
export function mayHaveBeenDone(attempt: Attempt, trusts503: boolean): boolean {
	if (attempt.kind === 'lost') return mayHaveArrived(attempt.trouble);
	if (attempt.kind !== 'answered') return false;
	const { status } = attempt.reply;
	return status === 503 ? !trusts503 : status >= 500;
}

/** What a request that came to nothing may have done all the same. `mayBeDone`: in any of its attempts. */
export function effectOf(method: Method, mayBeDone: boolean): Failure['effect'] {
	return mayBeDone && method !== 'GET' ? 'unknown' : 'none';
}
