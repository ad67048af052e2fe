/**
 * The pace of a run: what it may send, and when. A run is one client: what the service says to one of its requests holds for all.
 * Pure: the clock and chance are passed in, and nothing is awaited here (that is the gate's part, transport/gate.ts).
 *
 * - As many in flight as the service answers well, or as many as the user has set (flight.ts).
 * - As many a second as it allows, once it has refused with 429 (rate.ts).
 * - Nothing for a while after a refusal (429, 503, a connection that is refused, `Retry-After`); then, while it gives no
 *   answer, one request at a time asks whether it is back (the half-open state of a circuit breaker), at most two a second.
 */
import { ceilingOf, Flight, freshFlight, type Bounds, type FlightState } from './flight';
import { freshRate, Rate, type RateState } from './rate';

/** What a request came to, as far as the pace has to know. */
export type PaceResult =
	/** The service worked on it, whatever it thought of it. */
	| { kind: 'served'; tookMs: number }
	/** It did not: 429 (`tooMany`), or 503, a connection refused, a name without an address. Nothing was done. */
	| { kind: 'refused'; tooMany: boolean; retryAfterMs?: number }
	/** No answer in time, or one of a gateway that lost it. */
	| { kind: 'lost'; isSilent?: true }
	/** Nothing that says anything about the service. */
	| { kind: 'nothing' };

/** A request that was let out. */
export interface Ticket {
	readonly sentAt: number;
	readonly round: number;
	/** How many were in flight then, this one included. */
	readonly inFlight: number;
	/** It asks whether the service is back. */
	readonly isProbe: boolean;
}

/** Whether a request may go. `wait`: after so long, or, where there is no time, when another has come back. */
export type Turn = { kind: 'go' } | { kind: 'wait'; ms?: number } | { kind: 'given up' };

/** What happened since the service last gave an answer. */
interface Absence {
	/** Of the first refusal, and of the last. */
	since: number;
	last: number;
	/** Refusals after a pause each. */
	pauses: number;
	/** Nothing is sent before. */
	until: number;
	/** The service, or what stands before it, said how long, or that there were too many: an answer to another request does not end it. */
	isOrdered: boolean;
	/** 503 or no connection: after the pause, one request asks whether it is back. */
	isAway: boolean;
	/** What might be in flight before it. */
	limit: number;
}

/** Plain data: it can be kept as JSON between two batches of a run. Times are those of the clock (clock.ts). */
export interface PaceState {
	flight: FlightState;
	rate: RateState;
	trouble?: Absence;
	/** Requests to which nothing came in time, the first and the last since the service last gave an answer. */
	silence?: { since: number; last: number };
	/** The service has worked on a request; when the newest such request was sent. */
	servedAt?: number;
	summary: RunSummary;
}

/** What a run has done, without anything that it was about. */
export interface RunSummary {
	requests: number;
	retries: number;
	highestInFlight: number;
	pauses: number;
	pausedMs: number;
}

/** Without any answer, a run goes on asking for so long. */
export const GIVES_UP_AFTER_MS = 120_000;

const FIRST_PAUSE_MS = 500;
/** A service that is away is asked this often whether it is back. */
const ASKS_EVERY_MS = 1_000;
/** Pauses after 429 without `Retry-After` double up to this. */
const LONGEST_PAUSE_MS = 15_000;

/** A timer wakes late by so much, which is made up for. */
const LATE_MS = 4;

export function freshPace(bounds: Bounds): PaceState {
	return {
		flight: freshFlight(bounds),
		rate: freshRate(),
		summary: { requests: 0, retries: 0, highestInFlight: 0, pauses: 0, pausedMs: 0 },
	};
}

export class Pace {
	private readonly flight: Flight;

	private readonly rate: Rate;

	private inFlight = 0;

	private probes = 0;

	/** When the next may be sent, so that they are spread over time. */
	private apartAt = 0;

