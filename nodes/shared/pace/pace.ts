/**
 * The pace of a run: what it may send, and when. A run is one client: what the service says to one of its requests holds for all.
 * Pure: the clock and chance are passed in, and nothing is awaited (transport/limiter.ts does).
 *
 * - As many in flight as the service answers well, or as many as the user has set (concurrencyLimit.ts).
 * - As many a second as it allows, once it has refused with 429 (rateLimit.ts).
 * - Nothing for a while after a refusal (429, 503, a connection that is refused, `Retry-After`); then, while the service gives no
 *   answer, one request at a time asks whether it is back (the half-open state of a circuit breaker), at most two a second.
 */
import { ConcurrencyLimit, type ConcurrencyBounds, type SentWith } from './concurrencyLimit';
import { RateLimit } from './rateLimit';

/** What the end of a request says about the service. */
export type Feedback =
	/** It worked on it, whatever it thought of it. */
	| { kind: 'served'; tookMs: number }
	/** It did not: 429 (`tooMany`), or 503, a connection refused, a name without an address. Nothing was done. */
	| { kind: 'refused'; tooMany: boolean; retryAfterMs?: number }
	/** No answer in time (`isSilent`), or one of a gateway that lost it. */
	| { kind: 'lost'; isSilent?: true }
	/** Nothing. */
	| { kind: 'none' };

/** A request may be sent. */
export interface Permit extends SentWith {
	readonly sentAt: number;
	/** It asks whether the service is back. */
	readonly isProbe: boolean;
}

/** What happened since the service last gave an answer. */
interface Outage {
	/** Of the first refusal, and of the last. */
	since: number;
	last: number;
	pauses: number;
	/** Nothing is sent before. */
	until: number;
	/** The service asked for the pause: an answer to another request does not end it. */
	isOrdered: boolean;
	/** 503 or no connection: after the pause, one request asks whether it is back. */
	needsProbe: boolean;
}

export type RunSummary = Readonly<Pace['summary']>;

/** Without any answer, a run goes on asking for so long. */
export const GIVES_UP_AFTER_MS = 120_000;

const FIRST_PAUSE_MS = 500;
/** Between two probes. */
const PROBES_EVERY_MS = 1_000;
/** Pauses after 429 without `Retry-After` double up to this. */
const LONGEST_PAUSE_MS = 15_000;

/** A timer wakes late by so much, which is made up for. */
const LATE_MS = 4;

export class Pace {
	/** What the run has done, without anything that it was about. */
	readonly summary = { requests: 0, retries: 0, highestInFlight: 0, pauses: 0, pausedMs: 0 };

	private readonly limit: ConcurrencyLimit;
	private readonly rate = new RateLimit();
	private inFlight = 0;
	private probes = 0;
	private outage: Outage | undefined;
	/** Requests to which nothing came in time, the first and the last since the service last gave an answer. */
	private silence: { since: number; last: number } | undefined;
	/** When the newest request was sent that the service has worked on. */
	private servedAt = -Infinity;
	/** Requests leave apart from each other. */
	private nextAt = 0;
	private halvedAt = -Infinity;

	constructor(private readonly bounds: ConcurrencyBounds) {
		this.limit = new ConcurrencyLimit(bounds);
	}

	/** The most that can ever be in flight. */
	get ceiling(): number {
		return this.bounds.most;
	}

	get isIdle(): boolean {
		return this.inFlight === 0;
	}

	/** Whether the service has worked on a request that was sent after this time; by default, on any. */
	hasServedSince(time = -Infinity): boolean {
		return this.servedAt > time;
	}

	/** How long the service has refused, in milliseconds. */
	outageMs(now: number): number {
		return this.outage === undefined ? 0 : now - this.outage.since;
	}

	/** Something begins that may be taken although what was given up was not: once no pause stands before it, the service is asked for it. */
	beginAnew(now: number): void {
		const { outage } = this;
		if (outage === undefined) return;
		const probesUntil = Math.max(now, outage.until) + PROBES_EVERY_MS;
		outage.since = Math.max(outage.since, probesUntil - GIVES_UP_AFTER_MS);
	}

	/**
	 * Lets a request out, or says after how many milliseconds to ask again: {@link Infinity} for when another one has come back.
	 * `unavailable`: the service has given no answer for too long.
	 * @param isRepeated whether it was sent before
	 */
	acquire(now: number, isRepeated = false): Permit | number | 'unavailable' {
		const { outage, silence } = this;
		if (isOver(silence, now) || isOver(outage, now)) return 'unavailable';
		if (outage !== undefined) {
			const waitMs = Math.min(outage.until - now, outage.since + GIVES_UP_AFTER_MS - now);
			if (outage.until > now) return Math.max(waitMs, 1);
			if (outage.needsProbe && this.probes > 0) return Infinity;
		}
		if (this.inFlight >= this.limit.current) return Infinity;
		const waitMs = Math.max(this.rate.waitMs(now), this.nextAt - now);
		return waitMs > 0 ? waitMs : this.letOut(now, isRepeated);
	}

