/**
 * n8n is killed (SIGKILL) in the middle of first loads of a roster, started again, and each workflow run once more: against services that take doubles, where
 * nothing may be there twice, and against services that refuse them, where all has to be there. Five loads and more run at once, so that one kill hits all.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { startQueueCluster, type QueueCluster } from '../e2e/trigger/queue-cluster.mts';
import {
	ADOPTS,
	doublesIn,
	Load,
	Network,
	uncertainIn,
	type Home,
	type LoadOptions,
} from '../e2e/roster/load.mts';
import type { Night } from '../e2e/roster/stage.mts';
import { expectEverything, expectRest, lookAt, tableOfWrecks, type Wreck } from '../e2e/roster/wreck.mts';
import { signIn } from '../../playground/n8n-client.mts';
import { until } from '../../playground/eventually.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';
import { LedgerDatabase } from '../support/ledger-database.mts';
import { LedgerGate } from '../support/ledger-gate.mts';
import { seededRandom } from '../unit/roster/simulation/simulatedStore.mts';

/** Says again what a run said that failed: `CRASH_SEED=… npm run crash`. */
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

const random = seededRandom(SEED);

/** A round is five loads and n8n started again, on a machine that may be busy. */
const LONG_MS = 1_800_000;

const wrecks: Wreck[] = [];
let database: LedgerDatabase;
let network: Network;
let small: Network;

beforeAll(async () => {
	[database, network, small] = await Promise.all([
		LedgerDatabase.start(),
		Network.start({ students: 300, schools: 4 }),
		Network.start({ students: 60, schools: 3 }),
	]);
});

afterAll(async () => {
	await network?.stop();
	await small?.stop();
	await database?.stop();
	console.log(`Seed ${SEED}, ${network?.keys.length} records\n${tableOfWrecks(wrecks)}`);
});

const DOUBLE = { sandbox: { duplicates: 'double' } } as const;
const REFUSE = { sandbox: { duplicates: 'refuse' }, options: ADOPTS } as const;

/** The loads of every round, by name. */
const kinds = (): Array<[string, Partial<LoadOptions>]> => [
	['Data Table, doubles', DOUBLE],
	['Data Table, refuses', REFUSE],
	['PostgreSQL, doubles', { ...DOUBLE, database }],
	['PostgreSQL, refuses', { ...REFUSE, database }],
];

/** A load that is killed at a point that is chosen. */
interface Chosen {
	point: string;
	given: () => Partial<LoadOptions>;
	/** Brings it to the point; gives what lets it go when n8n is dead. */
	bring: (load: Load) => Promise<() => Promise<void>>;
	/** After the next night. */
	expect: (wreck: Wreck, night: Night) => Promise<void>;
}

let locks = 100;

async function broughtTo(load: Load, ...[event, condition]: Parameters<typeof LedgerGate.close>[2]) {
	const ofLedger = `${event === 'delete' ? 'old' : 'new'}.ledger = '${load.name}' and ${condition}`;
	const gate = await LedgerGate.close(database, (locks += 1), [event, ofLedger]);
	await load.begin();
	await gate.reached();
	return async () => await gate.open();
}

/** Rows that say again what others say, so many that the next run makes the ledger small. */
async function inflate({ name }: Load): Promise<void> {
	const columns = 'ledger, run_id, sequence, kind, key, school_external_id, state, fields, service_id, at';
	await database.rows(`insert into school_partner_roster (${columns})
		select ${columns} from school_partner_roster, generate_series(1, 60)
		where ledger = '${name}' and kind in ('class', 'user', 'bond')`);
}

const filled = async (load: Load) => expect((await load.night()).said).toBe('');

const OF_POSTGRES = () => ({ ...DOUBLE, database });

const CHOSEN: Chosen[][] = [
	[
		{
			point: 'in a write to the ledger',
			given: OF_POSTGRES,
			bring: async (load) => await broughtTo(load, 'insert', "new.kind = 'batch' and new.sequence::int > 0"),
			expect: expectRest,
		},
	],
	[
		{
			point: 'between opening and reading',
			given: OF_POSTGRES,
			bring: async (load) => await broughtTo(load, 'update', "new.run_id <> old.run_id and new.run_id <> ''"),
			expect: expectEverything,
		},
	],
	[
		{
			point: 'in a compaction: copies',
			given: OF_POSTGRES,
			bring: async (load) => {
				await filled(load);
				await inflate(load);
				return await broughtTo(load, 'insert', `new.detail like '%"of":%'`);
			},
			expect: expectEverything,
		},
	],
	[
		{
			point: 'in a compaction: removal',
			given: OF_POSTGRES,
			bring: async (load) => {
				await filled(load);
				await inflate(load);
				return await broughtTo(load, 'delete', `old.id % 1000 = 7`);
			},
			expect: expectEverything,
		},
	],
	[
		{
			point: 'in removals that are wanted again',
			given: () => DOUBLE,
			bring: async (load) => {
				await filled(load);
				const late = { afterwards: true, delayMs: 600_000 };
				await load.sandbox.admin.clearFaults();
				const id = await load.sandbox.admin.addFault({ method: 'DELETE', path: '/integration' }, late);
				await load.begin(12);
				await until(async () =>
					(await load.sandbox.admin.faults()).some((fault) => fault.id === id && fault.used > 0),
				);
				return async () => await load.sandbox.admin.clearFaults();
			},
			expect: async (wreck, { said, summary }) => {
				expect([said, summary.holds]).toEqual(['', []]);
				const held = await wreck.load.held();
				const there = new Set(held);
				expect(wreck.load.network.keys.filter((key) => !there.has(key))).toEqual([]);
				const twice = doublesIn(held).filter((key) => !wreck.uncertain.includes(key));
				expect(twice).toEqual([]);
				wreck.afterwards = 'everything there that is wanted again';
			},
		},
	],
];

