/** Long loops give n8n its turn: a webhook that comes in meanwhile must not wait for a whole roster. */

/** What is needed of the place where a roster is read and planned. */
export interface Host {
	/** Lets everything else in the process run; `sleep(0)` of n8n in production. */
	pause: () => Promise<void>;
	/** Milliseconds since 1970. */
	clock: () => number;
}

/** How long a loop keeps n8n waiting at most, in milliseconds. */
const LONGEST_TURN = 8;

/** Looking at the clock costs about as much as a small step: it is done once in so many. */
const STEPS_A_LOOK = 32;

const MB = 1024 * 1024;

export class Turns {
	private steps = 0;

	private began: number;

	constructor(private readonly host: Host) {
		this.began = host.clock();
	}

	/** True when others should have their turn: `if (turns.areDue()) await turns.give()`, so that a step awaits nothing as a rule. */
	areDue(): boolean {
		this.steps += 1;
		return this.steps % STEPS_A_LOOK === 0 && this.isOver();
	}

	async give(): Promise<void> {
		await this.host.pause();
		this.began = this.host.clock();
	}

	/** Pauses when it is time to: after a piece of work that is no small step. */
	async take(): Promise<void> {
		if (this.isOver()) await this.give();
	}

	/** Does something with each element of a list, with pauses. A loop that awaited each of them would take a tenth longer. */
	async forEach<T>(list: Iterable<T>, work: (element: T, index: number) => void): Promise<void> {
		const elements = Array.isArray(list) ? (list as T[]) : [...list];
		for (let index = 0; index < elements.length; index++) {
			work(elements[index], index);
			if (this.areDue()) await this.give();
		}
	}

	/** Does something with the bytes of a file, a megabyte at a time, with pauses. */
	async forEachMegabyte<Bytes extends Uint8Array>(bytes: Bytes, work: (piece: Bytes) => void): Promise<void> {
		for (let at = 0; at < bytes.length; at += MB) {
			work(bytes.subarray(at, at + MB) as Bytes);
			await this.take();
		}
	}

	private isOver(): boolean {
		return this.host.clock() - this.began >= LONGEST_TURN;
	}
}
