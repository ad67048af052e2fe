/**
 * How many requests may be in flight: found out from the answers. Pure: durations are passed in.
 *
 * Known art, and what was taken of it:
 * - Slow start (RFC 5681 section 3.1): twice as many after each round that went well, so that a far service is used in full after
 *   a few round trips. A round is as many answers as may be in flight.
 * - Gradient and Vegas (Netflix's concurrency limits): answers that take longer tell of a line at the service before it refuses anything. Alone
 *   that would not do here: n8n's own processor makes answers look slow too, long before the service is busy.
 * - Hill climbing (.NET's thread pool): so more in flight is tried, and kept where more is answered for it. By Little's law,
 *   answers per second are what is in flight, divided by what an answer takes.
 * - Spread over the time of an answer (TCP pacing, Linux's fq): what left together would come back together and go again together, and
 *   for each such burst the service and n8n work one after the other instead of side by side.
 * - Half as many after a refusal (AIMD, RFC 5681 section 3.1), and a while below what was refused (ssthresh; the plateau of
 *   CUBIC, RFC 9438).
 */

/** What a run begins with, and does not go below of its own accord. */
export const BEGINS_WITH = 10;

/** What comes back first after the service was away. */
const COMES_BACK_WITH = 2;

/** Of what more in flight could bring at best, it has to bring this share; of what fewer could cost at worst, they may cost that one. */
const MORE_BRINGS = 1 / 2;
const FEWER_COST = 1 / 5;

/** In flight counts as full from this share of the limit on. */
const FULL = 0.7;

/** Rounds from a trial that has brought nothing to the next: few at first, since it may have been chance, then more and more. */
const FIRST_REST = 3;
const LONGER_REST = 4;
const LONGEST_REST = 200;

/** Answers are as quick as ever up to so many times the quickest: twice as many are tried then. */
const STILL_QUICK = 1.15;
/** At the very beginning, when nothing is known to compare with. */
const VERY_QUICK = 1.08;
const TWICE = 2;
/** Else something waits in a line somewhere, and a little more shows whether it is a line at the service. */
const MORE = 1.5;
/** More than was in vain before. */
const LITTLE_MORE = 1.25;
/** The quickest answer is forgotten by this share with each round: ways to a service change. */
const FORGETS = 0.005;
/** From so many times the quickest on, fewer in flight may do as well. */
const SLOW = 1.5;
const FEWER = 0.75;

/** Requests leave apart from each other by this share of what an answer takes, divided by the limit: in step, with room to catch up. */
const APART = 0.9;
/** Where a line is kept short so, answers count as so many times the quickest at most: there is room to catch up after n8n was busy. */
const SLIGHTLY_SLOW = 1.3;
/** Timers do not tell less apart than this: what is near is not spread. Milliseconds. */
const NEAR_MS = 15;

/** So much of what was too much for the service is used afterwards, for so many rounds. */
const BELOW_TROUBLE = 0.8;
const ROUNDS_BELOW_TROUBLE = 100;

/** A limit, how many were in flight with it, and how long an answer took then, in milliseconds. */
interface Level {
	limit: number;
	inFlight: number;
	took: number;
}

/** Plain data, so that it can be kept between two batches of a run. */
export interface FlightState {
	limit: number;
	/** What is known to be worth it; `limit` differs from it during a trial. */
	known?: Level;
	/** The quickest answer of late, in milliseconds. */
	quickest?: number;
	/** Rounds until the next trial. */
	rest: number;
	/** Trials in a row that have brought nothing. */
	inVain: number;
	/** The last of them, until the round after it has been seen too. */
	tried?: Level;
	/** Whether fewer are tried next: the direction changes when a trial brings nothing. */
	triesFewer: boolean;
	/** Grows back to this without trials. */
	goal?: number;
	/** More than this was too much, and for how many more rounds that is remembered. */
	bound?: { limit: number; rounds: number };
}

/** What may be in flight: a number that the user has chosen, or at most so many. */
export type Bounds = { exactly: number } | { atMost: number };

