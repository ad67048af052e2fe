/** How reading shares its process: n8n runs everything else in the same loop. */

/** What reading needs of the place where it runs. */
export interface Host {
	/** Gives everything else in the process its turn. */
	pause: () => Promise<void>;
	/** Milliseconds since 1970. */
	clock: () => number;
}

/** Longest stretch of work between two turns, in milliseconds: n8n's loop must not wait 50 ms for us. */
const LONGEST_STRETCH_MS = 8;
const ROWS_BETWEEN_LOOKS = 200;

/** Counts the time since the last turn. */
export class Turns {
	private since: number;

	constructor(private readonly host: Host) {
		this.since = host.clock();
	}

	/** Pauses when it is time to. */
	async take(): Promise<void> {
		if (this.host.clock() - this.since < LONGEST_STRETCH_MS) return;
		await this.host.pause();
		this.since = this.host.clock();
	}

	/** Does something for each number from 0, with pauses. */
	async forEach(count: number, work: (index: number) => void): Promise<void> {
		for (let index = 0; index < count; index++) {
			work(index);
			if (index % ROWS_BETWEEN_LOOKS === ROWS_BETWEEN_LOOKS - 1) await this.take();
		}
	}
}
