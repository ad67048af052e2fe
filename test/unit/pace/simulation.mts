/** A run against a model of a service, in time that is only counted: thousands of requests in a moment, and the same each time. */
import { Pace, type Feedback, type Permit } from '../../../nodes/shared/pace/pace.ts';

/** What a service says to a request, and when, in milliseconds from its arrival. */
export interface Said {
	inMs: number;
	status: 200 | 429 | 503 | 'no connection' | 'broken';
	retryAfterMs?: number;
}

/** A service is told when a request arrives, and calls back when it answers. */
export type Service = (now: number, world: World, answer: (said: Omit<Said, 'inMs'>) => void) => void;

/** Time, and what is to happen when. */
export class World {
	now = 1_000_000;

	private order = 0;

	private readonly events: Array<{ at: number; order: number; happen: () => void }> = [];

	after(ms: number, happen: () => void): void {
		const event = { at: this.now + Math.max(ms, 0), order: this.order++, happen };
		let low = 0;
		for (let high = this.events.length; low < high; ) {
			const middle = (low + high) >> 1;
			const other = this.events[middle];
			if (other.at > event.at || (other.at === event.at && other.order > event.order)) low = middle + 1;
			else high = middle;
		}
		this.events.splice(low, 0, event);
	}

	run(): void {
		for (let event = this.events.pop(); event !== undefined; event = this.events.pop()) {
			this.now = event.at;
			event.happen();
		}
	}
}

export interface Run {
	requests?: number;
	/** As in the options of the node; 0: automatic. */
	concurrency?: number;
	atMost?: number;
	/** What n8n's own processor needs for a request: half before it is sent, half after. Milliseconds. */
	ownMs?: number;
	/** Other work keeps n8n's processor busy: so long, and so often at most. Milliseconds. */
	stalls?: { everyMs: number; forMs: number };
	/** Goes on where that one has ended: another batch of the same run. */
	after?: Seen;
	/** Stands in the place of chance. */
	chance?: () => number;
}

export interface Seen {
	ms: number;
	/** How many the service worked on, and what it refused. */
	served: number;
	refused: number;
	sent: number;
	givenUp: number;
	broken: number;
	highestInFlight: number;
	/** In flight when each request was sent, in order, and when, from the beginning. */
	trace: Array<{ at: number; inFlight: number }>;
	/** When each was worked on, from the beginning. */
	servedAt: number[];
	pace: Pace;
	world: World;
}

/** Sends all requests at the pace that is tested. What is refused goes back to the end of the line. */
export function simulated(service: Service, given: Run = {}): Seen {
	const { requests = 2_000, concurrency = 0, atMost = 128, ownMs = 0, stalls, chance = () => 0.5 } = given;
	const isFixed = concurrency > 0;
	const { world = new World(), pace = new Pace({ isFixed, most: isFixed ? concurrency : atMost }) } =
		given.after ?? {};
	const begin = world.now;
	const seen: Seen = {
		ms: 0,
		served: 0,
		refused: 0,
		sent: 0,
		givenUp: 0,
		broken: 0,
		highestInFlight: 0,
		trace: [],
		servedAt: [],
		pace,
		world,
	};
	let left = requests;
	let inFlight = 0;
	/** Refused, and not yet in line again: as in the engine, each keeps a worker busy. */
	let resting = 0;
	let ownFreeAt = world.now;
	let wakesAt = Infinity;

	/** n8n's processor does one thing after another. */
	const onOwnProcessor = (work: () => void): void => {
		ownFreeAt = Math.max(ownFreeAt, world.now) + ownMs / 2;
		world.after(ownFreeAt - world.now, work);
	};
	const cameBack = (permit: Permit, sentAt: number, said: Omit<Said, 'inMs'>): void => {
		inFlight--;
		const tookMs = world.now - sentAt;
		if (said.status === 200) {
			seen.served++;
			seen.servedAt.push(world.now - begin);
		} else if (said.status === 'broken') seen.broken++;
		else {
			seen.refused++;
			resting++;
			world.after(125 + 125 * chance(), () => {
				resting--;
				left++;
				pump();
			});
		}
		pace.release(permit, world.now, feedbackOf(said, tookMs), chance());
		seen.ms = world.now - begin;
		pump();
	};
	const send = (permit: Permit): void => {
		left--;
		inFlight++;
		seen.sent++;
		seen.highestInFlight = Math.max(seen.highestInFlight, inFlight);
		seen.trace.push({ at: world.now - begin, inFlight });
		const sentAt = world.now;
		onOwnProcessor(() =>
			service(world.now, world, (said) => onOwnProcessor(() => cameBack(permit, sentAt, said))),
		);
	};
	const pump = (): void => {
		while (left > 0 && inFlight + resting < pace.ceiling) {
			const permit = pace.acquire(world.now);
			if (typeof permit === 'object') send(permit);
			else if (permit === 'unavailable') {
				seen.givenUp += left;
				left = 0;
			} else {
				if (world.now + permit < wakesAt) {
					const at = world.now + Math.max(permit, 1);
					wakesAt = at;
					world.after(at - world.now, () => {
						if (wakesAt === at) wakesAt = Infinity;
						pump();
					});
				}
				return;
			}
		}
	};
	const stall = (): void => {
		if (stalls === undefined || (left === 0 && inFlight === 0)) return;
		ownFreeAt = Math.max(ownFreeAt, world.now) + stalls.forMs * chance();
		world.after(stalls.everyMs * 2 * chance(), stall);
	};
	stall();
	pump();
	world.run();
	return seen;
}

function feedbackOf({ status, retryAfterMs }: Omit<Said, 'inMs'>, tookMs: number): Feedback {
	if (status === 200) return { kind: 'served', tookMs };
	if (status === 'broken') return { kind: 'lost' };
	return { kind: 'refused', tooMany: status === 429, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Numbers that look like chance, and are the same each time (mulberry32). */
export function chanceFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
