/**
 * Two and three runs that race for the lease of one ledger, in a simulated world: a store that is slow, fails, and loses answers,
 * processes that freeze, die, and have wrong clocks. `MODEL_RUNS=50000 npx jest test/unit/roster/lease.model` looks at more of them.
 */
import fc from 'fast-check';

import { LeaseWorld, type RunPlan, type WorldPlan } from './simulation/leaseWorld.mts';
import type { Trouble } from './simulation/virtualClock.mts';

const RUNS = Number(process.env.MODEL_RUNS ?? 1_000);
const SEED = Number(process.env.MODEL_SEED ?? 2026);
/** On a busy machine a world takes some 20 ms. */
const TIMEOUT_MS = Math.max(300_000, RUNS * 50);

const freeze = (steadyStops: boolean): fc.Arbitrary<Trouble> =>
	fc.record({
		kind: fc.constant('freeze' as const),
		ms: fc.oneof(fc.integer({ min: 1_000, max: 200_000 }), fc.integer({ min: 55_000, max: 80_000 })),
		steadyStops: fc.constant(steadyStops),
	});

const setClock = (earliest: number): fc.Arbitrary<Trouble> =>
	fc.record({
		kind: fc.constant('setClock' as const),
		ms: fc.integer({ min: earliest, max: 120_000 }),
	});

const cutOff: fc.Arbitrary<Trouble> = fc.record({
	kind: fc.constant('cutOff' as const),
	ms: fc.integer({ min: 10_000, max: 200_000 }),
});

const kill = fc.constant<Trouble>({ kind: 'kill' });

/**
 * Not shown: a machine that sleeps while its steady clock stands still, and whose wall clock is set back by as much in the same 40 s.
 * Nothing in the process tells it that it slept.
 */
const MACHINES = [
	fc.oneof(freeze(true), setClock(0), cutOff, kill),
	fc.oneof(freeze(false), setClock(-120_000), cutOff, kill),
];

/** Many of the dangerous moments are among the first steps, or where a run watches. */
const step = fc.oneof(fc.nat(12), fc.nat(150), fc.nat(500));

function runPlan(
	starts: fc.Arbitrary<number>,
	troubles: fc.Arbitrary<Trouble>,
	steps: fc.Arbitrary<number> = step,
): fc.Arbitrary<RunPlan> {
	return fc.record({
		startsAt: starts,
		timeoutMs: fc.constantFrom(1_000, 30_000, 30_000, 60_000),
		wallSkew: fc.integer({ min: -120_000, max: 120_000 }),
		requests: fc.nat(80),
		troubles: fc.array(fc.tuple(steps, troubles), { maxLength: 3 }),
	});
}

function someRuns(starts: fc.Arbitrary<number>): fc.Arbitrary<RunPlan[]> {
	const run = fc.oneof(...MACHINES.map((troubles) => runPlan(starts, troubles)));
	return fc.array(run, { minLength: 2, maxLength: 3 });
}

const wildWorld: fc.Arbitrary<WorldPlan> = fc.record({
	seed: fc.nat(),
	store: fc.record({
		failures: fc.constantFrom(0, 0.05, 0.3),
		usualMs: fc.constantFrom(20, 500),
		slow: fc.constantFrom(0, 0.05, 0.2),
		slowMs: fc.constantFrom(5_000, 60_000),
		invisibleMs: fc.constantFrom(0, 500, 20_000),
	}),
	runs: someRuns(fc.oneof(fc.nat(500), fc.nat(20_000), fc.nat(200_000))),
});

/** All find no ledger, so that there are several lease rows. */
const makersWorld: fc.Arbitrary<WorldPlan> = fc.record({
	seed: fc.nat(),
	store: fc.record({
		failures: fc.constantFrom(0, 0.1),
		usualMs: fc.constant(400),
		slow: fc.constantFrom(0.2, 0.5),
		slowMs: fc.constantFrom(2_000, 10_000),
		invisibleMs: fc.constantFrom(500, 2_000, 5_000),
	}),
	runs: someRuns(fc.nat(200)),
});

/** One holds the lease and is in trouble for long; others come to it at that time. */
const overtakenWorld: fc.Arbitrary<WorldPlan> = fc.record({
	seed: fc.nat(),
	store: fc.record({
		failures: fc.constantFrom(0, 0, 0.2),
		usualMs: fc.constant(50),
		slow: fc.constantFrom(0, 0.1),
		slowMs: fc.constant(10_000),
		invisibleMs: fc.constant(0),
	}),
	runs: fc
		.tuple(
			fc.oneof(
				...MACHINES.map((troubles) =>
					runPlan(
						fc.constant(0),
						troubles,
						fc.oneof(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 10, max: 80 })),
					),
				),
			),
			someRuns(fc.integer({ min: 2_000, max: 60_000 })),
		)
		.map(([first, others]) => [{ ...first, requests: 80 }, ...others.slice(0, 2)]),
});

function untroubled(plan: RunPlan): RunPlan {
	return { ...plan, troubles: [] };
}

const calmWorld: fc.Arbitrary<WorldPlan> = fc.record({
	seed: fc.nat(),
	store: fc.record({
		failures: fc.constant(0),
		usualMs: fc.constantFrom(20, 2_000),
		slow: fc.constant(0.1),
		slowMs: fc.constantFrom(20, 8_000),
		invisibleMs: fc.constantFrom(0, 500, 5_000),
	}),
	runs: fc.array(runPlan(fc.oneof(fc.nat(200), fc.nat(100_000)), kill).map(untroubled), {
		minLength: 2,
		maxLength: 3,
	}),
});

function addTo(sum: Record<string, number>, seen: Record<string, number>): void {
	for (const [what, count] of Object.entries(seen)) sum[what] = (sum[what] ?? 0) + count;
}

test(
	'Whatever goes wrong, requests of two runs are never under way at once, and a later run gets the lease',
	async () => {
		const seen: Record<string, number> = {};
		await fc.assert(
			fc.asyncProperty(fc.oneof(wildWorld, makersWorld, overtakenWorld), async (plan) => {
				const world = await LeaseWorld.after(plan);
				const last = await world.startLast();
				expect(world.violations).toEqual([]);
				expect(last.ended).toBe('acquired');
				addTo(seen, world.seen);
			}),
			{ numRuns: RUNS, seed: SEED },
		);
		if (process.env.MODEL_RUNS) console.log(seen);
		// Otherwise it would show nothing.
		for (const what of ['busy', 'taken over', 'lost', 'fenced', 'several rows', 'taken too late'])
			expect([what, (seen[what] ?? 0) >= RUNS / 500]).toEqual([what, true]);
	},
	TIMEOUT_MS,
);

test(
	'When nothing goes wrong, one run gets the lease, and none is interrupted',
	async () => {
		await fc.assert(
			fc.asyncProperty(calmWorld, async (plan) => {
				const world = await LeaseWorld.after(plan);
				expect(world.violations).toEqual([]);
				expect(world.seen['fewer rows than were counted']).toBeUndefined();
				expect(world.runs.some(({ ended }) => ended === 'acquired')).toBe(true);
				expect(world.table.overtaken).toEqual([]);
				for (const { ended, lease } of world.runs) {
					expect(['acquired', 'busy']).toContain(ended);
					expect(lease?.isLost ?? false).toBe(false);
				}
			}),
			{ numRuns: RUNS / 4, seed: SEED },
		);
	},
	TIMEOUT_MS,
);
