/** What one attempt to send a request came to. */
import type { Reply } from './request';
import type { TokenFailure } from './tokenFailure';
import { mayHaveArrived, type Trouble } from './trouble';

export type Attempt =
	/** The service answered, with whatever status. */
	| { kind: 'answered'; reply: Reply }
	/** No answer came back. */
	| { kind: 'lost'; trouble: Trouble }
	/** Nothing was sent, for want of a token. */
	| { kind: 'unsigned'; reason: TokenFailure };

/** True when the service answered that it does not take the token. */
export function isRefused(attempt: Attempt): boolean {
	return attempt.kind === 'answered' && attempt.reply.status === 401;
}

/** True for the statuses of a gateway that lost the answer, or the service behind it. */
export function isLostOnTheWay(status: number): boolean {
	return status === 502 || status === 504;
}

/** True when the service may have done what was asked although its answer does not say so. */
export function mayHaveBeenDone(attempt: Attempt): boolean {
	if (attempt.kind === 'lost') return mayHaveArrived(attempt.trouble);
	return attempt.kind === 'answered' && isLostOnTheWay(attempt.reply.status);
}