export function freshFlight(bounds: Bounds): FlightState {
	return {
		limit: 'exactly' in bounds ? bounds.exactly : Math.min(BEGINS_WITH, bounds.atMost),
		rest: 0,
		inVain: 0,
		triesFewer: false,
	};
}

/** The most that can ever be in flight. */
export function ceilingOf(bounds: Bounds): number {
	return 'exactly' in bounds ? bounds.exactly : bounds.atMost;
}

export class Flight {
	/** Answers to requests of this round, and what they took in all. Requests of earlier rounds tell of another limit. */
	private round = newRound(0);

	constructor(
		private readonly bounds: Bounds,
		private readonly state: FlightState,
	) {}

	get limit(): number {
		return this.state.limit;
	}

	/** The limit, or what it grows back to. */
	get aim(): number {
		return this.state.goal ?? this.state.limit;
	}

	/**
	 * Milliseconds from one request to the next, so that they do not leave in bursts. Not during a trial, which is to be over soon.
	 * Where more were in vain and fewer are not tried, some wait in a line at the service: it is shorter for those that come evenly, at its
	 * pace. Trap: not by all that an answer takes. Once slow for a moment, so few would be in flight that no round is full, and none is judged again.
	 */
	get apartMs(): number {
		const { quickest, known, limit, inVain } = this.state;
		if (quickest === undefined || quickest < NEAR_MS || known?.limit !== limit) return 0;
		const isLeast = inVain > 0 && limit <= BEGINS_WITH;
		return ((isLeast ? Math.min(known.took, quickest * SLIGHTLY_SLOW) : quickest) / limit) * APART;
	}

	/** Of requests that are sent now. */
	get roundNumber(): number {
		return this.round.number;
	}

	/**
	 * The service answered a request.
	 * @param round the round in which it was sent
	 * @param inFlight how many were in flight then, itself included
	 */
	answered(tookMs: number, round: number, inFlight: number): void {
		if (round !== this.round.number) return;
		const took = Math.max(tookMs, 0.1);
		this.round.answers++;
		this.round.tookMs += took;
		this.round.inFlight += inFlight;
		this.round.quickest = Math.min(this.round.quickest, took);
		if (inFlight >= this.state.limit * FULL) this.round.full++;
		if (this.round.answers < this.wanted) return;
		// A run that has less to do than it may says nothing about more.
		if (this.round.full * 2 > this.round.answers) this.judge();
		else if (this.round.number === 0 && this.state.known === undefined) this.judgeBeginning();
		// Trap: spread over the time of slower answers, too few would be in flight for a round to be judged ever again.
		else if (this.state.quickest !== undefined)
			this.state.quickest = Math.min(this.state.quickest, this.round.quickest);
		this.beginRound();
	}

	/**
	 * The service refused, or did not answer: half as many.
	 * @param isTooMuch as many in flight are too many for it, and are not tried for a while
	 */
	halve(isTooMuch: boolean): void {
		if ('exactly' in this.bounds) return;
		const { limit } = this.state;
		const half = Math.max(1, Math.floor(limit / 2));
		const known = this.state.known?.limit ?? limit;
		const goal = isTooMuch ? Math.max(1, Math.min(known, Math.floor(limit * BELOW_TROUBLE))) : known;
		this.change({
			limit: half,
			goal,
			...(isTooMuch && { bound: { limit: goal, rounds: ROUNDS_BELOW_TROUBLE } }),
		});
	}

	/** The service was away and is back: it is asked gently, and soon as before. */
	comeBack(before: number): void {
		this.change({ limit: Math.min(COMES_BACK_WITH, before), goal: before, bound: undefined });
	}

	private change(change: Partial<FlightState>): void {
		Object.assign(
			this.state,
			{ known: undefined, tried: undefined, rest: 0, inVain: 0, triesFewer: false },
			change,
		);
		this.beginRound();
	}

