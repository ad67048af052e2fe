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

/** Elements of a slice. Looking at the clock costs about as much as a small step: it is done once in so many. */
const SLICE_LENGTH = 32;

export const MEGABYTE = 1024 * 1024;

export class Turns {
	private began: number;

	constructor(private readonly host: Host) {
		this.began = host.clock();
	}

	/**
	 * The elements of a list in slices, between which the process does something else when it is time to:
	 * `for await (const slice of turns.slices(list)) for (const one of slice) …`. Awaiting each element would cost ten times as much.
	 */
	async *slices<T>(list: Iterable<T>): AsyncGenerator<T[]> {
		let slice: T[] = [];
		for (const element of list) {
			slice.push(element);
			if (slice.length < SLICE_LENGTH) continue;
			yield slice;
			slice = [];
			await this.yieldIfDue();
		}
		yield slice;
	}

	/** After a piece of work that is no small step. */
	async yieldIfDue(): Promise<void> {
		const took = this.host.clock() - this.began;
		// Trap: behind a clock that was put back by an hour, nothing is due for an hour.
		if (took >= 0 && took < LONGEST_TURN) return;
		await this.host.pause();
		this.began = this.host.clock();
	}

	/** Does something with each element of a list. */
	async forEach<T>(list: Iterable<T>, work: (element: T, index: number) => void): Promise<void> {
		let index = 0;
		for await (const slice of this.slices(list)) for (const element of slice) work(element, index++);
	}

	/** Does something with the bytes of a file, a megabyte at a time. */
	async forEachMegabyte<Bytes extends Uint8Array>(bytes: Bytes, work: (piece: Bytes) => void): Promise<void> {
		for (let at = 0; at < bytes.length; at += MEGABYTE) {
			work(bytes.subarray(at, at + MEGABYTE) as Bytes);
			await this.yieldIfDue();
		}
	}
}
