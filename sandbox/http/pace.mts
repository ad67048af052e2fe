import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { PaceCounters, RateLimit, Settings } from '../settings-types.mts';
import type { Exchange } from './exchange.mts';
import { TokenBucket } from './token-bucket.mts';
import { Workplaces } from './workplaces.mts';

type PaceSettings = Readonly<Pick<Settings, 'latencyMs' | 'connectionLatencyMs' | 'rate' | 'capacity'>>;

/** Why a request is not served, with the headers of the refusal. */
export interface Refusal {
	readonly status: 429 | 503;
	readonly message: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** How far the service is and how much it takes: latency, rate, capacity. All of it can change while it runs. */
export class Pace {
	readonly #workplaces: Workplaces;

	readonly #connected = new WeakSet<Socket>();

	#bucket: TokenBucket | undefined;

	#tooMany = 0;

	constructor(private readonly settings: PaceSettings) {
		this.#workplaces = new Workplaces(() => settings.capacity);
	}

	/** The way to the service: the first request on a connection takes longer. 0 for a connection that is known. */
	connectionMs({ req: { socket } }: Exchange): number {
		if (this.#connected.has(socket)) return 0;
		this.#connected.add(socket);
		return this.settings.connectionLatencyMs;
	}

	/**
	 * Calls `serve` when it is the request's turn, or `refuse`. Calls at once, in the same turn of the event loop, where
	 * nothing is set: a promise would cost every request of a benchmark.
	 */
	admit(exchange: Exchange, serve: () => void, refuse: (refusal: Refusal) => void): void {
		const { rate, capacity, latencyMs } = this.settings;
		const far = latencyMs + this.connectionMs(exchange);
		if (far === 0 && rate === null && capacity === null) serve();
		else void this.#admitLater(exchange, far, serve, refuse);
	}

	async #admitLater(
		{ res }: Exchange,
		far: number,
		serve: () => void,
		refuse: (refusal: Refusal) => void,
	): Promise<void> {
		if (far > 0) await wait(far);
		const { rate } = this.settings;
		if (rate !== null && !this.#bucketOf(rate).take(performance.now())) {
			this.#tooMany += 1;
			return refuse(tooManyRequests(rate));
		}
		const leave = await this.#workplaces.enter();
		if (!leave) return refuse({ status: 503, message: 'The service is busy.', headers: {} });
		// A client that did not wait for its turn leaves a free place, as it does in a service that looks.
		if (res.destroyed) return leave();
		res.once('close', leave);
		serve();
	}

	/** A limit that was changed starts with a full bucket. */
	#bucketOf(rate: RateLimit): TokenBucket {
		if (this.#bucket?.limit !== rate) this.#bucket = new TokenBucket(rate, performance.now());
		return this.#bucket;
	}

	get counters(): Omit<PaceCounters, 'highestInFlight' | 'connectionsOpened'> {
		return {
			highestAtWork: this.#workplaces.mostAtWork,
			highestWaiting: this.#workplaces.mostWaiting,
			refused: { rate: this.#tooMany, queue: this.#workplaces.turnedAway },
			queueWaitMs: this.#workplaces.waits,
		};
	}

	resetCounters(): void {
		this.#tooMany = 0;
		this.#workplaces.resetCounters();
	}
}

function tooManyRequests({ retryAfter = 1 }: RateLimit): Refusal {
	const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
	return { status: 429, message: 'Too many requests.', headers };
}
