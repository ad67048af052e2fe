import type { RateLimit } from '../settings-types.mts';

/** Lets through so many requests per second, and a burst of them after a pause. Time is passed in, in milliseconds. */
export class TokenBucket {
	readonly #burst: number;

	#tokens: number;

	#filledAt: number;

	constructor(
		readonly limit: RateLimit,
		now: number,
	) {
		this.#burst = limit.burst ?? Math.max(1, Math.ceil(limit.perSecond));
		this.#tokens = this.#burst;
		this.#filledAt = now;
	}

	/** Takes one token; false when there is none. */
	take(now: number): boolean {
		const filled = this.#tokens + ((now - this.#filledAt) / 1_000) * this.limit.perSecond;
		this.#tokens = Math.min(this.#burst, filled);
		this.#filledAt = now;
		if (this.#tokens < 1) return false;
		this.#tokens -= 1;
		return true;
	}
}
