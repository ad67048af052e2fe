/** Long loops give n8n its turn: a webhook that comes in meanwhile must not wait for a whole roster. */

/** Lets others run; `sleep(0)` of n8n in production. */
export type Pause = () => Promise<void>;

/** Milliseconds since 1970. */
export type Clock = () => number;

/** How long a loop keeps n8n waiting at most, in milliseconds. */
const LONGEST_TURN = 10;

/** Looking at the clock costs about as much as a small step: it is done once in so many. */
const STEPS_A_LOOK = 32;

export class Turns {
	private steps = 0;

	private began: number;

	constructor(
		private readonly pause: Pause,
		private readonly now: Clock,
	) {
		this.began = now();
	}

	/** True when others should have their turn: `if (turns.areDue()) await turns.give()`, so that a step awaits nothing as a rule. */
	areDue(): boolean {
		this.steps += 1;
		return this.steps % STEPS_A_LOOK === 0 && this.now() - this.began >= LONGEST_TURN;
	}

	async give(): Promise<void> {
		await this.pause();
		this.began = this.now();
	}
}
