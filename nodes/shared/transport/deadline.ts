/**
 * How long one attempt may take. Trap: the `timeout` of n8n's helper counts silence only, so that one byte every half second keeps a
 * request going without end.
 *
 * Why not `AbortSignal.timeout` and `any`: of each request they stay in memory until its whole time is over (measured on Node 24: 2 KB each),
 * and where requests share them, Node 20 warns of a leak in n8n's log.
 */
import { sleep } from 'n8n-workflow';

import { steadyNow } from '../pace/clock';

/** Who waits looks at least this often, so that a timer does not outlive its run for long. Milliseconds. */
export const LONGEST_SLEEP_MS = 1_000;

export class Deadline {
	/** Why it is over; undefined while it is not. */
	trouble: 'timeout' | 'cancelled' | undefined;

	private readonly controller = new AbortController();

	constructor(readonly endsAt: number) {}

	/** Aborted when it is over. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	end(trouble: 'timeout' | 'cancelled'): void {
		this.trouble ??= trouble;
		this.controller.abort();
	}

	/** What the work gives. Rejects as soon as the deadline is over; the work itself may go on, for others that wait for it. */
	async within<T>(work: Promise<T>): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const giveUp = () => reject(new Error('The deadline is over'));
			if (this.signal.aborted) giveUp();
			else this.signal.addEventListener('abort', giveUp, { once: true });
			work.then(resolve, reject);
		});
	}
}

/** The deadlines of a run, each as long as the others. All end at once when the run is cancelled. */
export class Deadlines {
	/** In the order in which they end. */
	private readonly open = new Set<Deadline>();

	private isWatched = false;

	constructor(
		private readonly timeoutMs: number,
		private readonly cancel?: AbortSignal,
	) {
		// Trap: with a listener for each request, Node.js warns of a leak in n8n's log.
		cancel?.addEventListener('abort', () => this.cancelAll(), { once: true });
	}

	/** Does something that has until a deadline, which begins now. */
	async during<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
		const deadline = new Deadline(steadyNow() + this.timeoutMs);
		if (this.cancel?.aborted) deadline.end('cancelled');
		this.open.add(deadline);
		if (!this.isWatched) void this.watch();
		try {
			return await work(deadline);
		} finally {
			this.open.delete(deadline);
		}
	}

	private cancelAll(): void {
		for (const deadline of this.open) deadline.end('cancelled');
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
