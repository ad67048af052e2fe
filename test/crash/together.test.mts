/** Runs of one ledger that start in the same instant: 50 times two and 20 times four, on one n8n and on two workers, with both kinds of ledger. One sends. */
import { Load, Network, type Home } from '../e2e/roster/load.mts';
import { expectOneSender } from '../e2e/roster/together.mts';
import { tableOf } from '../e2e/roster/wreck.mts';
import { startQueueCluster, type QueueCluster } from '../e2e/trigger/queue-cluster.mts';
import { signIn } from '../../playground/n8n-client.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';
import { LedgerDatabase } from '../support/ledger-database.mts';

const LONG_MS = 3_600_000;

/** Ledgers that are tried side by side. */
const BESIDE = 3;

/** How often so many start at once, in each of the four places. */
const TRIALS = [
	{ times: 2, places: [13, 13, 12, 12] },
	{ times: 4, places: [5, 5, 5, 5] },
];

let network: Network;
let database: LedgerDatabase;
let n8n: LastingN8n;
let cluster: QueueCluster;

/** What is printed in the end: how often the runs of a trial said what. */
const table = new Map<string, number>();

beforeAll(async () => {
	[database, network] = await Promise.all([
		LedgerDatabase.start(),
		Network.start({ students: 8, schools: 1 }),
	]);
});

afterAll(async () => {
	await network?.stop();
	await database?.stop();
	const lines = [...table].map(([line, count]) => [...line.split('\t'), String(count)]);
	console.log(tableOf(['place', 'starts', 'first runs', 'runs that may send', 'times'], lines));
});

async function tried(home: Home, place: string, inPostgres: boolean, times: number, trials: number) {
	const lanes = Array.from({ length: BESIDE }, async (_, lane) => {
		for (let trial = lane; trial < trials; trial += BESIDE) {
			const name = `${place} ${times} ${trial}`;
			const given = { name, network, ...(inPostgres && { database }) };
			const load = await Load.open(home, { ...given, sandbox: { duplicates: 'double' } });
			const { first, sending } = await expectOneSender(load, times);
			const line = [place, String(times), first, sending].join('\t');
			table.set(line, (table.get(line) ?? 0) + 1);
			await load.close();
		}
	});
	await Promise.all(lanes);
}

describe('One n8n', () => {
	beforeAll(async () => void (n8n = await LastingN8n.start()));
	afterAll(async () => await n8n?.end());

	test.each(TRIALS)(
		'$times at once',
		async ({ times, places }) => {
			await tried(n8n, 'one n8n, Data Table', false, times, places[0]);
			await tried(n8n, 'one n8n, PostgreSQL', true, times, places[1]);
		},
		LONG_MS,
	);
});

describe('Two workers', () => {
	let home: Home;

	beforeAll(async () => {
		cluster = await startQueueCluster({ webhooks: 0, workers: 2 });
		home = { session: await signIn(cluster.main.baseUrl) };
	});
	afterAll(async () => await cluster?.stop());

	test.each(TRIALS)(
		'$times at once',
		async ({ times, places }) => {
			await tried(home, 'two workers, Data Table', false, times, places[2]);
			await tried(home, 'two workers, PostgreSQL', true, times, places[3]);
		},
		LONG_MS,
	);
});
