/**
 * Where the requests of a run wait until they may be sent, first come, first served. One for a whole run: what the service says to one of
 * its requests holds for all. When a request may go is the pace's to say (pace/pace.ts).
 *
 * What is sent again comes behind all others, since an item that is always refused must not stand in their way. But where the service
 * refuses what is new, it goes first: a service that refuses the first request of every item would else be asked for one new
 * item after another, and seem to be away.
 */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../pace/clock';
import { Pace, type Permit } from '../pace/pace';

import { feedbackOf, type Attempt } from './attempt';
import { LONGEST_SLEEP_MS } from './deadline';

/** So long the last request of a run waits, where nothing comes behind it. */
const WAITS_ALONE_MS = 30_000;

/** For the few requests of a webhook, a list or a credential test. */
const FEW_REQUESTS = { isFixed: false, most: 10 };

interface Waiting {
	isRepeated: boolean;
	look: () => void;
}

export class Limiter {
	/** Each is told when it may look again. */
	private readonly queue: Waiting[] = [];

	private readonly sleepers = new Set<() => void>();

	/** What was sent for the first time came back refused, and nothing that was sent with it or since says that the service takes such requests. */
	private refusesNew = false;

	private wakesAt = Infinity;

	private isClosed = false;

	/** What the service refused last. */
	lastRefusal: Attempt | undefined;

	/** Asked when a request may go, and again right before it is handed to n8n: false when nothing is to be sent at the moment. */
	mayLeave: () => boolean = () => true;

	/**
	 * @param cancel aborted when the run is cancelled
	 * @param waitsAloneMs how long the last request waits for a service that is away without spending retries
	 */
	constructor(
		readonly pace: Pace = new Pace(FEW_REQUESTS),
		readonly cancel?: AbortSignal,
		readonly waitsAloneMs = WAITS_ALONE_MS,
	) {
		if (cancel?.aborted) this.isClosed = true;
		// Trap: with a listener for each request, Node.js warns of a leak in n8n's log.
		cancel?.addEventListener('abort', () => this.close(), { once: true });
	}

	/** Nothing is let out any more. Who waits is sent away. */
	close(): void {
		this.isClosed = true;
		this.wake(this.queue.length);
		for (const wakeUp of this.sleepers) wakeUp();
	}

	/** True when nothing of the run waits or is on its way. */
	get isAlone(): boolean {
		return this.queue.length === 0 && this.pace.isIdle;
	}

	/**
	 * Waits until the request may be sent. `closed`: nothing of the run is sent any more; `unavailable`: the service has given no answer for too long.
	 * @param isRepeated whether it was sent before
	 */
	async acquire(isRepeated: boolean): Promise<Permit | 'closed' | 'unavailable'> {
		// Who comes while others wait stands behind them.
		let mayLook = this.queue.length === 0;
		for (;;) {
			if (this.isClosed) return 'closed';
			if (mayLook) {
				// Trap: counted after the promise is kept, others would have looked meanwhile and found the place free.
				const now = steadyNow();
				const permit = this.mayLeave() ? this.pace.acquire(now, isRepeated) : 'closed';
				if (typeof permit !== 'number') {
					// As many as may go leave together, each after the one before it.
					this.wake(1);
					return permit;
				}
				if (permit < Infinity) this.wakeIn(permit);
			}
			await new Promise<void>((look) => {
				if (mayLook) this.queue.unshift({ isRepeated, look });
				else this.queue.push({ isRepeated, look });
			});
			mayLook = true;
		}
	}

	/** @param tookMs how long the service took for it, without what was waited for before it was sent */
	release(permit: Permit, attempt: Attempt, tookMs: number, isRepeated: boolean): void {
		const feedback = feedbackOf(attempt, tookMs, Date.now());
		if (feedback.kind === 'refused' || feedback.kind === 'lost') this.lastRefusal = attempt;
		if (feedback.kind === 'refused')
			this.refusesNew = !isRepeated && !this.pace.hasServedSince(permit.sentAt - 1);
		else if (feedback.kind === 'served' && !isRepeated) this.refusesNew = false;
		this.pace.release(permit, steadyNow(), feedback, Math.random());
		this.wake(1);
	}

	/** Waits between two attempts, at most until the run is over. */
	async sleep(milliseconds: number): Promise<void> {
		if (this.isClosed) return;
		await new Promise<void>((wakeUp) => {
			this.sleepers.add(wakeUp);
			void sleep(milliseconds).then(() => {
				this.sleepers.delete(wakeUp);
				wakeUp();
			});
		});
	}

	private wake(count: number): void {
		for (; count > 0; count--) {
			const sentBefore = this.refusesNew ? this.queue.findIndex(({ isRepeated }) => isRepeated) : 0;
			const [next] = this.queue.splice(Math.max(sentBefore, 0), 1);
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
