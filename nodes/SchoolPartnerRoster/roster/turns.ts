/** Long loops yield to the event loop: a webhook that comes in meanwhile must not wait for a whole roster. */

/** What is needed of the place where a roster is read and planned. */
export interface Host {
	/** Lets everything else in the process run; `sleep(0)` of n8n in production. */
	pause: () => Promise<void>;
	/** Milliseconds since 1970. */
	clock: () => number;
}

/** How long a loop keeps n8n waiting at most, in milliseconds. */
const LONGEST_TURN = 8;

/** Elements between two looks at the clock, which cost about as much as a small step. */
const BETWEEN_LOOKS = 32;

export const MEGABYTE = 1024 * 1024;

export class Turns {
	private began: number;

	constructor(private readonly host: Host) {
		this.began = host.clock();
	}

	/** After a piece of work that is no small step. */
	async yieldIfDue(): Promise<void> {
		const took = this.host.clock() - this.began;
		// Trap: behind a clock that was put back by an hour, nothing is due for an hour.
		if (took >= 0 && took < LONGEST_TURN) return;
		await this.host.pause();
		this.began = this.host.clock();
	}

	/**
	 * Does something with each element of a list; between some of them the process does something else when it is time to. Awaiting each
	 * element would cost ten times as much.
	 */
	async forEach<T>(list: Iterable<T>, work: (element: T, index: number) => void): Promise<void> {
		let index = 0;
		for (const element of list) {
			work(element, index++);
			if (index % BETWEEN_LOOKS === 0) await this.yieldIfDue();
		}
	}

	/** Does something with the bytes of a file, a megabyte at a time. */
	async forEachMegabyte(bytes: Buffer, work: (piece: Buffer) => void): Promise<void> {
		for (let at = 0; at < bytes.length; at += MEGABYTE) {
			work(bytes.subarray(at, at + MEGABYTE));
			await this.yieldIfDue();
		}
	}
}
