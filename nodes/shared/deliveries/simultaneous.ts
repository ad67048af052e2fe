/**
 * Deliveries with the same `request_id` that arrive at the same time in one process: one of them goes first,
 * the others wait until it is settled. Where it was taken they are repeats; where it failed the next one
 * goes first.
 */

/** The turn of the delivery that goes first. */
export interface Turn {
	/** Lets the others go on. Must be called once it is known how the delivery ended; again is harmless. */
	end(): void;
}

export class Simultaneous {
	private readonly running = new Map<string, Promise<void>>();

	/** How many deliveries are on their way. */
	get size(): number {
		return this.running.size;
	}

	/**
	 * Waits for the turn of a delivery.
	 * @param isSeen whether a delivery with this id was taken; asked whenever nobody is ahead
	 * @param gone resolves when the one who waits no longer wants its turn
	 * @returns the turn; `'seen'` for a repeat; `'gone'` where waiting was given up
	 */
	async turn(id: string, isSeen: () => boolean, gone: Promise<'gone'>): Promise<Turn | 'seen' | 'gone'> {
		for (let ahead = this.running.get(id); ahead !== undefined; ahead = this.running.get(id)) {
			if ((await Promise.race([ahead, gone])) === 'gone') return 'gone';
		}
		return isSeen() ? 'seen' : this.begin(id);
	}

	private begin(id: string): Turn {
		let settle: () => void = () => undefined;
		const settled = new Promise<void>((resolve) => (settle = resolve));
		this.running.set(id, settled);
		return {
			end: () => {
				if (this.running.get(id) === settled) this.running.delete(id);
				settle();
			},
		};
	}
}
