/**
 * How long one attempt may take, all in all. Trap: the `timeout` of n8n's helper counts silence only, so that one byte every
 * half second keeps a request going without end.
 *
 * One watch for all attempts of a run. Why not `AbortSignal.timeout` and `AbortSignal.any` for each: together they cost, on Node 20, a fifth
 * of what a request costs (measured), and their timers outlive the request. Timers of our own are not allowed in a node; `sleep` is.
 */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../pace/clock';

import type { Trouble } from './trouble';

/** The watch looks at least this often, so that it does not outlive its run for long. Milliseconds. */
const LONGEST_SLEEP_MS = 1_000;

/** The end that is set to one attempt. */
export class Deadline {
	/** Those who wait. Not as listeners of the signal, which cost more than all the rest of a deadline. */
	private readonly waiting = new Set<() => void>();

	private reason: Trouble | undefined;

	/**
	 * @param endsAt by the clock of clock.ts
	 * @param timeoutMs how long it is in all
	 */
	constructor(
		readonly endsAt: number,
		private readonly timeoutMs: number,
		private readonly controller: AbortController,
	) {}

	get isHalfOver(): boolean {
		return this.endsAt - steadyNow() < this.timeoutMs / 2;
	}

	/** Why it is over; undefined while it is not. */
	get trouble(): Trouble | undefined {
		return this.reason;
	}

	/** Aborted when it is over. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	end(reason: 'timeout' | 'cancelled'): void {
		this.reason ??= reason;
		this.controller.abort();
		for (const giveUp of this.waiting) giveUp();
	}

	/** What the work gives. Rejects as soon as the deadline is over; the work itself may go on, for others that wait for it. */
	async within<T>(work: Promise<T>): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const giveUp = () => reject(new Error('The deadline is over'));
			if (this.reason === undefined) this.waiting.add(giveUp);
			else giveUp();
			work.then(resolve, reject);
		});
	}
}

/** How long a run waits: for each attempt, and between two. All of it ends at once when the run is cancelled. */
export class Patience {
	/** Each is as long as the others, so that the oldest is always the first to be over. */
	private readonly open = new Set<Deadline>();

	/** Of attempts that ended in time: a new one for each attempt would cost more than all the rest of a deadline. */
	private readonly spare: AbortController[] = [];

	private readonly pauses = new Set<() => void>();

	private isWatched = false;

	constructor(
		private readonly timeoutMs: number,
		private readonly cancel?: AbortSignal,
	) {
		// Trap: with a listener for each request and each pause, Node.js warns of a leak in n8n's log.
		cancel?.addEventListener('abort', () => this.endAll(), { once: true });
	}

	/** Does something that has until the deadline, which begins now. */
	async during<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
		const controller = this.spare.pop() ?? new AbortController();
		const deadline = new Deadline(steadyNow() + this.timeoutMs, this.timeoutMs, controller);
		if (this.cancel?.aborted) deadline.end('cancelled');
		this.open.add(deadline);
		if (!this.isWatched) void this.watch();
		try {
			return await work(deadline);
		} finally {
			this.open.delete(deadline);
			if (deadline.trouble === undefined) this.spare.push(controller);
		}
	}

	/** Waits between two attempts. */
	async pause(milliseconds: number): Promise<void> {
		if (this.cancel?.aborted) return;
		await new Promise<void>((resolve) => {
			this.pauses.add(resolve);
			void sleep(milliseconds).then(() => {
				this.pauses.delete(resolve);
				resolve();
			});
		});
	}

	private endAll(): void {
		for (const deadline of this.open) deadline.end('cancelled');
		for (const resume of this.pauses) resume();
	}

	private async watch(): Promise<void> {
		this.isWatched = true;
		for (let [next] = this.open; next !== undefined; [next] = this.open) {
			const leftMs = next.endsAt - steadyNow();
			if (leftMs > 0) await sleep(Math.min(leftMs, LONGEST_SLEEP_MS));
			else {
				this.open.delete(next);
				next.end('timeout');
			}
		}
		this.isWatched = false;
	}
}
