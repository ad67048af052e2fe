/** Verify, a service that is far away: beside the same lookups by nodes School Partner, and every seventh of them a night. */
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Plan, Results } from '../results.mts';
import { Ground, type LookedUp } from '../roster/ground.mts';

const LATENCY_MS = 50;

/** Comparing with the ledger may cost a fifth of the lookups. */
const TARGET = 0.83;

/** Verify holds the ledger, and the answers of a slice of the accounts. */
const PEAK_MB = 700;

export async function measureVerify({ say, students }: Plan): Promise<Partial<Results>> {
	const ground = await Ground.open(students);
	try {
		say(`Verify of a network of ${students.toLocaleString('en')} students, a service ${LATENCY_MS} ms away`);
		const { people, lookups, everybody, seventh, alone } = await ground.lookUps(LATENCY_MS);
		// Besides these: tokens, the profiles, and of each school that is met its external id.
		const most = lookups + Math.ceil(students / 100) + 10;
		for (const { requests } of [everybody, alone])
			if (requests < lookups || requests > most)
				throw new Error(`${requests} requests for ${lookups} lookups`);
		const peak = (id: string, what: string, { peakMb }: LookedUp) => ({
			...{
				id: `verify-peak-${id}`,
				what: `Verify, ${what}: most memory of n8n above its rest`,
				unit: 'MB' as const,
			},
			...{ seen: spreadOf([peakMb]), atMost: PEAK_MB },
		});
		return {
			comparisons: [
				{
					id: 'verify-everybody',
					what: `Verify of ${people.toLocaleString('en')} people (${lookups.toLocaleString('en')} lookups), a service ${LATENCY_MS} ms away`,
					against: 'the same lookups by nodes School Partner, without a ledger',
					unit: 'ms',
					target: { atLeast: TARGET },
					ours: spreadOf([everybody.ms]),
					theirs: spreadOf([alone.ms]),
					ratio: spreadOf(ratiosOf([alone.ms], [everybody.ms])),
				},
			],
			bounds: [peak('everybody', 'everybody', everybody), peak('seventh', 'every seventh', seventh)],
		};
	} finally {
		await ground.end();
	}
}
