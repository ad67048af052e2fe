/** Chances that a seed decides, so that a year can be lived again. */
import { seededRandom } from '../unit/roster/simulation/simulatedStore.mts';

export class Chance {
	private readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	/** From 0 up to, not including, `end`. */
	below(end: number): number {
		return Math.floor(this.random() * end);
	}

	between(least: number, most: number): number {
		return least + this.below(most - least + 1);
	}

	/** True so often, as a share of 1. */
	isTrue(share: number): boolean {
		return this.random() < share;
	}

	/** One of them; there must be one. */
	of<T>(all: readonly T[]): T {
		return all[this.below(all.length)];
	}

	/** Each of them with this chance. */
	some<T>(all: readonly T[], share: number): T[] {
		return all.filter(() => this.isTrue(share));
	}
}