	/**
	 * Answers that make a round. What is tried is judged sooner: it costs time when it is right, and makes a line when it is not. After a trial
	 * in vain nothing hurries, and half a round can look like a gain by chance: from a service with a line, answers come in bunches.
	 */
	private get wanted(): number {
		const { limit, known, inVain } = this.state;
		return known === undefined || limit === known.limit || inVain > 0 ? limit : Math.ceil(limit / 2);
	}

	private beginRound(): void {
		this.round = newRound(this.round.number + 1);
	}

	/** A whole round with as many in flight as may be. */
	private judge(): void {
		const { state } = this;
		const { answers, quickest } = this.round;
		const now: Level = {
			limit: state.limit,
			inFlight: this.round.inFlight / answers,
			took: this.round.tookMs / answers,
		};
		const before = state.quickest ?? quickest;
		state.quickest = Math.min(quickest, before + (quickest - before) * FORGETS);
		if (state.bound !== undefined && --state.bound.rounds <= 0) state.bound = undefined;
		if (state.goal !== undefined) this.climbTo(state.goal);
		else if (!('exactly' in this.bounds)) this.tryOn(now);
	}

	/** The first round, which began with none in flight. When all its answers are quick, a round trip is saved. */
	private judgeBeginning(): void {
		const { state } = this;
		const { answers, tookMs, quickest, full } = this.round;
		const now: Level = { limit: state.limit, inFlight: state.limit, took: tookMs / answers };
		if ('exactly' in this.bounds || full === 0 || now.took > quickest * VERY_QUICK) return;
		state.quickest = quickest;
		state.known = now;
		this.beginTrial(1);
	}

	private climbTo(goal: number): void {
		const { state } = this;
		state.limit = Math.min(goal, state.limit * TWICE);
		if (state.limit < goal) return;
		state.goal = undefined;
		state.rest = state.bound === undefined ? 0 : FIRST_REST;
	}

	private tryOn(now: Level): void {
		const { state } = this;
		const { known } = state;
		const isTrial = known !== undefined && now.limit !== known.limit;
		if (isTrial && !isWorth(known, now)) {
			state.tried = now;
			state.triesFewer = !state.triesFewer;
			state.limit = known.limit;
			state.rest = Math.min(FIRST_REST * LONGER_REST ** state.inVain++, LONGEST_REST);
			return;
		}
		const { tried } = state;
		state.tried = undefined;
		if (tried !== undefined && isWorth(now, tried)) {
			// Everything was slow for a moment, with more in flight and without.
			Object.assign(state, {
				limit: tried.limit,
				known: tried,
				rest: 0,
				inVain: 0,
				triesFewer: !state.triesFewer,
			});
			return;
		}
		state.known = now;
		if (isTrial) state.inVain = 0;
		else if (state.rest > 0) state.rest--;
		if (state.rest === 0) this.beginTrial(this.timesQuickest(now));
	}

	/** So many times as long as the quickest does an answer take. */
	private timesQuickest({ took }: Level): number {
		return took / (this.state.quickest ?? took);
	}

	private beginTrial(times: number): void {
		const { state } = this;
		const most = Math.min(ceilingOf(this.bounds), state.bound?.limit ?? Infinity);
		const factor = state.inVain > 0 ? LITTLE_MORE : times > STILL_QUICK ? MORE : TWICE;
		const more = Math.max(state.limit, Math.min(most, Math.ceil(state.limit * factor)));
		const fewer = Math.max(Math.min(state.limit, BEGINS_WITH), Math.floor(state.limit * FEWER));
		const mayTryFewer = times > SLOW && fewer < state.limit;
		state.limit = mayTryFewer && (state.triesFewer || more === state.limit) ? fewer : more;
	}
}

function newRound(number: number) {
	return { number, answers: 0, tookMs: 0, inFlight: 0, quickest: Infinity, full: 0 };
}

/** More in flight has to bring more answers; fewer must not cost many. */
function isWorth(before: Level, now: Level): boolean {
	const change = now.inFlight / before.inFlight - 1;
	const gain = (now.inFlight / now.took) * (before.took / before.inFlight) - 1;
	return gain >= change * (change > 0 ? MORE_BRINGS : FEWER_COST);
}
