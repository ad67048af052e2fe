/**
 * n8n is killed (SIGKILL) in the middle of first loads of a roster, started again, and the workflow run until nothing is left:
 * against a service that takes doubles, where nothing may be there twice, and against one that refuses them, where all has to be there.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import {
	BATCH,
	BEFORE_ROWS_OF_BATCH,
	BEFORE_ROWS_OF_PLAN,
	FAR,
	FirstLoad,
} from '../e2e/roster/first-load.mts';
import { until } from '../support/eventually.mts';
import type { Place } from '../support/gate.mts';
import { networkOf } from '../support/held.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';

const STUDENTS = 150;
const KILLS = 20;

/** Says again what a run said that failed: `CRASH_SEED=… npm run crash`. */
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Kill {
	name: string;
	/** How much of the writing requests has come, 0 to 1, and how long after that, in milliseconds. */
	after?: { share: number; ms: number };
	/** Or the run is held there for the nth time. */
	at?: { place: Place; nth: number };
}

const random = randomOf(SEED);
const CHOSEN: Kill[] = [
	{ name: 'between the plan and its rows', at: { place: BEFORE_ROWS_OF_PLAN, nth: 1 } },
	{ name: 'between the first requests and their rows', at: { place: BEFORE_ROWS_OF_BATCH, nth: 1 } },
	{ name: 'between the requests of batch 7 and their rows', at: { place: BEFORE_ROWS_OF_BATCH, nth: 7 } },
	{ name: 'while it plans', after: { share: 0, ms: Math.round(random() * 1_000) } },
];
const RANDOM: Kill[] = Array.from({ length: KILLS - CHOSEN.length }, () => {
	const after = { share: random(), ms: Math.round(random() * 200) };
	return { name: `${after.ms} ms after ${Math.round(after.share * 100)} % of the requests`, after };
});

/** A kill is n8n started once or twice and a dozen nights, on a machine that may be busy. */
const LONG_MS = 900_000;

/** Every fifth load is killed once more while it goes on. */
const AGAIN_EVERY = 5;

/** What is printed in the end. */
const table: Array<{ kill: string; service: string; load: FirstLoad }> = [];
const lanes: Array<{ name: string; sandbox: Sandbox; onward: Record<string, string> }> = [];
let n8n: LastingN8n;
let wanted: string[];
let writesInAll = 0;

beforeAll(async () => {
	for (const [name, duplicates, uncertainCreations] of [
		['takes doubles', 'double', 'report'],
		['refuses doubles', 'refuse', 'sendAgain'],
	] as const) {
		const sandbox = await startSandbox({ students: STUDENTS, empty: true, duplicates, ...FAR });
		lanes.push({ name, sandbox, onward: { afterInterruption: 'goOn', uncertainCreations } });
	}
	n8n = await LastingN8n.start();
	wanted = await networkOf(lanes[0].sandbox.admin);
});

afterAll(async () => {
	await n8n?.end();
	await Promise.all(lanes.map(async ({ sandbox }) => await sandbox.stop()));
	console.log(`Seed ${SEED}, ${wanted?.length} records, batches of ${BATCH}\n${shown(table)}`);
});

const onAllLanes = async <T,>(
	kill: Kill | undefined,
	work: (load: FirstLoad, lane: number) => Promise<T>,
): Promise<T[]> =>
	await Promise.all(
		lanes.map(async ({ sandbox, onward }, lane) => {
			const load = await FirstLoad.open({ n8n, sandbox, wanted }, onward, kill?.at?.place);
			return await work(load, lane);
		}),
	);

test('A load that nothing interrupts fills the school', async () => {
	const writes = await onAllLanes(undefined, async (load) => {
		await load.begin();
		expect((await load.end()).said).toBe('');
		const sent = await load.writes();
		await load.expectComplete();
		return sent;
	});
	expect(writes).toEqual([wanted.length, wanted.length]);
	[writesInAll] = writes;
});

describe('Killed in the middle of a first load, n8n leaves nothing twice and nothing lost', () => {
	test.each([...CHOSEN, ...RANDOM].map((kill, index) => ({ ...kill, index })))(
		'$index: $name',
		async (kill) => {
			const loads = await onAllLanes(kill, async (load) => {
				const reached = kill.at && load.gate?.reached(kill.at.nth);
				await load.begin();
				await reached;
				return load;
			});
			if (kill.after !== undefined) await come(loads, kill.after.share * writesInAll, kill.after.ms);
			await killed(loads);
			if (kill.index % AGAIN_EVERY === AGAIN_EVERY - 1) {
				for (const load of loads) await load.begin();
				await come(loads, (await loads[0].writes()) + random() * 4 * BATCH, random() * 200);
				await killed(loads);
			}
			loads.forEach((load, lane) => table.push({ kill: kill.name, service: lanes[lane].name, load }));
			await Promise.all(
				loads.map(async (load) => {
					await load.recover();
					await load.expectComplete();
					await load.close();
				}),
			);
		},
		LONG_MS,
	);
});

/** Waits until so many writing requests have come to the service that takes doubles, and some time. */
async function come([load]: readonly FirstLoad[], writes: number, ms: number): Promise<void> {
	await until(async () => (await load.writes()) >= Math.min(writes, wanted.length - 1));
	await wait(ms);
}

async function killed(loads: readonly FirstLoad[]): Promise<void> {
	await n8n.kill();
	await n8n.startAgain();
	for (const load of loads) await load.lookAt();
}

function shown(rows: typeof table): string {
	const head = [
		'killed',
		'a service that',
		'requests',
		'rows',
		'n8n says',
		'uncertain',
		'nights',
		'twice',
		'lost',
	];
	const lines = rows.map(({ kill, service, load: { cuts, nights, wrongs } }) => [
		kill,
		service,
		...(['requests', 'rows', 'status', 'uncertain'] as const).map((name) =>
			cuts.map((cut) => cut[name]).join(', '),
		),
		...[nights, wrongs?.twice.length ?? '?', wrongs?.lost.length ?? '?'].map(String),
	]);
	const widths = head.map((title, column) =>
		Math.max(title.length, ...lines.map((line) => line[column].length)),
	);
	return [head, ...lines]
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
