/**
 * How many requests a second: as many as the service allows, once it has said that there is such a limit (429). Few in flight
 * would not do: with answers in 20 ms, even two in flight are a hundred a second. Pure: the clock is passed in.
 *
 * As in AWS's adaptive retry mode, there is no limit until the first refusal, which also sets it; from then on requests are spread over
 * time. What differs is how it is set. AWS takes a share of the rate at which it was sending, and so needs many refusals to get near
 * what is allowed. Here it is reckoned from what a service that lets through a burst and then so many a second (a token bucket) has taken
 * from one pause to the next. Afterwards it grows as CUBIC does (RFC 9438): hardly at first, then faster and faster, in case the
 * service allows more by now.
 */

/** After so long without a refusal, twice the rate is tried; sooner while it is a guess. */
const DOUBLES_AFTER_MS = { reckoned: 50_000, guessed: 10_000 };

/** From so many times that on, nine times the rate went through without a refusal: it is no limit. */
const MOST_GROWTH = 2;

/** A stretch tells something when so many flowed in during it. */
const TELLING = 5;

/** Whatever happens, so many a second. */
const LEAST_PER_SECOND = 0.5;

/** A refusal always costs something; after a long stretch, over which the rate has grown, no more than this. */
const LESS = 0.98;
const MUCH_LESS = 0.7;
const LONG_STRETCH_MS = 10_000;

/** What was taken at once, before anything is known: bursts are mostly those of a second. */
const BURST_MS = 1_000;

/** What is sent late may be made up for, up to so much: clocks of timers are coarse. */
const CATCHES_UP_MS = 25;

/** How many were taken in how long, from the end of a pause to the next refusal. */
interface Stretch {
	taken: number;
	ms: number;
}

/** Plain data, so that it can be kept between two batches of a run. Times are those of the clock. */
export interface RateState {
	/** Undefined while nothing is known of a limit. */
	perSecond?: number;
	isGuessed: boolean;
	/** Since the last pause: when it ended, how long it was, how many were taken. */
	since?: number;
	pauseMs: number;
	taken: number;
	/** The shortest stretch of late: nearly all of it was the burst. */
	shortest?: Stretch;
	/** When the next may be sent. */
	nextAt: number;
}

export function freshRate(): RateState {
	return { isGuessed: true, pauseMs: 0, taken: 0, nextAt: 0 };
}

export class Rate {
	constructor(private readonly state: RateState) {}

	/** Requests a second at this time; undefined when there is no limit. */
	at(now: number): number | undefined {
		const { perSecond, since = now, isGuessed } = this.state;
		if (perSecond === undefined) return undefined;
		const doublesAfter = isGuessed ? DOUBLES_AFTER_MS.guessed : DOUBLES_AFTER_MS.reckoned;
		const grown = Math.max(0, now - since) / doublesAfter;
		return grown >= MOST_GROWTH ? undefined : perSecond * (1 + grown ** 3);
	}

	/** Milliseconds until the next may be sent. */
	waitMs(now: number): number {
		return this.at(now) === undefined ? 0 : Math.max(0, this.state.nextAt - now);
	}

	sent(now: number): void {
		this.state.since ??= now;
		const perSecond = this.at(now);
		if (perSecond !== undefined)
			this.state.nextAt = Math.max(this.state.nextAt, now - CATCHES_UP_MS) + 1_000 / perSecond;
	}

	taken(): void {
		this.state.taken++;
	}

	/**
	 * There were too many. Nothing is sent for `pauseMs`.
	 * @param sentAt when the request was sent that was refused, and how many were in flight then
	 */
	refused({ sentAt, inFlight }: { sentAt: number; inFlight: number }, now: number, pauseMs: number): void {
		const { state } = this;
		const stretch = { taken: state.taken, ms: Math.max(sentAt - (state.since ?? sentAt), 1) };
		const before = this.at(now);
		const sending = before ?? (inFlight * 1_000) / Math.max(now - sentAt, 1);
		const reckoned = reckonedOf(stretch, state);
		state.isGuessed = reckoned === undefined;
		const least = stretch.ms > LONG_STRETCH_MS ? sending * MUCH_LESS : LEAST_PER_SECOND;
		state.perSecond = Math.max(Math.min(reckoned ?? guessOf(stretch, sending), sending * LESS), least);
		if (state.shortest === undefined || stretch.ms < state.shortest.ms) state.shortest = stretch;
		state.since = now + pauseMs;
		state.pauseMs = pauseMs;
		state.taken = 0;
		state.nextAt = state.since;
	}
}

/**
 * How many a second are allowed. Of a token bucket a stretch takes what was in it, and what flowed in meanwhile. Two bounds follow, and
 * one of them is exact: the bucket was full after the pause, and the difference of two stretches is what flowed in; or all that flowed
 * in during the pause was still in it. Undefined when too little has flowed in to tell.
 */
function reckonedOf({ taken, ms }: Stretch, { pauseMs, shortest }: RateState): number | undefined {
	if (shortest === undefined || taken - shortest.taken < TELLING || ms < shortest.ms * 2) return undefined;
	const byDifference = ((taken - shortest.taken) * 1_000) / (ms - shortest.ms);
	return Math.max(byDifference, (taken * 1_000) / (ms + pauseMs));
}

/**
 * Between what was sent a second, which was too much, and what was taken, as if all of it had been the burst; nearer to the first: too
 * much is noticed at once, and tells what is right.
 */
function guessOf({ taken, ms }: Stretch, sending: number): number {
	return sending ** 0.75 * (Math.max(taken, 1) / ((ms + BURST_MS) / 1_000)) ** 0.25;
}
