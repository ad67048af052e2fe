/**
 * Two and three nights that race on one ledger, with the same rosters or others, in a simulated world: a store that is slow, fails, and loses
 * answers, processes that freeze and die, a service that loses answers and refuses. `MODEL_RUNS=20000 npx jest test/unit/roster/night.model` looks
 * at more of them.
 */
import fc from 'fast-check';

import { NightWorld, type NightWorldPlan, type RunPlan } from './simulation/nightWorld.mts';
import type { Trouble } from './simulation/virtualClock.mts';

const RUNS = Number(process.env.MODEL_RUNS ?? 200);
const SEED = Number(process.env.MODEL_SEED ?? 2026);

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
	fc.constant<Trouble>({ kind: 'kill' }),
	fc.record({
		kind: fc.constant('freeze' as const),
		ms: fc.integer({ min: 1_000, max: 200_000 }),
		steadyStops: fc.boolean(),
	}),
	fc.record({ kind: fc.constant('cutOff' as const), ms: fc.integer({ min: 10_000, max: 600_000 }) }),
);

const step = fc.oneof(fc.nat(20), fc.nat(60), fc.nat(200), fc.nat(800));

function someRuns(rosters: number): fc.Arbitrary<RunPlan[]> {
	const run = fc.record({
		startsAt: fc.oneof(fc.nat(500), fc.nat(20_000), fc.nat(200_000)),
		timeoutMs: fc.constantFrom(1_000, 30_000, 60_000),
		wallSkew: fc.integer({ min: -120_000, max: 120_000 }),
		roster: fc.nat(rosters - 1),
		troubles: fc.array(fc.tuple(step, trouble), { maxLength: 3 }),
	});
	return fc.array(run, { minLength: 2, maxLength: 3 });
}

const rosters = fc
	.tuple(
		fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.constant(150) }),
		fc.integer({ min: 1, max: 3 }),
	)
	.chain(([students, count]) =>
		fc.array(fc.record({ seed: fc.nat(), students: fc.constant(students) }), {
			minLength: count,
			maxLength: count,
		}),
	);

const world: fc.Arbitrary<NightWorldPlan> = rosters.chain((some) =>
	fc.record({
		seed: fc.nat(),
		store: fc.record({
			failures: fc.constantFrom(0, 0.05, 0.3),
			usualMs: fc.constantFrom(20, 500),
			slow: fc.constantFrom(0, 0.05, 0.2),
			slowMs: fc.constantFrom(5_000, 60_000),
			invisibleMs: fc.constantFrom(0, 500, 20_000),
		}),
		service: fc.constantFrom('accepts' as const, 'refuses' as const, 'refuses, and is adopted' as const),
		faults: fc.constantFrom(0, 0.05, 0.4),
		requestMs: fc.constantFrom(20, 500, 5_000),
		isLong: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
		rosters: fc.constant(some),
		runs: someRuns(some.length),
	}),
);

test('Whatever goes wrong in nights that race, nothing is created twice, nothing is lost, and the ledger says what is so', async () => {
	const seen: Record<string, number> = {};
	await fc.assert(
		fc.asyncProperty(world, async (plan) => {
			const { violations, seen: inWorld } = await NightWorld.after(plan);
			expect(violations).toEqual([]);
			for (const [what, count] of Object.entries(inWorld)) seen[what] = (seen[what] ?? 0) + count;
		}),
		{ numRuns: RUNS, seed: SEED },
	);
	if (process.env.MODEL_RUNS) console.log(seen);
	// Otherwise it would show nothing.
	for (const what of ['busy', 'lost', 'uncertain', 'resolved', 'created again', 'not written'])
		expect([what, (seen[what] ?? 0) >= RUNS / 500]).toEqual([what, true]);
}, 86_400_000);
