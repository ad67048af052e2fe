/**
 * When to have n8n keep what is remembered. Keeping it costs as much as a third of a delivery, and one
 * text holds all of them: while deliveries come in at the same time, one of them does it for the others.
 *
 * The last one always does. So a delivery that comes alone is kept before it is answered, and after a burst
 * everything is; only a crash in the middle of one loses the last moments of it.
 */

/** Longest time that remembered deliveries wait to be kept while others follow, in milliseconds. */
export const LONGEST_WAIT = 250;

/** A delivery on its way to being taken. */
export interface Passage {
	/** The delivery is taken: true when it is its turn to keep all that is remembered. */
	taken(): boolean;
	/** The delivery ended in any way. Again, and after `taken`, is harmless. */
	ended(): void;
}

export class Keeping {
	private onTheirWay = 0;

	private lastKept = -Infinity;

	/** @param now the clock, in milliseconds */
	constructor(private readonly now: () => number) {}

	/** A delivery sets out. */
	begin(): Passage {
		let isOnItsWay = true;
		this.onTheirWay++;
		const ended = () => {
			if (isOnItsWay) this.onTheirWay--;
			isOnItsWay = false;
		};
		return {
			ended,
			taken: () => {
				ended();
				return this.isDue();
			},
		};
	}

	private isDue(): boolean {
		const waited = this.now() - this.lastKept;
		const canWait = this.onTheirWay > 0 && waited >= 0 && waited < LONGEST_WAIT;
		if (!canWait) this.lastKept = this.now();
		return !canWait;
	}
}