	private letOut(now: number, isRepeated: boolean): Permit {
		const { summary } = this;
		const isProbe = this.outage?.needsProbe === true;
		this.inFlight++;
		if (isProbe) this.probes++;
		this.rate.sent(now);
		const { apartMs } = this.limit;
		if (apartMs > 0) this.nextAt = Math.max(this.nextAt, now - LATE_MS) + apartMs;
		summary.requests++;
		if (isRepeated) summary.retries++;
		summary.highestInFlight = Math.max(summary.highestInFlight, this.inFlight);
		return { ...this.limit.sentWith(this.inFlight), sentAt: now, isProbe };
	}

	/** The request has come back. @param chance from 0 to 1, so that runs that wait do not come back all at once */
	release(permit: Permit, now: number, feedback: Feedback, chance: number): void {
		this.inFlight--;
		if (permit.isProbe) this.probes--;
		if (feedback.kind === 'served') this.served(permit, feedback.tookMs);
		if (feedback.kind === 'refused') this.refused(permit, now, feedback, chance);
		if (feedback.kind === 'lost') this.lost(permit, now, feedback.isSilent === true, chance);
	}

	private served(permit: Permit, tookMs: number): void {
		const { outage } = this;
		const { sentAt, isProbe } = permit;
		this.servedAt = Math.max(this.servedAt, sentAt);
		this.silence = undefined;
		this.rate.answered();
		this.limit.answered(permit, tookMs);
		if (outage !== undefined && !isProbe && outage.isOrdered && sentAt < outage.until) {
			// It is there, and the pause that it asked for goes on.
			outage.since = Math.max(outage.since, sentAt);
			outage.pauses = 1;
			outage.needsProbe = false;
			return;
		}
		if (isProbe && outage !== undefined) this.limit.restart();
		this.outage = undefined;
	}

	private refused(
		permit: Permit,
		now: number,
		{ tooMany, retryAfterMs }: Extract<Feedback, { kind: 'refused' }>,
		chance: number,
	): void {
		const { outage } = this;
		const { sentAt, isProbe, inFlight } = permit;
		const isOrdered = tooMany || retryAfterMs !== undefined;
		if (outage !== undefined && sentAt < outage.until) {
			// It was on its way already: one refusal holds the run, not each of those that left together.
			outage.isOrdered ||= isOrdered;
			if (retryAfterMs !== undefined) this.pauseUntil(outage, now, now + retryAfterMs);
			return;
		}
		// What another batch of this run met long ago is no outage of now.
		const before = outage !== undefined && sentAt - outage.last < GIVES_UP_AFTER_MS ? outage : undefined;
		const pauses = before?.pauses ?? 0;
		// Who says how long knows better: a service that says a second each time is there in a second.
		const pauseMs =
			retryAfterMs === undefined ? pauseOf(tooMany, pauses, chance) : Math.max(retryAfterMs, FIRST_PAUSE_MS);
		if (tooMany) this.rate.refused({ at: sentAt, inFlight }, now, pauseMs);
		if (!isProbe) this.halve(sentAt, now, !tooMany);
		const since = before?.since ?? now;
		this.outage = { since, last: now, pauses: pauses + 1, until: now, isOrdered, needsProbe: !tooMany };
		this.summary.pauses++;
		this.pauseUntil(this.outage, now, now + pauseMs);
	}

	private pauseUntil(outage: Outage, now: number, until: number): void {
		if (until <= outage.until) return;
		this.summary.pausedMs += until - Math.max(outage.until, now);
		outage.until = until;
		outage.last = now;
	}

	private lost({ sentAt, isProbe }: Permit, now: number, isSilent: boolean, chance: number): void {
		const { outage, silence } = this;
		if (isSilent) {
			const goesOn = silence !== undefined && sentAt - silence.last < GIVES_UP_AFTER_MS;
			this.silence = { since: goesOn ? silence.since : now, last: now };
		}
		if (isProbe && outage !== undefined) {
			outage.pauses++;
			this.pauseUntil(outage, now, now + pauseOf(false, outage.pauses, chance));
		} else this.halve(sentAt, now, true);
	}

	private halve(sentAt: number, now: number, isTooMany: boolean): void {
		// Requests that were sent before say nothing about what is in flight since.
		if (sentAt < this.halvedAt) return;
		this.halvedAt = now;
		this.limit.halve(isTooMany);
	}
}

/** True when the service has given no answer for too long. What another batch of the run met long ago does not count. */
function isOver(trouble: { since: number; last: number } | undefined, now: number): boolean {
	if (trouble === undefined) return false;
	return now - trouble.since >= GIVES_UP_AFTER_MS && now - trouble.last < GIVES_UP_AFTER_MS;
}

function pauseOf(tooMany: boolean, pauses: number, chance: number): number {
	const doubled = Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS);
	const whole = tooMany ? doubled : Math.min(doubled, PROBES_EVERY_MS);
	return Math.round(whole * (1 + chance / 4));
}
