/** Workers that stand still for longer than a lease lives, or whose clocks are wrong: whoever takes over is the only one that sends. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';

import { ADOPTS, Load, Network, type Home, type LoadOptions } from '../e2e/roster/load.mts';
import { expectOneSender } from '../e2e/roster/together.mts';
import {
	expectEverything,
	expectRest,
	lookAt,
	tableOf,
	tableOfWrecks,
	type Wreck,
} from '../e2e/roster/wreck.mts';
import { startQueueCluster, type QueueCluster } from '../e2e/trigger/queue-cluster.mts';
import { signIn } from '../../playground/n8n-client.mts';
import { openConnectionsTo } from '../bench/measuring/machine.mts';
import { until } from '../../playground/eventually.mts';
import { LedgerDatabase } from '../support/ledger-database.mts';

const LONG_MS = 1_800_000;

/** Trap: Redis hands a job to a worker that had asked for one before it stood still. Whoever is alive asks again. */
async function forgetWaiting(redisPort: number): Promise<void> {
	const socket = connect(redisPort, '127.0.0.1');
	socket.write('CLIENT KILL TYPE normal SKIPME yes\r\n');
	await new Promise((resolve) => socket.once('data', resolve));
	socket.destroy();
}

let network: Network;
let database: LedgerDatabase;
let cluster: QueueCluster;
let home: Home;
const wrecks: Wreck[] = [];
const table: string[][] = [];

beforeAll(async () => {
	[database, network] = await Promise.all([
		LedgerDatabase.start(),
		Network.start({ students: 100, schools: 3 }),
	]);
});

afterAll(async () => {
	await network?.stop();
	await database?.stop();
	console.log(tableOfWrecks(wrecks));
	console.log(tableOf(['what', 'what came of it'], table));
});

async function opened(given: Record<string, Partial<LoadOptions>>): Promise<Load[]> {
	const loads: Load[] = [];
	for (const [name, options] of Object.entries(given)) {
		const load = await Load.open(home, { name, network, sandbox: { duplicates: 'double' }, ...options });
		await load.approveFirst();
		loads.push(load);
	}
	return loads;
}

describe('A worker that stands still while another takes over', () => {
	beforeAll(async () => {
		cluster = await startQueueCluster({ webhooks: 0, workers: 1 });
		home = { session: await signIn(cluster.main.baseUrl) };
	});
	afterAll(async () => await cluster?.stop());

	test(
		'hands nothing more to n8n when it wakes, not even a retry',
		async () => {
			const loads = await opened({
				'Data Table, doubles': {},
				'PostgreSQL, doubles': { database },
				'Data Table, refuses': { sandbox: { duplicates: 'refuse' }, options: ADOPTS },
				'PostgreSQL, 503': { database },
			});
			const away = loads[3].sandbox.admin;
			const rule = [
				{ pathPattern: '^/integration', after: Math.round(network.keys.length / 3) },
				{ status: 503, retryAfter: 1 },
			] as const;
			const fault = await away.addFault(...rule);
			for (const load of loads) await load.begin();
			const first = loads.map(({ running }) => running);
			await Promise.all(loads.map(async (load) => await until(async () => (await load.writes()) > 0)));
			const isRefusing = async () => (await away.faults()).some(({ id, used }) => id === fault && used > 5);
			await until(isRefusing);
			const [{ process: frozen }] = cluster.workers;
			process.kill(frozen.pid, 'SIGSTOP');
			// n8n opens a connection for each request: what it was handed before may leave on these, and nothing else.
			const open = loads.map(({ sandbox }) => openConnectionsTo(Number(new URL(sandbox.baseUrl).port)));
			await forgetWaiting(cluster.services.redisPort);
			await cluster.addWorker();
			await away.clearFaults(fault);
			const found: Wreck[] = [];
			for (const load of loads) found.push(await lookAt(load, 'stood still, while it sent'));
			wrecks.push(...found);
			for (const load of loads) await load.begin();
			for (const wreck of found) {
				const expected = wreck.load.name.includes('refuses') ? expectEverything : expectRest;
				await expected(wreck, await wreck.load.end());
			}
			const before = await Promise.all(loads.map(async (load) => await load.writes()));
			process.kill(frozen.pid, 'SIGCONT');
			for (const [place, load] of loads.entries()) {
				const { said, summary } = await load.end(first[place]);
				const after = await load.writes();
				table.push([
					`${load.name}, awake`,
					`${after - before[place]} requests on ${open[place]} connections; ${said || String(summary.outcome)}`,
				]);
				expect(after - before[place]).toBeLessThanOrEqual(open[place]);
				await load.close();
			}
		},
		LONG_MS,
	);
});

/** Debian's package is called faketime. Only what a process takes for the date is another; timers are as they were. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const clockOff = (by: string) => ({
	LD_PRELOAD: FAKETIME,
	FAKETIME: by,
	FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

(existsSync(FAKETIME) ? describe : describe.skip)(
	'Workers whose clocks are two minutes ahead and behind',
	() => {
		beforeAll(async () => {
			cluster = await startQueueCluster({ webhooks: 0, workers: 0 });
			home = { session: await signIn(cluster.main.baseUrl) };
			await cluster.addWorker(clockOff('+120s'));
		});
		afterAll(async () => await cluster?.stop());

		test.each([
			['ahead', '-120s'],
			['behind', '+120s'],
		])(
			'one that is %s is killed, and the other goes on; of four at once one sends',
			async (which, next) => {
				const loads = await opened({
					[`Data Table, ${which}`]: {},
					[`PostgreSQL, ${which}`]: { database },
				});
				for (const load of loads) await load.begin();
				for (const load of loads) await until(async () => (await load.writes()) > 20);
				const killed = cluster.workers.find((worker) => worker.process.ending() === undefined);
				await cluster.addWorker(clockOff(next));
				await killed?.process.kill();
				const found: Wreck[] = [];
				for (const load of loads) found.push(await lookAt(load, `a worker with its clock ${which}`));
				wrecks.push(...found);
				for (const load of loads) await load.begin();
				for (const wreck of found) await expectRest(wreck, await wreck.load.end());
				for (const load of loads) await load.close();
				if (which === 'ahead') await cluster.addWorker(clockOff('+120s'));
				const sandbox = { duplicates: 'double' } as const;
				const load = await Load.open(home, { name: `Four, ${which}`, network, sandbox });
				const { first, sending } = await expectOneSender(load, 4);
				table.push([`four at once, ${which}`, `${first}; ${sending}`]);
				await load.close();
				// Whoever is killed next is the only one there is.
				if (which === 'ahead') await cluster.workers.at(-1)?.process.kill();
			},
			LONG_MS,
		);
	},
);
