/** The pace of a run against models of services, before it meets n8n. Time is counted, so that each run is the same each time. */
import { allowing, away, far, withPlaces, type Places } from './services.mts';
import { chanceFrom, simulated, type Run, type Seen, type Service } from './simulation.mts';

/** What n8n's processor needs for a request, as measured (docs/performance.md). */
const OWN_MS = 0.7;
const run = (service: Service, given: Run = {}): Seen =>
	simulated(service, { ownMs: OWN_MS, chance: chanceFrom(7), ...given });
const withFixedTen = (service: Service, given: Run = {}): Seen => run(service, { concurrency: 10, ...given });
const sentBetween = ({ trace }: Seen, from: number, to: number): number =>
	trace.filter(({ at }) => at > from && at < to).length;
const servedBetween = ({ servedAt }: Seen, from: number, to: number): number =>
	servedAt.filter((at) => at >= from && at < to).length;
const p95 = (waits: readonly number[]): number =>
	[...waits].sort((one, other) => one - other)[Math.floor(waits.length * 0.95)] ?? 0;

describe('A service that is far', () => {
	test.each([50, 100, 200, 500])(
		'%d ms away has 128 in flight after a few round trips, and never more',
		(latencyMs) => {
			const seen = run(far(latencyMs, chanceFrom(1), latencyMs / 20));
			expect(seen.highestInFlight).toBe(128);
			const reached = seen.trace.find(({ inFlight }) => inFlight === 128)?.at ?? Infinity;
			expect(reached).toBeLessThan(8 * latencyMs);
			expect(seen.served).toBe(2_000);
		},
	);

	test('is used as far as n8n can go: at 20 ms nearly as fast as its own processor', () => {
		expect(run(far(20)).ms).toBeLessThan(2_000 * OWN_MS * 1.1);
	});

	test('gets what is sent spread over the time of an answer, not in bursts', () => {
		const { trace } = run(far(200));
		const late = trace.map(({ at }) => at).slice(1_000);
		const within20Ms = late.map((from) => late.filter((at) => at >= from && at < from + 20).length);
		// 128 in 200 ms: 13 in a tenth of it.
		expect(Math.max(...within20Ms)).toBeLessThanOrEqual(20);
	});

	test('answers at times sooner and at times later: all the same', () => {
		expect(run(far(100, chanceFrom(3), 100)).ms).toBeLessThan(
			withFixedTen(far(100, chanceFrom(3), 100)).ms / 4,
		);
	});

	test.each([1, 2, 3, 4])(
		'is used well although n8n is busy with other work again and again (%d)',
		(seed) => {
			const stalled = { stalls: { everyMs: 100, forMs: 60 }, chance: chanceFrom(seed) };
			expect(run(far(100), stalled).ms).toBeLessThan(withFixedTen(far(100), stalled).ms / 2);
		},
	);

	test('is used up to Max Concurrency, and by a number exactly up to that', () => {
		expect(run(far(100), { atMost: 20 }).highestInFlight).toBe(20);
		expect(run(far(100), { atMost: 4 }).highestInFlight).toBe(4);
		expect(run(far(100), { atMost: 200, requests: 10_000 }).highestInFlight).toBeGreaterThan(100);
		expect(run(far(100), { concurrency: 3 }).highestInFlight).toBe(3);
	});
});

describe("Next door, where n8n's own processor is what takes time,", () => {
	test.each([0, 1, 2])(
		'at %d ms more in flight would make nothing faster: there are few, and it is as fast as with ten',
		(latencyMs) => {
			const seen = run(far(latencyMs));
			expect(seen.ms).toBeLessThanOrEqual(withFixedTen(far(latencyMs)).ms * 1.01);
			const inFlight = seen.trace.map((sent) => sent.inFlight).sort((one, other) => one - other);
			expect(inFlight[Math.floor(inFlight.length * 0.8)]).toBeLessThanOrEqual(15);
		},
	);
});

