/**
 * Where the requests of a run wait for their turn, first come, first served. One gate for a whole run: what the service says to one
 * of its requests holds for all of them. When a request may go is the pace's to say (pace/pace.ts); here is what waits.
 *
 * What is sent again comes behind all others, since an item that is always refused must not stand in their way. But where the service
 * refuses what is new, it goes first: a service that refuses the first request of every item would else be asked for one new
 * item after another, and seem to be away.
 */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../pace/clock';
import type { Feedback, Pace, Permit } from '../pace/pace';

import { isLostOnTheWay, type Attempt } from './attempt';
import { LONGEST_WAIT_MS } from './retry';
import { waitAskedBy } from './retryAfter';

/** Looks at least this often, so that a timer does not outlive its run for long. Milliseconds. */
const LONGEST_SLEEP_MS = 1_000;

/** So long the last request of a run waits, where nothing comes behind it. */
const WAITS_ALONE_MS = 30_000;

/** An attempt, and how long the service took for it, without what was waited for before it was sent. */
export interface Timed {
	attempt: Attempt;
	tookMs: number;
}

interface Waiting {
	isRepeated: boolean;
	look: () => void;
}

export class Gate {
	/** Those who wait. Each is told when it may look again. */
	private readonly line: Waiting[] = [];

	/** What was sent for the first time came back refused, and nothing that was sent with it or since says that the service takes such requests. */
	private refusesNew = false;

	private wakesAt = Infinity;

	private isClosed = false;

	/** What the service refused last. */
	private refusal: Attempt | undefined;

	/** Looked at when it is a request's turn: false when none is worth sending any more, for as long as that is so. */
	mayLetOut: () => boolean = () => true;

	/**
	 * @param cancel aborted when the run is cancelled
	 * @param waitsAloneMs how long the last request waits for a service that is away without spending retries
	 */
	constructor(
		readonly pace: Pace,
		cancel?: AbortSignal,
		readonly waitsAloneMs = WAITS_ALONE_MS,
	) {
		if (cancel?.aborted) this.isClosed = true;
		cancel?.addEventListener('abort', () => this.close(), { once: true });
	}

	/** Nothing is let out any more. Who waits is sent away. */
	close(): void {
		this.isClosed = true;
		this.wake(this.line.length);
	}

	/**
	 * Makes an attempt when it is its turn, or says why there is none.
	 * @param isRepeated whether the request was sent before
	 */
	async pass(isRepeated: boolean, send: () => Promise<Timed>): Promise<Attempt> {
		const ticket = await this.turn(isRepeated);
		if (typeof ticket === 'string') return { kind: 'held', by: ticket, refusal: this.refusal };
		let timed: Timed = { attempt: { kind: 'lost', trouble: 'cancelled' }, tookMs: 0 };
		try {
			timed = await send();
			return timed.attempt;
		} finally {
			this.cameBack(ticket, timed, isRepeated);
		}
	}

	/** True when nothing of the run waits or is on its way. */
	get isAlone(): boolean {
		return this.line.length === 0 && this.pace.isIdle;
	}

	private async turn(isRepeated: boolean): Promise<Permit | 'end' | 'silence'> {
		// Who comes while others wait stands behind them.
		let mayLook = this.line.length === 0;
		for (;;) {
			if (this.isClosed) return 'end';
			if (mayLook) {
				if (!this.mayLetOut()) {
					this.wake(1);
					return 'end';
				}
				const now = steadyNow();
				// Trap: counted after the promise is kept, others would have looked meanwhile and found the place free.
				const permit = this.pace.acquire(now, isRepeated);
				if (typeof permit === 'object') {
					// As many as may go leave together, each after the one before it.
					this.wake(1);
					return permit;
				}
				if (permit === 'unavailable') {
					this.wake(1);
					return 'silence';
				}
				if (permit < Infinity) this.wakeIn(permit);
			}
			await new Promise<void>((look) => {
				if (mayLook) this.line.unshift({ isRepeated, look });
				else this.line.push({ isRepeated, look });
			});
			mayLook = true;
		}
	}

	private cameBack(permit: Permit, { attempt, tookMs }: Timed, isRepeated: boolean): void {
		const result = resultOf(attempt, tookMs, Date.now());
		if (result.kind === 'refused' || result.kind === 'lost') this.refusal = attempt;
		if (result.kind === 'refused')
			this.refusesNew = !isRepeated && !this.pace.hasServedSince(permit.sentAt - 1);
		else if (result.kind === 'served' && !isRepeated) this.refusesNew = false;
		this.pace.release(permit, steadyNow(), result, Math.random());
		this.wake(1);
	}

	private wake(count: number): void {
		for (; count > 0; count--) {
			const sentBefore = this.refusesNew ? this.line.findIndex(({ isRepeated }) => isRepeated) : 0;
			const [next] = this.line.splice(Math.max(sentBefore, 0), 1);
			next?.look();
		}
	}

	private wakeIn(ms: number): void {
		const at = steadyNow() + Math.min(ms, LONGEST_SLEEP_MS);
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		void sleep(at - steadyNow()).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.wake(1);
		});
	}
}

/** What an attempt says about the service. */
export function resultOf(attempt: Attempt, tookMs: number, now: number): Feedback {
	switch (attempt.kind) {
		case 'answered': {
			const { status, headers } = attempt.reply;
			if (isLostOnTheWay(status)) return { kind: 'lost' };
			if (!isHeldOff(attempt)) return { kind: 'served', tookMs };
			const asked = waitAskedBy(headers, now);
			// A longer wait fails its item at once and is named (retry.ts): it does not hold the others.
			const isHeeded = asked !== undefined && asked <= LONGEST_WAIT_MS;
			return { kind: 'refused', tooMany: status === 429, ...(isHeeded && { retryAfterMs: asked }) };
		}
		case 'lost':
			if (isHeldOff(attempt)) return { kind: 'refused', tooMany: false };
			if (attempt.trouble === 'timeout') return { kind: 'lost', isSilent: true };
			return { kind: attempt.trouble === 'broken' ? 'lost' : 'none' };
		default:
			return { kind: 'none' };
	}
}

/** True when the service takes nothing of this client at the moment, whatever it is. */
export function isHeldOff(attempt: Attempt): boolean {
	if (attempt.kind === 'answered') return attempt.reply.status === 429 || attempt.reply.status === 503;
	return attempt.kind === 'lost' && (attempt.trouble === 'refused' || attempt.trouble === 'unresolved');
}

/**
 * Tells apart, for one request, what holds the whole run from what is about the request itself. Pauses of the run spend no retries.
 * A request that is refused again although the service has worked on later ones meanwhile stands alone; so does every one before
 * the service has worked on any: a wrong address is no pause.
 */
export class Standing {
	private refusedAt: number | undefined;

	private standsAlone = false;

	constructor(private readonly gate: Gate) {}

	isPauseOfRun(attempt: Attempt, now: number): boolean {
		if (!isHeldOff(attempt)) return false;
		const { pace, isAlone, waitsAloneMs } = this.gate;
		const before = this.refusedAt;
		this.refusedAt = now;
		if (before !== undefined && pace.hasServedSince(before)) this.standsAlone = true;
		// Nobody else waits for it: somebody may wait for this one.
		if (isAlone && pace.outageMs(now) > waitsAloneMs) this.standsAlone = true;
		return pace.hasServedSince() && !this.standsAlone;
	}
}
