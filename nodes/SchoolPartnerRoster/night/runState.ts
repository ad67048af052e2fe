/** Whether a run may send, and whether it is over: by its lease, its execution, and the service. */
import { CircuitBreaker } from '../sending/circuitBreaker';
import type { StatusOptions } from '../sending/result';

import type { Clock } from './clock';
import type { Lease } from './lease';

/** So long a run waits until its lease is valid again, when the ledger cannot be reached. */
const WAIT_FOR_LEASE_MS = 5 * 60_000;

export class RunState {
	readonly breaker: CircuitBreaker;

	constructor(
		readonly lease: Lease,
		private readonly clock: Clock,
		private readonly cancel: AbortSignal | undefined,
		statuses: StatusOptions,
	) {
		this.breaker = new CircuitBreaker(statuses);
	}

	get isCancelled(): boolean {
		return this.cancel?.aborted === true;
	}

	get isOver(): boolean {
		return this.isCancelled || this.lease.isLost || this.breaker.isOpen;
	}

	/** Asked right before each request leaves, with nothing awaited in between. */
	maySend(): boolean {
		return !this.isOver && this.lease.isValid();
	}

	/** Waits while the ledger cannot be reached, since no request may leave then. Gives whether one may. */
	async isReady(): Promise<boolean> {
		const until = this.clock.steady() + WAIT_FOR_LEASE_MS;
		while (!this.isOver && !this.lease.isValid() && this.clock.steady() < until)
			await this.clock.sleep(1_000);
		return this.maySend();
	}
}