describe('A service that works on eight at a time', () => {
	const both = (places: Places, chances = () => chanceFrom(5)) => {
		const [ours, theirs] = [
			withPlaces({ chance: chances(), ...places }),
			withPlaces({ chance: chances(), ...places }),
		];
		return {
			ours: run(ours.service),
			waits: ours.waits,
			fixed: withFixedTen(theirs.service),
			fixedWaits: theirs.waits,
		};
	};

	test.each([
		{ workMs: 50 },
		{ workMs: 20 },
		{ workMs: 50, queue: 6 },
		{ workMs: 50, queue: 2 },
		{ workMs: 50, latencyMs: 20, queue: 6 },
	])('is as busy as with ten, and its line is hardly longer: %j', (places) => {
		const { ours, waits, fixed, fixedWaits } = both({ atOnce: 8, ...places });
		expect(ours.ms).toBeLessThanOrEqual(fixed.ms * 1.007);
		expect(p95(waits)).toBeLessThanOrEqual(Math.max(p95(fixedWaits) * 1.15, places.workMs / 4));
		expect(ours.refused).toBeLessThanOrEqual(20);
	});

	test.each([
		['always for as long', () => () => 0.5],
		...[1, 2, 3, 4].map((seed) => [`for more or less as long (${seed})`, () => chanceFrom(seed)] as const),
	] as const)('%s: its line (p95) is no longer than with ten, and it is as busy', (_how, chances) => {
		const { ours, waits, fixed, fixedWaits } = both({ atOnce: 8, workMs: 40, queue: 8 }, chances);
		expect(p95(waits)).toBeLessThanOrEqual(p95(fixedWaits));
		expect(ours.ms).toBeLessThanOrEqual(fixed.ms * 1.005);
	});

	test.each([0, 1, 2])('and was slow for a moment after %d s is used in full again at once', (second) => {
		const { service, set } = withPlaces({ atOnce: 8, workMs: 40 });
		const from = 1_000_000 + second * 1_000;
		const stumbling: Service = (now, world, answer) => {
			set({ workMs: world.now >= from && world.now < from + 500 ? 2_000 : 40 });
			service(now, world, answer);
		};
		const seen = run(stumbling, { requests: 4_000 });
		// Eight at once are 200 a second.
		expect(servedBetween(seen, from - 1_000_000 + 4_000, from - 1_000_000 + 6_000)).toBeGreaterThan(380);
	});

	test('and lets one wait refuses a few requests, where a fixed ten would have it refuse again and again', () => {
		const { ours, fixed } = both({ atOnce: 8, workMs: 50, queue: 1 });
		expect(ours.refused).toBeLessThan(fixed.refused / 3);
	});

	test('and works on 32 after a while is used in full again', () => {
		const { service, set } = withPlaces({ atOnce: 8, workMs: 50 });
		const growing: Service = (now, world, answer) => {
			if (world.now > 1_005_000) set({ atOnce: 32 });
			service(now, world, answer);
		};
		const seen = run(growing, { requests: 12_000 });
		// 32 at once are 640 a second.
		expect(servedBetween(seen, seen.ms - 2_000, seen.ms - 1_000)).toBeGreaterThan(550);
	});

	test('after having worked on 64 is not left with a long line', () => {
		const { service, set } = withPlaces({ atOnce: 64, workMs: 50 });
		const shrinking: Service = (now, world, answer) => {
			if (world.now > 1_005_000) set({ atOnce: 8 });
			service(now, world, answer);
		};
		const seen = run(shrinking, { requests: 10_000 });
		const later = seen.trace.filter(({ at }) => at > 20_000).map(({ inFlight }) => inFlight);
		expect(Math.max(...later.slice(-500))).toBeLessThanOrEqual(20);
	});
});