	/** Requests that were sent before say nothing about what is in flight since. */
	private halvedAt = -Infinity;

	/** @param state that of a new run, or what an earlier batch has left */
	constructor(
		private readonly bounds: Bounds,
		readonly state: PaceState = freshPace(bounds),
	) {
		this.flight = new Flight(bounds, state.flight);
		this.rate = new Rate(state.rate);
	}

	/** The most that can ever be in flight. */
	get ceiling(): number {
		return ceilingOf(this.bounds);
	}

	/** Whether the service has worked on a request of this run that was sent after this time. */
	hasServedSince(time: number): boolean {
		return (this.state.servedAt ?? -Infinity) > time;
	}

	/** Whether the service has worked on any request of this run. */
	get hasServed(): boolean {
		return this.state.servedAt !== undefined;
	}

	/** True when nothing is in flight. */
	get isIdle(): boolean {
		return this.inFlight === 0;
	}

	/** How long the service has refused, in milliseconds. */
	troubledFor(now: number): number {
		const { trouble } = this.state;
		return trouble === undefined ? 0 : now - trouble.since;
	}

	/** Something begins that may be taken although what was given up was not: once no pause stands before it, the service is asked for it. */
	beginAnew(now: number): void {
		const { trouble } = this.state;
		if (trouble === undefined) return;
		const asksUntil = Math.max(now, trouble.until) + ASKS_EVERY_MS;
		trouble.since = Math.max(trouble.since, asksUntil - GIVES_UP_AFTER_MS);
	}

	turn(now: number): Turn {
		const { trouble, silence } = this.state;
		if (
			silence !== undefined &&
			now - silence.since >= GIVES_UP_AFTER_MS &&
			now - silence.last < GIVES_UP_AFTER_MS
		)
			return { kind: 'given up' };
		if (trouble !== undefined) {
			const leftMs = trouble.since + GIVES_UP_AFTER_MS - now;
			// What an earlier batch met long ago is no trouble of this one.
			if (leftMs <= 0 && now - trouble.last < GIVES_UP_AFTER_MS) return { kind: 'given up' };
			if (trouble.until > now)
				return { kind: 'wait', ms: Math.max(Math.min(trouble.until - now, leftMs), 1) };
			if (trouble.isAway && this.probes > 0) return { kind: 'wait' };
		}
		if (this.inFlight >= this.flight.limit) return { kind: 'wait' };
		const ms = Math.max(this.rate.waitMs(now), this.apartAt - now);
		return ms > 0 ? { kind: 'wait', ms } : { kind: 'go' };
	}

	/** A request is sent. @param isRepeated whether it was sent before */
	begin(now: number, isRepeated = false): Ticket {
		const { summary, trouble } = this.state;
		this.inFlight++;
		this.rate.sent(now);
		const apartMs = this.flight.apartMs;
		if (apartMs > 0) this.apartAt = Math.max(this.apartAt, now - LATE_MS) + apartMs;
		summary.requests++;
		if (isRepeated) summary.retries++;
		summary.highestInFlight = Math.max(summary.highestInFlight, this.inFlight);
		const isProbe = trouble?.isAway === true;
		if (isProbe) this.probes++;
		return {
			sentAt: now,
			round: this.flight.roundNumber,
			inFlight: this.inFlight,
			isProbe,
		};
	}

	/** It came back. @param chance from 0 to 1, so that runs that wait do not come back all at once */
	end(ticket: Ticket, now: number, result: PaceResult, chance: number): void {
		this.inFlight--;
		if (ticket.isProbe) this.probes--;
		switch (result.kind) {
			case 'served':
				this.served(ticket, result.tookMs);
				break;
			case 'refused':
				this.refused(ticket, now, result, chance);
				break;
			case 'lost':
				if (result.isSilent) this.silent(ticket, now);
				this.lost(ticket, now, chance);
				break;
			case 'nothing':
				break;
		}
	}

