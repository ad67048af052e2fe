/**
 * Processes in time that is only counted: hours pass in milliseconds, and the same numbers give the same night again.
 *
 * A `VirtualProcess` is code that waits only for what its process gives it: `clock.sleep` and `answer` (the simulated store uses it).
 * So it can be frozen and killed wherever it waits. `VirtualTime.run` goes from event to event until nothing is due any more.
 */
import type { Clock } from '../../../../nodes/SchoolPartnerRoster/night/clock.ts';

interface Event {
	at: number;
	order: number;
	happen: () => void;
	/** Whether code may go on because of it, so that its promises have to settle before time goes on. */
	wakes: boolean;
}

function isBefore(one: Event, other: Event): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** The one true time, which nobody in the simulation can read. */
export class VirtualTime {
	now = 0;

	private order = 0;

	/** A binary heap, the next event first. */
	private readonly heap: Event[] = [];

	/** Something happens at a time, outside of all processes. */
	at(time: number, happen: () => void, wakes = false): void {
		const { heap } = this;
		heap.push({ at: Math.max(time, this.now), order: this.order++, happen, wakes });
		for (let child = heap.length - 1, parent; child > 0; child = parent) {
			parent = (child - 1) >> 1;
			if (!isBefore(heap[child], heap[parent])) return;
			[heap[child], heap[parent]] = [heap[parent], heap[child]];
		}
	}

	/** Lets time pass until nothing is due; throws when that is not so at `limit`. */
	async run(limit = Infinity): Promise<void> {
		await settled();
		for (let event = this.next(); event !== undefined; event = this.next()) {
			if (event.at > limit) throw new Error(`Something still goes on at ${limit} ms`);
			this.now = event.at;
			event.happen();
			if (event.wakes) await settled();
		}
	}

	private next(): Event | undefined {
		const { heap } = this;
		const first = heap.at(0);
		const last = heap.pop();
		if (first === last || last === undefined) return first;
		heap[0] = last;
		for (let parent = 0, child = 1; child < heap.length; child = 2 * parent + 1) {
			if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
			if (!isBefore(heap[child], heap[parent])) break;
			[heap[child], heap[parent]] = [heap[parent], heap[child]];
			parent = child;
		}
		return first;
	}
}

/** After all promises that can settle now. */
async function settled(): Promise<void> {
	await new Promise(setImmediate);
}

/** What befalls a process when it would go on for the n-th time. */
export type Trouble =
	| { kind: 'kill' }
	/** The machine sleeps, or the process gets no turn. On some systems the steady clock stands still meanwhile. */
	| { kind: 'freeze'; ms: number; steadyStops: boolean }
	/** The process goes on, and does not reach the database. */
	| { kind: 'cutOff'; ms: number }
	/** Somebody sets the wall clock. */
	| { kind: 'setClock'; ms: number };

export class VirtualProcess {
	readonly clock: Clock;

	isKilled = false;

	/** Until then it does not reach the database. */
	cutOffUntil = 0;

	private steps = 0;

	private frozenUntil = 0;

	private steadyLost = 0;

	private wallSkew: number;

	/** @param troubles by the number of the step before which they come */
	constructor(
		readonly time: VirtualTime,
		wallSkew = 0,
		private readonly troubles: ReadonlyMap<number, Trouble> = new Map(),
	) {
		this.wallSkew = wallSkew;
		this.clock = {
			wall: () => 1_800_000_000_000 + this.time.now + this.wallSkew,
			steady: () => this.time.now - this.steadyLost,
			sleep: async (milliseconds) => await this.answer(this.time.now + milliseconds, () => undefined),
		};
	}

	/** Something that comes from outside at a time: taken at that time, seen by the process when it runs, never after it was killed. */
	async answer<T>(at: number, take: () => T): Promise<T> {
		return await new Promise((resolve) => this.goOn(at, () => resolve(take())));
	}

	private goOn(at: number, happen: () => void): void {
		this.time.at(
			at,
			() => {
				if (this.time.now >= this.frozenUntil && !this.isKilled) this.suffer();
				if (this.isKilled) return;
				if (this.time.now < this.frozenUntil) this.goOn(this.frozenUntil, happen);
				else happen();
			},
			true,
		);
	}

	private suffer(): void {
		const trouble = this.troubles.get(this.steps++);
		if (trouble?.kind === 'kill') this.isKilled = true;
		if (trouble?.kind === 'cutOff') this.cutOffUntil = this.time.now + trouble.ms;
		if (trouble?.kind === 'setClock') this.wallSkew += trouble.ms;
		if (trouble?.kind !== 'freeze') return;
		this.frozenUntil = this.time.now + trouble.ms;
		if (trouble.steadyStops) this.steadyLost += trouble.ms;
	}
}