describe('A service that allows 100 requests a second (burst 20, 20 ms away)', () => {
	const limited = (retryAfterMs?: number) =>
		allowing(100, { burst: 20, latencyMs: 20, ...(retryAfterMs !== undefined && { retryAfterMs }) });

	test.each([0, 0.25, 0.5, 0.75, 1])(
		'and says Retry-After: 1 does 2,000 within 1.15 of the ideal, with at most 3 %% refused (chance %d)',
		(chance) => {
			const seen = run(limited(1_000), { chance: () => chance });
			expect(seen.ms).toBeLessThanOrEqual(20_000 * 1.15);
			expect(seen.refused).toBeLessThanOrEqual(60);
		},
	);

	test.each([0, 0.25, 0.5, 0.75, 1])(
		'and says nothing of it does them within 1.3, with at most 6 %% refused (chance %d)',
		(chance) => {
			const seen = run(limited(), { chance: () => chance });
			expect(seen.ms).toBeLessThanOrEqual(20_000 * 1.3);
			expect(seen.refused).toBeLessThanOrEqual(120);
		},
	);

	test.each([5, 10, 50])('does them as fast with a fixed number in flight: %d', (concurrency) => {
		const seen = run(limited(1_000), { concurrency });
		expect(seen.ms).toBeLessThanOrEqual(20_000 * 1.15);
		expect(seen.refused).toBeLessThanOrEqual(100);
	});

	test('sends nothing while it has to wait, not even one', () => {
		const seen = run(limited(1_000), { requests: 300 });
		const gaps = seen.trace.slice(1).map(({ at }, index) => at - (seen.trace[index]?.at ?? 0));
		expect(gaps.filter((gap) => gap >= 950).length).toBe(seen.pace.summary.pauses);
	});
});

test.each([
	[10, 2, 20],
	[10, 10, 200],
	[30, 6, 20],
	[30, 30, 200],
	[100, 5, 20],
	[100, 100, 20],
	[100, 20, 200],
	[300, 60, 20],
	[300, 60, 200],
])(
	'A service that allows %d a second (burst %d, %d ms away) is asked for nearly that',
	(perSecond, burst, latencyMs) => {
		const seen = run(allowing(perSecond, { burst, latencyMs, retryAfterMs: 1_000 }), {
			requests: perSecond * 30,
		});
		expect(seen.ms).toBeLessThan(30_000 * 1.3);
		expect(seen.refused).toBeLessThanOrEqual(Math.max(seen.served * 0.03, 80));
	},
);

describe('A limit that changes', () => {
	test('to less is found again', () => {
		const seen = run(
			allowing((now) => (now < 1_010_000 ? 100 : 30), { burst: 20, latencyMs: 20, retryAfterMs: 1_000 }),
		);
		expect(seen.refused).toBeLessThan(60);
		expect(servedBetween(seen, 15_000, 35_000)).toBeGreaterThan(20 * 30 * 0.7);
	});

	test('to more is noticed within a minute or two', () => {
		const service = allowing((now) => (now < 1_010_000 ? 50 : 200), {
			burst: 20,
			latencyMs: 20,
			retryAfterMs: 1_000,
		});
		const seen = run(service, { requests: 12_000 });
		expect(servedBetween(seen, 90_000, 91_000)).toBeGreaterThan(120);
	});
});