	private served({ sentAt, round, inFlight, isProbe }: Ticket, tookMs: number): void {
		const { state } = this;
		const { trouble } = state;
		state.servedAt = Math.max(state.servedAt ?? -Infinity, sentAt);
		state.silence = undefined;
		this.rate.taken();
		this.flight.answered(tookMs, round, inFlight);
		if (trouble === undefined) return;
		if (isProbe) {
			this.flight.comeBack(trouble.limit);
			state.trouble = undefined;
		} else if (trouble.isOrdered && sentAt < trouble.until) {
			// It is there, and the pause that it asked for goes on.
			trouble.since = Math.max(trouble.since, sentAt);
			trouble.pauses = 1;
			trouble.isAway = false;
		} else state.trouble = undefined;
	}

	private refused(
		ticket: Ticket,
		now: number,
		{ tooMany, retryAfterMs }: Extract<PaceResult, { kind: 'refused' }>,
		chance: number,
	): void {
		const { sentAt, isProbe } = ticket;
		const { trouble } = this.state;
		const isNew = trouble === undefined || sentAt >= trouble.until;
		if (!isNew) {
			// It was on its way already: one refusal holds the run, not each of those that left together.
			if (tooMany || retryAfterMs !== undefined) trouble.isOrdered = true;
			if (retryAfterMs !== undefined) this.holdUntil(trouble, now, now + retryAfterMs);
			return;
		}
		// What an earlier batch met long ago is no trouble of this one.
		const isOld = trouble === undefined || sentAt - trouble.last >= GIVES_UP_AFTER_MS;
		const pauses = isOld ? 0 : trouble.pauses;
		// Who says how long knows better: a service that says a second each time is there in a second.
		const pauseMs =
			retryAfterMs === undefined ? pauseOf(tooMany, pauses, chance) : Math.max(retryAfterMs, FIRST_PAUSE_MS);
		const limit = isProbe ? (trouble?.limit ?? this.flight.aim) : this.flight.aim;
		if (!isProbe) this.halve(sentAt, now, !tooMany);
		if (tooMany) this.rate.refused(ticket, now, pauseMs);
		this.state.trouble = {
			since: isOld ? now : trouble.since,
			last: now,
			pauses: pauses + 1,
			until: now,
			isOrdered: tooMany || retryAfterMs !== undefined,
			isAway: !tooMany,
			limit,
		};
		this.state.summary.pauses++;
		this.holdUntil(this.state.trouble, now, now + pauseMs);
	}

	private holdUntil(trouble: Absence, now: number, until: number): void {
		if (until <= trouble.until) return;
		this.state.summary.pausedMs += until - Math.max(trouble.until, now);
		trouble.until = until;
		trouble.last = now;
	}

	private silent({ sentAt }: Ticket, now: number): void {
		const { silence } = this.state;
		// What an earlier batch met long ago is no silence of this one.
		const isOld = silence === undefined || sentAt - silence.last >= GIVES_UP_AFTER_MS;
		this.state.silence = { since: isOld ? now : silence.since, last: now };
	}

	private lost({ sentAt, isProbe }: Ticket, now: number, chance: number): void {
		const { trouble } = this.state;
		if (isProbe && trouble !== undefined) {
			trouble.pauses++;
			this.holdUntil(trouble, now, now + pauseOf(false, trouble.pauses, chance));
		} else this.halve(sentAt, now, true);
	}

	private halve(sentAt: number, now: number, isTooMuch: boolean): void {
		if (sentAt < this.halvedAt) return;
		this.halvedAt = now;
		this.flight.halve(isTooMuch);
	}
}

function pauseOf(tooMany: boolean, pauses: number, chance: number): number {
	const whole = tooMany
		? Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS)
		: pauses === 0
			? FIRST_PAUSE_MS
			: ASKS_EVERY_MS;
	return Math.round(whole * (1 + chance / 4));
}
