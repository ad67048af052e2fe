/**
 * How many requests a second, once the service has refused with 429. Few in flight would not do: with answers in 20 ms, two in flight
 * are a hundred a second. Pure: the clock is passed in.
 *
 * As in AWS's adaptive retry mode there is no limit until the first refusal. Then the rate is reckoned from what a service that lets
 * through a burst and then so many a second (a token bucket) has taken from one pause to the next. It grows as CUBIC does (RFC 9438),
 * hardly at first and then faster and faster, in case the service allows more by now.
 */

/** After so long without a refusal the rate has doubled; sooner while it is a guess. Milliseconds. */
const DOUBLES_AFTER = { reckoned: 50_000, guessed: 10_000 };
/** After so many times that there is no limit any more. */
const FORGOTTEN_AFTER = 2;

/** Two stretches tell a rate when they differ by so many requests, and tell it well when by so many. */
const TELLING = 5;
const TELLING_WELL = 50;

const LEAST_PER_SECOND = 0.5;

/** What a refusal costs at least; and at most after a long stretch, over which the rate has grown. */
const LESS = 0.98;
const MUCH_LESS = 0.7;
const LONG_STRETCH_MS = 10_000;

/** What was taken at once, before anything is known: bursts are mostly those of a second. */
const BURST_MS = 1_000;

/** What is sent late is made up for, up to so much: timers are coarse. */
const CATCHES_UP_MS = 25;

/** How many were taken in how long, from the end of a pause to the next refusal. */
interface Stretch {
	taken: number;
	ms: number;
}

export class RateLimit {
	/** Undefined while nothing is known of a limit. */
	private perSecond: number | undefined;
	private isGuessed = true;
	private pauseMs = 0;
	/** Of the present stretch. */
	private since: number | undefined;
	private taken = 0;
	/** The shortest stretch: nearly all of it was the burst. */
	private shortest: Stretch | undefined;
	private nextAt = 0;

	/** Milliseconds until the next request may be sent. */
	waitMs(now: number): number {
		return this.rateAt(now) === undefined ? 0 : Math.max(0, this.nextAt - now);
	}

	sent(now: number): void {
		this.since ??= now;
		const rate = this.rateAt(now);
		if (rate !== undefined) this.nextAt = Math.max(this.nextAt, now - CATCHES_UP_MS) + 1_000 / rate;
	}

	answered(): void {
		this.taken++;
	}

	/**
	 * There were too many. Nothing is sent for `pauseMs`.
	 * @param sent when the refused request was sent, and how many were in flight then
	 */
	refused(sent: { at: number; inFlight: number }, now: number, pauseMs: number): void {
		const stretch = { taken: this.taken, ms: Math.max(sent.at - (this.since ?? sent.at), 1) };
		const sending = this.rateAt(now) ?? (sent.inFlight * 1_000) / Math.max(now - sent.at, 1);
		const reckoned = this.reckonedFrom(stretch);
		const least = stretch.ms > LONG_STRETCH_MS ? sending * MUCH_LESS : LEAST_PER_SECOND;
		const isSure = reckoned !== undefined && stretch.taken >= TELLING_WELL;
		const rate = isSure ? reckoned * LESS : (reckoned ?? guessFrom(stretch, sending));
		this.perSecond = Math.max(Math.min(rate, sending * LESS), least);
		this.isGuessed = !isSure;
		if (this.shortest === undefined || stretch.ms < this.shortest.ms) this.shortest = stretch;
		this.pauseMs = pauseMs;
		this.since = now + pauseMs;
		this.nextAt = this.since;
		this.taken = 0;
	}

	private rateAt(now: number): number | undefined {
		if (this.perSecond === undefined) return undefined;
		const doublesAfter = this.isGuessed ? DOUBLES_AFTER.guessed : DOUBLES_AFTER.reckoned;
		const grown = Math.max(0, now - (this.since ?? now)) / doublesAfter;
		return grown >= FORGOTTEN_AFTER ? undefined : this.perSecond * (1 + grown ** 3);
	}

	/**
	 * Of a token bucket a stretch takes what was in it, and what flowed in meanwhile. One of two bounds is exact: the bucket was full after
	 * the pause, and the difference of two stretches is what flowed in; or all that flowed in during the pause was still in it.
	 */
	private reckonedFrom({ taken, ms }: Stretch): number | undefined {
		const { shortest } = this;
		if (shortest === undefined || taken - shortest.taken < TELLING || ms < shortest.ms * 2) return undefined;
		// One more: less than is allowed leaves no trace, too much is refused and tells what is right.
		const byDifference = (taken - shortest.taken + 1) / (ms - shortest.ms);
		return Math.max(byDifference, taken / (ms + this.pauseMs)) * 1_000;
	}
}

/** Between what was sent, which was too much, and what was taken, as if all of it had been the burst; nearer to the first: too much is noticed at once. */
function guessFrom({ taken, ms }: Stretch, sending: number): number {
	return sending ** 0.75 * (Math.max(taken, 1) / ((ms + BURST_MS) / 1_000)) ** 0.25;
}
