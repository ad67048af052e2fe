/**
 * How many requests may be in flight, found out from the answers. Pure: durations are passed in.
 *
 * What burdens a service is what waits in it. As long as answers take no longer than with half as many in flight, nothing waits and more
 * may be in flight; when they take longer, the limit goes back to what the service works on (TCP Vegas, Netflix's concurrency limits).
 * It begins with slow start and is halved by a refusal (RFC 5681), and stays a while below what was refused (CUBIC, RFC 9438).
 */

/** The limit of a new run. */
const FIRST_LIMIT = 16;

/** Slow answers alone do not bring the limit below this: next door, it is n8n's own processor that makes them slow. */
const LEAST_LIMIT = 10;

/** The limit with which a service is asked that was away and is back. */
const LIMIT_AFTER_OUTAGE = 2;

/** How many times as long as with few in flight answers may take for the limit to grow, and to stay. */
const QUICK = 1.06;
const SLOW = 1.25;

/** What the limit grows by after rounds that were not quick, and twice as much with each quick one: the fourth brings one more. */
const FIRST_STEP = 1 / 8;

/** After so many rounds of answers that are not quick, fewer are sent for one round, to see what an answer takes when nothing waits. */
const MEASURED_AFTER = 4;
const LONGEST_REST = 128;
const MEASURED_WITH = 1 / SLOW;

/** So many answers tell something. */
const ANSWERS_OF_A_ROUND = 16;

/** Share of a refused limit that is not exceeded afterwards, and for how many answers of each of these places. */
const BELOW_REFUSED = 0.8;
const ANSWERS_BELOW_REFUSED = 100;

/** Requests leave apart by this share of what an answer takes, divided by the limit: in step, with room to catch up. */
const APART = 0.9;
/** Fewer in flight are not held apart. */
const SPACED_FROM = 4;
/** Timers do not tell less apart than this. Milliseconds. */
const NEAR_MS = 15;

/** `isFixed`: `most` is a number that the user has chosen, and not looked for. */
export interface ConcurrencyBounds {
	isFixed: boolean;
	most: number;
}

/** With which limit a request was sent, and how many were in flight then, this one included. */
export interface SentWith {
	readonly round: number;
	readonly inFlight: number;
}

export class ConcurrencyLimit {
	private limit: number;
	/** What the limit grows by after the next round of quick answers; doubles with each. */
	private step: number;
	/** What an answer takes when nothing waits, in milliseconds. */
	private unhurriedMs: number | undefined;
	/** What answers take of late. */
	private recentMs = 0;
	private hasGrown = false;
	private round = 0;
	/** Answers to requests of this round that were sent with few in flight, and with many. */
	private early = new Durations();
	private late = new Durations();
	/** Rounds until fewer are sent to measure; twice as many after each time. */
	private rest = MEASURED_AFTER;
	private nextRest = MEASURED_AFTER;
	/** The limit that is returned to, while half as many are measured. */
	private measuredFor: number | undefined;
	private refused: { limit: number; answersLeft: number } | undefined;

	constructor(private readonly bounds: ConcurrencyBounds) {
		this.limit = bounds.isFixed ? bounds.most : Math.min(FIRST_LIMIT, bounds.most);
		this.step = this.limit;
	}

	get current(): number {
		return this.limit;
	}

	/**
	 * Milliseconds from one request to the next. Trap: what left together comes back together and goes again together, and for each such
	 * burst the service and n8n work one after the other instead of side by side. While the limit grows fast, nothing is held back; nor
	 * where the user has chosen the number, or so few are in flight that one slow answer would keep the next request waiting.
	 */
	get apartMs(): number {
		const { unhurriedMs = 0, limit } = this;
		if (this.bounds.isFixed || this.isGrowingFast || unhurriedMs < NEAR_MS || limit < SPACED_FROM) return 0;
		return (Math.min(this.recentMs, unhurriedMs * SLOW) / limit) * APART;
	}

	/** @param inFlight with the request that is sent now */
	sentWith(inFlight: number): SentWith {
		return { round: this.round, inFlight };
	}