describe.each<[503 | 'no connection', number]>([
	[503, 0],
	[503, 10],
	['no connection', 0],
	['no connection', 10],
])('A service that is away for 20 s (%s), with Concurrency %d,', (how, concurrency) => {
	const [from, to] = [2_000, 22_000];
	const seen = run(away(far(20, chanceFrom(2), 2), from, to, how), { concurrency, requests: 20_000 });

	test('is asked at most twice a second beside what was in flight', () => {
		expect(sentBetween(seen, from, to)).toBeLessThanOrEqual((concurrency || 128) + 40);
		// Once those have come back, one after another.
		for (let second = from + 1_000; second < to; second += 1_000)
			expect(sentBetween(seen, second, second + 1_000)).toBeLessThanOrEqual(2);
	});

	test('is used in full again within five seconds of its return', () => {
		const before = servedBetween(seen, from - 1_000, from);
		expect(servedBetween(seen, to + 4_000, to + 5_000)).toBeGreaterThanOrEqual(before * 0.9);
		expect(seen.servedAt.find((at) => at > to)).toBeLessThan(to + 1_500);
		// Gently: not all at once.
		const first = seen.trace.filter(({ at }) => at > to).slice(0, 3);
		expect(Math.max(...first.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(3);
	});

	test('loses nothing', () => {
		expect([seen.served, seen.givenUp]).toEqual([20_000, 0]);
	});
});

test('A service that says how long it is away is not asked before', () => {
	const seen = run(away(far(20), 2_000, 12_000, 503, 5_000), { requests: 6_000 });
	expect(sentBetween(seen, 2_100, 6_900)).toBe(0);
	expect(seen.served).toBe(6_000);
});

test('A service that does not come back is given up after two minutes, whatever is left', () => {
	const seen = run(away(far(50), 2_000, Infinity, 503), { requests: 50_000 });
	expect(seen.ms).toBeGreaterThan(120_000);
	expect(seen.ms).toBeLessThan(124_000);
	expect(seen.served + seen.givenUp).toBe(50_000);
	expect(seen.refused).toBeLessThan(128 + 240);
});

test('A service that stumbles again and again loses nothing, and is not stormed', () => {
	const chance = chanceFrom(11);
	const steady = far(30, chance, 30);
	const stumbling: Service = (now, world, answer) =>
		Math.floor(world.now / 500) % 6 === 0
			? world.after(5, () => answer({ status: 503 }))
			: steady(now, world, answer);
	const seen = run(stumbling, { requests: 5_000 });
	expect(seen.served).toBe(5_000);
	expect(seen.refused).toBeLessThan(1_000);
});

test('A service that begins slowly is used in full once it is warm', () => {
	const warming: Service = (_now, world, answer) =>
		world.after(Math.max(40, 400 - (world.now - 1_000_000) / 10), () => answer({ status: 200 }));
	const seen = run(warming, { requests: 10_000 });
	expect(servedBetween(seen, 5_500, 6_500)).toBeGreaterThan(900);
});

test('Answers that do not come halve what is in flight, and a fixed number stays', () => {
	const broken: Service = (_now, world, answer) =>
		world.after(100, () =>
			answer({ status: world.now > 1_003_000 && world.now < 1_003_200 ? 'broken' : 200 }),
		);
	const inFlightAt = (seen: Seen, from: number, to: number) =>
		Math.max(...seen.trace.filter(({ at }) => at > from && at < to).map(({ inFlight }) => inFlight));
	const seen = run(broken, { requests: 4_000 });
	expect(inFlightAt(seen, 2_500, 3_000)).toBe(128);
	expect(inFlightAt(seen, 3_250, 3_300)).toBeLessThanOrEqual(80);
	expect(inFlightAt(run(broken, { requests: 500, concurrency: 10 }), 3_250, 3_450)).toBe(10);
});

test.each([1, 2, 3])(
	'A fixed number of %d waits for nothing but answers, however uneven these are',
	(concurrency) => {
		let sent = 0;
		const uneven: Service = (_now, world, answer) =>
			world.after(sent++ % 2 === 0 ? 50 : 1_000, () => answer({ status: 200 }));
		const seen = run(uneven, { requests: 300, concurrency });
		expect(seen.ms).toBeLessThan(((300 * 525) / concurrency) * 1.03);
	},
);

describe('What a batch has found out', () => {
	test('is kept for the next one: how many in flight', () => {
		const first = run(far(100), { requests: 1_000 });
		const second = run(far(100), { requests: 1_000, after: first });
		expect(second.trace.slice(0, 200).at(-1)?.inFlight).toBe(128);
		expect(second.ms).toBeLessThan(first.ms);
	});

	test.each([
		[8, 40, 24],
		[8, 40, 20],
		[8, 100, 50],
		[6, 50, 35],
		[16, 80, 40],
	])(
		'does not hold back what is answered sooner: %d at a time, for %d ms each, then for %d',
		(atOnce, workMs, sooner) => {
			const { service, set } = withPlaces({ atOnce, workMs, chance: chanceFrom(1) });
			let after: Seen | undefined;
			const batchesTook = (batches: number): number => {
				let ms = 0;
				for (let batch = 0; batch < batches; batch++) {
					const seen = run(service, { requests: 500, after });
					after = seen;
					ms += seen.ms;
				}
				return ms;
			};
			batchesTook(4);
			set({ workMs: sooner });
			const couldTake = (10 * 500 * sooner) / atOnce;
			expect(batchesTook(10)).toBeLessThan(couldTake * 1.06);
		},
	);

	test('is kept for the next one: how many a second', () => {
		const service = () => allowing(100, { burst: 20, latencyMs: 20, retryAfterMs: 1_000 });
		const first = run(service(), { requests: 1_000 });
		expect(run(service(), { requests: 1_000, after: first }).refused).toBeLessThan(first.refused / 2);
	});
});
