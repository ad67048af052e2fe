/** Why an item could not be done, in two sentences: the fact, then the next step. Nothing of n8n in here. */

/** Why it failed, in n8n's own words (n8n-workflow, errors/failure). */
export type FailureCause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

export interface Failure {
	/** What happened. */
	message: string;
	/** What to do next. */
	description: string;
	/** Where it comes from: the input (nothing was sent for the item), or the way to the service and back. */
	origin: 'input' | 'service';
	/** The status of the service's answer, when there was one. */
	status?: number;
	/** The code with which it was refused, where there is one: the service's own, or OAuth's. */
	code?: string;
	cause?: FailureCause;
	retryAfterMs?: number;
}

/** The answer to a question that may fail: a value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function success<T>(value: T): Outcome<T> {
	return { ok: true, value };
}

export function failed(failure: Failure): { ok: false; failure: Failure } {
	return { ok: false, failure };
}