	/** The service has worked on a request. Those of earlier rounds tell of another limit. */
	answered({ round, inFlight }: SentWith, tookMs: number): void {
		this.recentMs += (tookMs - this.recentMs) / (this.recentMs === 0 ? 1 : this.limit);
		if (this.refused !== undefined && --this.refused.answersLeft <= 0) this.refused = undefined;
		if (round !== this.round) return;
		// A run that has less to do than it may says nothing about more.
		(inFlight > this.limit / 2 ? this.late : this.early).add(tookMs);
		if (this.late.count >= this.wanted) this.judgeRound();
	}

	/** Answers that make a round: enough to tell, but for the first burst and where the limit grows whatever they say. */
	private get wanted(): number {
		return this.round === 0 || this.limit < this.least
			? this.limit / 2
			: Math.max(ANSWERS_OF_A_ROUND, this.limit / 2);
	}

	private get isGrowingFast(): boolean {
		return this.step > this.limit / 4;
	}

	private get most(): number {
		return Math.min(this.bounds.most, this.refused?.limit ?? Infinity);
	}

	private get least(): number {
		return this.bounds.isFixed ? this.most : Math.min(LEAST_LIMIT, this.most);
	}

	/**
	 * The service refused, or did not answer.
	 * @param isTooMany in flight, and not in a second (429): so many are not tried again for a while
	 */
	halve(isTooMany: boolean): void {
		if (this.bounds.isFixed) return;
		const tooMany = this.measuredFor ?? this.limit;
		const limit = Math.max(1, Math.floor(tooMany * BELOW_REFUSED));
		if (isTooMany) this.refused = { limit, answersLeft: limit * ANSWERS_BELOW_REFUSED };
		this.restartFrom(Math.floor(tooMany / 2));
	}

	/** The service was away and is back: it is asked gently, and soon as before. */
	restart(): void {
		this.refused = undefined;
		this.restartFrom(Math.min(LIMIT_AFTER_OUTAGE, this.limit));
	}

	private restartFrom(limit: number): void {
		this.limit = Math.max(1, limit);
		this.step = this.limit;
		this.measuredFor = undefined;
		this.beginRound();
	}

	private beginRound(): void {
		this.round++;
		this.early = new Durations();
		this.late = new Durations();
	}

	private judgeRound(): void {
		const { late } = this;
		if (this.measuredFor !== undefined) {
			this.unhurriedMs = late.most;
			this.limit = this.measuredFor;
			this.measuredFor = undefined;
		} else {
			// Of the first round, the first half was sent with half as many in flight.
			this.unhurriedMs = Math.min(this.unhurriedMs ?? this.early.most, late.most);
			this.adjust(late.least / this.unhurriedMs);
		}
		this.beginRound();
	}

	/** @param slowness how many times as long as with few in flight answers take */
	private adjust(slowness: number): void {
		const { limit, most, least } = this;
		// What leaves in a burst is a little slow: n8n sends one after the other.
		const isQuick = slowness <= (this.isGrowingFast ? SLOW : QUICK);
		if (isQuick || limit < least) {
			this.limit = Math.min(most, Math.floor(limit + this.step));
			this.step = limit < most ? Math.min(this.step * 2, this.limit) : FIRST_STEP;
			this.hasGrown = this.limit > limit;
			return;
		}
		this.step = FIRST_STEP;
		// Once may be the burst with which the limit grew.
		if (slowness > SLOW && !this.hasGrown)
			this.limit = Math.min(limit, Math.max(least, Math.floor(limit / slowness)));
		this.hasGrown = false;
		if (--this.rest <= 0 && !this.bounds.isFixed) this.measure();
	}

	private measure(): void {
		this.nextRest = Math.min(this.nextRest * 2, LONGEST_REST);
		this.rest = this.nextRest;
		this.measuredFor = this.limit;
		this.limit = Math.max(1, Math.floor(this.limit * MEASURED_WITH));
	}
}

/** Mean of durations, and how far chance may have moved it: by one standard error, at times by two. */
class Durations {
	count = 0;
	private sum = 0;
	private squares = 0;

	add(milliseconds: number): void {
		const ms = Math.max(milliseconds, 0.1);
		this.count++;
		this.sum += ms;
		this.squares += ms ** 2;
	}

	get mean(): number {
		return this.sum / this.count;
	}

	get most(): number {
		return this.count === 0 ? Infinity : this.mean + 2 * this.error;
	}

	get least(): number {
		return this.mean - this.error;
	}

	private get error(): number {
		return Math.sqrt(Math.max(this.squares / this.count - this.mean ** 2, 0) / this.count);
	}
}
