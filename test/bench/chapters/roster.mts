/** A first load of a roster in one execution, beside the same creations without a ledger; the night after; networks of other sizes. */
import { LedgerDatabase } from '../../support/ledger-database.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Comparison, Plan, Results, RosterPoint } from '../results.mts';
import { Ground, type Nights } from '../roster/ground.mts';
import { House, type Run } from '../roster/house.mts';

/** From a service next door to one on another continent. */
const LATENCIES = [0, 50, 200];

/** The ledger may cost so much of the time next door; far away it is hidden behind the answers. */
const TARGETS: Record<number, number> = { 0: 0.8, 50: 0.91, 200: 0.91 };

/** Smaller ones are measured in several rounds. */
const SMALLEST = 1_000;
const LARGE = 10_000;
const MOST_ROUNDS = 3;

const ALONE = 'the same creations by nodes School Partner: records in, no ledger';

/** How long a second night may take, in seconds for each thousand records of the network: 12 s for 50,000 students. */
const SECOND_NIGHT_S = 12 / 158;

export async function measureRoster({ rounds: asked, say, students }: Plan): Promise<Partial<Results>> {
	const rounds = students >= LARGE ? 1 : Math.min(asked, MOST_ROUNDS);
	const ground = await Ground.open(students);
	try {
		const comparisons: Comparison[] = [];
		let nextDoor: Nights[] = [];
		for (const latencyMs of LATENCIES) {
			say(`first load of ${students.toLocaleString('en')} students, ${whereOf(latencyMs)}`);
			const [nights, alone]: [Nights[], Run[]] = [[], []];
			for (let round = 0; round < rounds; round++) {
				nights.push(await ground.nights(latencyMs));
				alone.push(await ground.alone(latencyMs));
			}
			comparisons.push(comparisonOf(ground, latencyMs, nights, alone));
			if (latencyMs === 0) nextDoor = nights;
		}
		const growth = [pointOf(ground, nextDoor)];
		for (const other of sizesBelow(students)) {
			say(`first load of ${other.toLocaleString('en')} students`);
			growth.unshift(await pointOfOther(other, rounds));
		}
		return { comparisons, bounds: boundsOf(ground, nextDoor), rosterGrowth: growth };
	} finally {
		await ground.end();
	}
}

/** Of n8n, in MB: with as much as it likes, Node collects late, and what is seen is not what is needed. */
const HEAP_MB = 1024;

/** A first load in an n8n that has little memory. */
export async function measureRosterHeap({ say, students }: Plan): Promise<Partial<Results>> {
	const ground = await Ground.open(students);
	try {
		const where = `first load of ${students.toLocaleString('en')} students, n8n with a heap of 1 GB`;
		say(where);
		const { load } = await ground.nights(0, HEAP_MB);
		return {
			bounds: [
				{
					...{ id: 'roster-heap-peak', unit: 'MB', atMost: 700, seen: spreadOf([load.peakMb]) },
					what: `${where}: most memory above its rest`,
				},
			],
		};
	} finally {
		await ground.end();
	}
}

/** Of a network whose parts have ledgers of their own, in one table of PostgreSQL. */
const PARTS = 4;

/** What a record costs in a table that has grown, beside a smaller load into an empty one. */
export async function measureRosterParts({ say, students }: Plan): Promise<Partial<Results>> {
	const database = await LedgerDatabase.start();
	const house = new House();
	try {
		await house.begin();
		const credential = await database.credential(house.session);
		const first = Math.ceil(students / 5);
		const costs: number[] = [];
		for (const [place, size] of [first, ...Array.from({ length: PARTS }, () => students)].entries()) {
			say(`${size.toLocaleString('en')} students into a table with ${place} ledgers`);
			const ground = await Ground.open(size);
			try {
				const { ms } = await ground.part(house, `Part ${place}`, credential);
				costs.push(ms / ground.records);
			} finally {
				await ground.end();
			}
		}
		const [empty = 0, ...grown] = costs;
		const what = `a record of each ${students.toLocaleString('en')} students of ${(PARTS * students).toLocaleString('en')} in one table of PostgreSQL, beside one of the first ${first.toLocaleString('en')}`;
		const seen = spreadOf(grown.map((cost) => cost / empty));
		return { bounds: [{ ...{ id: 'roster-parts', unit: '×', atMost: 1, seen }, what }] };
	} finally {
		await house.end();
		await database.stop();
	}
}

/** 1,000, and each five times as large up to this one; the greatest first. */
function sizesBelow(students: number): number[] {
	const sizes: number[] = [];
	for (let size = SMALLEST; size < students; size *= 5) sizes.unshift(size);
	return sizes;
}

async function pointOfOther(students: number, rounds: number): Promise<RosterPoint> {
	const ground = await Ground.open(students);
	try {
		const nights: Nights[] = [];
		for (let round = 0; round < rounds; round++) nights.push(await ground.nights(0));
		return pointOf(ground, nights);
	} finally {
		await ground.end();
	}
}

const whereOf = (latencyMs: number) =>
	latencyMs === 0 ? 'a service next door' : `a service ${latencyMs} ms away`;

function comparisonOf(
	{ students, records }: Ground,
	latencyMs: number,
	nights: readonly Nights[],
	alone: readonly Run[],
): Comparison {
	const [ours, theirs] = [nights.map(({ load }) => load.ms), alone.map(({ ms }) => ms)];
	return {
		id: `roster-load-${latencyMs}`,
		what: `first load of ${students.toLocaleString('en')} students (${records.toLocaleString('en')} records), ${whereOf(latencyMs)}`,
		against: ALONE,
		unit: 'ms',
		target: { atLeast: TARGETS[latencyMs] },
		ours: spreadOf(ours),
		theirs: spreadOf(theirs),
		ratio: spreadOf(ratiosOf(theirs, ours)),
	};
}

function boundsOf({ records }: Ground, nights: readonly Nights[]): Results['bounds'] {
	const loads = nights.map(({ load }) => load);
	return [
		{
			...{ id: 'roster-loop-p99', unit: 'ms', atMost: 50, seen: spreadOf(loads.map(p99Of)) },
			what: "delay of n8n's event loop during a first load, all but one of a hundred looks",
		},
		{
			...{ id: 'roster-loop-longest', unit: 'ms', atMost: 250, seen: spreadOf(loads.map(longestOf)) },
			what: "delay of n8n's event loop during a first load, the longest",
		},
		{
			...{ id: 'roster-second-night', unit: 's', atMost: Math.max(3, (records / 1_000) * SECOND_NIGHT_S) },
			seen: spreadOf(nights.map(({ second }) => second.ms / 1_000)),
			what: 'the night after, in which nothing is different',
		},
		{
			...{ id: 'roster-second-writes', unit: '', atMost: 0 },
			seen: spreadOf(nights.map(({ secondWrites }) => secondWrites)),
			what: 'requests that write in the night after',
		},
	];
}

function pointOf({ students, records }: Ground, nights: readonly Nights[]): RosterPoint {
	const loads = nights.map(({ load }) => load);
	return {
		...{ students, records, took: spreadOf(loads.map(({ ms }) => ms)) },
		second: spreadOf(nights.map(({ second }) => second.ms)),
		loop: { p99: spreadOf(loads.map(p99Of)), longest: spreadOf(loads.map(longestOf)) },
		peakMb: Math.max(...loads.map(({ peakMb }) => peakMb)),
	};
}

const longestOf = ({ delays }: Run) => delays.reduce((most, delay) => Math.max(most, delay), 0);
const p99Of = ({ delays }: Run) =>
	delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? 0;