async function opened(
	home: Home,
	of: Network,
	chosen: ReadonlyArray<readonly [string, Partial<LoadOptions>]>,
): Promise<Load[]> {
	const loads = await Promise.all(
		chosen.map(async ([name, given]) => await Load.open(home, { name, network: of, ...DOUBLE, ...given })),
	);
	await Promise.all(loads.map(async (load) => await load.approveFirst()));
	return loads;
}

/** Begins them one after another, as the first goes on, and gives when that is somewhere. */
async function somewhere(loads: readonly Load[]): Promise<void> {
	const [first, ...others] = loads;
	const all = first.network.keys.length;
	const end = 0.05 + 0.9 * random();
	const starts = others.map(() => end * random()).sort();
	await first.begin();
	for (const [place, start] of starts.entries()) {
		await until(async () => (await first.writes()) >= start * all, LONG_MS);
		await others[place].begin();
	}
	await until(async () => (await first.writes()) >= end * all, LONG_MS);
	for (const load of others) await until(async () => (await load.writes()) > 0, LONG_MS);
	await wait(random() * 200);
}

/** What each kind of load has to be after its next night. */
const expectedOf = (load: Load) => (load.name.includes('refuses') ? expectEverything : expectRest);

async function goOn(found: readonly Wreck[]): Promise<void> {
	wrecks.push(...found);
	await Promise.all(found.map(async ({ load }) => await load.begin()));
	for (const wreck of found) await expectedOf(wreck.load)(wreck, await wreck.load.end());
}

describe('n8n in one process', () => {
	let n8n: LastingN8n;

	beforeAll(async () => void (n8n = await LastingN8n.start()));
	afterAll(async () => await n8n?.end());

	test.each(
		CHOSEN.map((chosen, round) => ({ round: round + 1, chosen, points: chosen.map(({ point }) => point) })),
	)(
		'round $round: while it sends, and $points',
		async ({ round, chosen }) => {
			const loads = await opened(
				n8n,
				network,
				kinds().map(([name, given]) => [`${name}, ${round}`, given]),
			);
			const others = await opened(
				n8n,
				small,
				chosen.map(({ point, given }) => [point, given()]),
			);
			const letGo: Array<() => Promise<void>> = [];
			for (const [place, { bring }] of chosen.entries()) letGo.push(await bring(others[place]));
			await somewhere(loads);
			await n8n.kill();
			for (const go of letGo) await go();
			await n8n.startAgain();
			const found: Wreck[] = [];
			for (const load of others) found.push(await lookAt(load, load.name));
			for (const load of others) await load.begin();
			const hit: Wreck[] = [];
			for (const load of loads) hit.push(await lookAt(load, 'while it sends'));
			wrecks.push(...found);
			await goOn(hit);
			for (const [place, each] of chosen.entries())
				await each.expect(found[place], await others[place].end());
			for (const load of [...loads, ...others]) await load.close();
		},
		LONG_MS,
	);

	test(
		'with 2,000 students',
		async () => {
			const large = await Network.start({ students: 2_000, schools: 5 });
			const loads = await opened(n8n, large, [
				['2,000 students, doubles', { sandbox: { duplicates: 'double', latencyMs: 20 } }],
			]);
			await somewhere(loads);
			await n8n.kill();
			await n8n.startAgain();
			await goOn([await lookAt(loads[0], 'while it sends')]);
			await loads[0].close();
			await large.stop();
		},
		LONG_MS,
	);
});

describe('A worker in queue mode', () => {
	let cluster: QueueCluster;

	beforeAll(async () => void (cluster = await startQueueCluster({ webhooks: 0, workers: 1 })));
	afterAll(async () => await cluster?.stop());

	test(
		'while it sends',
		async () => {
			const home: Home = { session: await signIn(cluster.main.baseUrl) };
			const loads = await opened(
				home,
				network,
				kinds().map(([name, given]) => [`${name}, worker`, given]),
			);
			await somewhere(loads);
			await cluster.workers[0].process.kill();
			await cluster.addWorker();
			const hit: Wreck[] = [];
			for (const load of loads) hit.push(await lookAt(load, 'a worker, while it sends'));
			await goOn(hit);
			for (const load of loads) {
				expect(uncertainIn(await load.rows()).length).toBeLessThanOrEqual(2_000);
				await load.close();
			}
		},
		LONG_MS,
	);
});
