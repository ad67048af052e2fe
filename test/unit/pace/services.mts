/** Models of services, as far as a client can tell them apart. Times in milliseconds. */
import type { Service, World } from './simulation.mts';

/** So far away, and otherwise without a limit. `jitter`: up to so much longer, by chance. */
export function far(latencyMs: number, chance: () => number = () => 0, jitterMs = 0): Service {
	return (_now, world, answer) => world.after(latencyMs + chance() * jitterMs, () => answer({ status: 200 }));
}

export interface Places {
	atOnce: number;
	workMs: number;
	queue?: number;
	latencyMs?: number;
	chance?: () => number;
}

/** Works on so many at once; the others wait in line, and what finds the line full is refused with 503. */
export function withPlaces(places: Places): {
	service: Service;
	waits: number[];
	set: (change: Partial<Places>) => void;
} {
	let { atOnce, workMs, queue = Infinity } = places;
	const { latencyMs = 0, chance = () => 0.5 } = places;
	const waits: number[] = [];
	const line: Array<() => void> = [];
	let atWork = 0;
	const begin = (world: World, since: number, done: () => void): void => {
		atWork++;
		waits.push(world.now - since);
		world.after(workMs * (0.9 + 0.2 * chance()), () => {
			atWork--;
			while (atWork < atOnce && line.length > 0) line.shift()?.();
			done();
		});
	};
	const service: Service = (_now, world, answer) => {
		world.after(latencyMs, () => {
			const since = world.now;
			const done = (): void => answer({ status: 200 });
			if (atWork < atOnce) begin(world, since, done);
			else if (line.length < queue) line.push(() => begin(world, since, done));
			else answer({ status: 503 });
		});
	};
	const set = (change: Partial<Places>): void => {
		({ atOnce, workMs, queue } = { atOnce, workMs, queue, ...change } as Required<Places>);
	};
	return { service, waits, set };
}

/** Lets through so many a second, and a burst (a token bucket); refuses the others with 429. */
export function allowing(
	perSecond: number | ((now: number) => number),
	{ burst, latencyMs, retryAfterMs }: { burst: number; latencyMs: number; retryAfterMs?: number },
): Service {
	let tokens = burst;
	let filledAt: number | undefined;
	return (_now, world, answer) =>
		world.after(latencyMs, () => {
			const rate = typeof perSecond === 'number' ? perSecond : perSecond(world.now);
			tokens = Math.min(burst, tokens + ((world.now - (filledAt ?? world.now)) / 1_000) * rate);
			filledAt = world.now;
			if (tokens < 1) return answer({ status: 429, ...(retryAfterMs !== undefined && { retryAfterMs }) });
			tokens--;
			answer({ status: 200 });
		});
}

/** Is away from one moment to another, counted from its first request. */
export function away(
	service: Service,
	fromMs: number,
	toMs: number,
	how: 503 | 'no connection',
	retryAfterMs?: number,
): Service {
	let first: number | undefined;
	return (now, world, answer) => {
		first ??= now;
		const at = now - first;
		if (at < fromMs || at >= toMs) service(now, world, answer);
		else if (how === 503)
			world.after(20, () => answer({ status: 503, ...(retryAfterMs !== undefined && { retryAfterMs }) }));
		else world.after(1, () => answer({ status: 'no connection' }));
	};
}
