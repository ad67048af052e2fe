/**
 * When a request is sent again, by its kind and by what happened to it. Pure: clock and chance are passed in.
 *
 * | what happened                                   | GET, PUT, DELETE | POST  |
 * |-------------------------------------------------|------------------|-------|
 * | 429, connection refused, name not resolved      | again            | again |
 * | 503 with `Retry-After` or its own error body    | again            | again, unless the user forbids it |
 * | any other 503                                   | again            | never |
 * | 502, 504, timeout, connection broken            | again            | never |
 * | no token to be had at the moment                | again            | again |
 * | anything else                                   | never            | never |
 *
 * A POST that may have arrived is never sent again: it would create a second record.
 */
import { is503NotTaken, isLostOnTheWay, type Attempt } from './attempt';
import { isRepeatable, type Method } from './request';
import { LONGEST_WAIT_MS, waitAskedBy } from './retryAfter';

/** How long and how often is tried. */
export interface RetryPolicy {
	/** For the wait for a token, and again for each request with its answer to the last byte. */
	timeoutMs: number;
	maxRetries: number;
	/** Whether a POST is sent again after a 503 of the service itself; default: yes. */
	creationsAgainOn503?: boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;

/** `again`: send it once more after `waitMs`: what was asked for, or `backoffMs`. `tooLong`: the service asks for a wait beyond {@link LONGEST_WAIT_MS}. */
export type NextStep =
	| { step: 'again'; waitMs: number; backoffMs: number }
	| { step: 'tooLong'; waitMs: number }
	| { step: 'done' };

/** In the place of the number of an attempt that spends no retry. */
export const NONE_SPENT = -1;

const FINAL: NextStep = { step: 'done' };

/**
 * What to do after attempt number `attempt` (0 is the first; or {@link NONE_SPENT}).
 * @param chance a number from 0 to 1: the jitter, so that waiting runs do not come back all at once
 */
export function nextStep(
	method: Method,
	attempt: number,
	outcome: Attempt,
	policy: RetryPolicy,
	now: number,
	chance: number,
): NextStep {
	if (!isWorthRepeating(method, outcome, policy)) return FINAL;
	const asked = outcome.kind === 'answered' ? waitAskedBy(outcome.reply.headers, now) : undefined;
	if (asked !== undefined && asked > LONGEST_WAIT_MS) return { step: 'tooLong', waitMs: asked };
	if (attempt >= policy.maxRetries) return FINAL;
	const backoffMs = backoffOf(attempt, chance);
	return { step: 'again', waitMs: asked ?? backoffMs, backoffMs };
}

function isWorthRepeating(method: Method, outcome: Attempt, policy: RetryPolicy): boolean {
	switch (outcome.kind) {
		case 'held':
			return false;
		case 'unsigned':
			return !outcome.reason.lasting;
		case 'lost':
			if (outcome.trouble === 'refused' || outcome.trouble === 'unresolved') return true;
			return isRepeatable(method) && (outcome.trouble === 'timeout' || outcome.trouble === 'broken');
		case 'answered': {
			const { status } = outcome.reply;
			if (status === 429 || (status === 503 && is503NotTaken(outcome.reply, policy))) return true;
			return isRepeatable(method) && (status === 503 || isLostOnTheWay(status));
		}
	}
}

/** Exponential, and between half and all of it by chance: 250 to 500 ms, then up to 1 s, 2 s, 4 s, … 15 s. */
function backoffOf(attempt: number, chance: number): number {
	const whole = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_BACKOFF_MS);
	return Math.round(whole / 2 + (whole / 2) * chance);
}
