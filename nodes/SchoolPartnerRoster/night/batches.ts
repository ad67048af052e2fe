/** Cuts what is to be sent into batches of about three seconds: so much at most is uncertain after a crash. */
import type { Change } from '../planning/change';

import type { Clock } from './clock';

/** What a batch should take. Milliseconds. */
const GOAL_MS = 3_000;
const SMALLEST = 100;
const LARGEST = 2_000;

export class Batches {
	private size = SMALLEST * 2;
	private next = 0;
	private began = 0;

	constructor(
		private readonly changes: readonly Change[],
		private readonly clock: Clock,
	) {}

	/** The changes that come next; nothing at the end. */
	take(): readonly Change[] {
		const batch = this.changes.slice(this.next, this.next + this.size);
		this.next += batch.length;
		this.began = this.clock.steady();
		return batch;
	}

	/** Told when a batch has come back: the next is as large as would have fitted. */
	finish(count: number): void {
		const tookMs = Math.max(this.clock.steady() - this.began, 1);
		const fitting = Math.round((count * GOAL_MS) / tookMs);
		// Doubled at most, so that one quick batch of notes does not make a long one of creations.
		this.size = Math.max(SMALLEST, Math.min(LARGEST, fitting, this.size * 2));
	}
}
