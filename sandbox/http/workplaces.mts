import { setTimeout as wait } from 'node:timers/promises';
import type { Capacity, WaitingTimes } from '../settings-types.mts';

interface Waiting {
	readonly since: number;
	readonly start: () => void;
}

/** The newest so many waits are kept for the percentiles. */
const MOST_WAITS = 100_000;

/**
 * Works on a limited number of requests at once; the others wait in line, in the order in which they came, and what finds
 * the line full is turned away. Without a capacity everything is worked on at once and nothing is counted.
 */
export class Workplaces {
	readonly #line: Waiting[] = [];

	#waits: number[] = [];

	#atWork = 0;

	#mostAtWork = 0;

	#mostWaiting = 0;

	#turnedAway = 0;

	constructor(private readonly capacity: () => Capacity | null) {}

	/**
	 * Waits for a place and for the work. Gives what frees the place again, to be called once; undefined when the line
	 * was full.
	 */
	async enter(): Promise<(() => void) | undefined> {
		const capacity = this.capacity();
		if (!capacity) return () => undefined;
		const since = performance.now();
		if (this.#atWork >= capacity.atOnce) {
			if (this.#line.length >= (capacity.queue ?? Infinity)) {
				this.#turnedAway += 1;
				return undefined;
			}
			await new Promise<void>((start) => {
				this.#line.push({ since, start });
				this.#mostWaiting = Math.max(this.#mostWaiting, this.#line.length);
			});
		} else this.#begin(since);
		if (capacity.workMs) await wait(capacity.workMs);
		return () => this.#leave();
	}

	#begin(since: number): void {
		this.#atWork += 1;
		this.#mostAtWork = Math.max(this.#mostAtWork, this.#atWork);
		if (this.#waits.length >= MOST_WAITS) this.#waits.shift();
		this.#waits.push(performance.now() - since);
	}

	#leave(): void {
		this.#atWork -= 1;
		// The place is given on at once: nobody who comes now overtakes the one who waits.
		while (this.#line.length > 0 && this.#atWork < (this.capacity()?.atOnce ?? Infinity)) {
			const next = this.#line.shift();
			if (!next) return;
			this.#begin(next.since);
			next.start();
		}
	}

	get turnedAway(): number {
		return this.#turnedAway;
	}

	get mostAtWork(): number {
		return this.#mostAtWork;
	}

	get mostWaiting(): number {
		return this.#mostWaiting;
	}

	get waits(): WaitingTimes {
		return summaryOf(this.#waits);
	}

	resetCounters(): void {
		this.#waits = [];
		this.#turnedAway = 0;
		this.#mostAtWork = this.#atWork;
		this.#mostWaiting = this.#line.length;
	}
}

function summaryOf(waits: readonly number[]): WaitingTimes {
	const sorted = [...waits].sort((one, other) => one - other);
	/** Nearest rank. */
	const at = (share: number): number =>
		Math.round((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) * 10) / 10;
	return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
