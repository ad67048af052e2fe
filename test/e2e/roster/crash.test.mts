/**
 * n8n is killed once, in the middle of first loads that are at different points, and started again: `npm run crash` has many more of these. Before that, n8n's
 * time limit has ended another one: of it, too, the next run has to wait until its lease has stood still.
 */
import { waitForExecution } from '../../../playground/n8n-client.mts';
import { until } from '../../../playground/eventually.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';
import { LedgerGate } from '../../support/ledger-gate.mts';

import { ADOPTS, Load, Network } from './load.mts';
import { expectEverything, expectRest, lookAt, tableOfWrecks, type Wreck } from './wreck.mts';

let n8n: LastingN8n;
let network: Network;
let database: LedgerDatabase;
let loads: Record<'sends' | 'adopts' | 'writes' | 'begins' | 'limited', Load>;

beforeAll(async () => {
	[database, n8n, network] = await Promise.all([
		LedgerDatabase.start(),
		LastingN8n.start(),
		Network.start({ students: 60, schools: 3 }),
	]);
	const open = async (name: string, given: Partial<Parameters<typeof Load.open>[1]>) =>
		await Load.open(n8n, { name, network, sandbox: { duplicates: 'double' }, ...given });
	loads = {
		sends: await open('Sends', {}),
		adopts: await open('Adopts', { sandbox: { duplicates: 'refuse' }, options: ADOPTS }),
		writes: await open('Writes', { database }),
		begins: await open('Begins', { database }),
		limited: await open('Limited', {}),
	};
	const { limited, ...others } = loads;
	await Promise.all([
		limited.approveFirst().then(async () => await reachTimeLimit(limited)),
		...Object.values(others).map(async (load) => await load.approveFirst()),
	]);
});

afterAll(async () => {
	await n8n?.end();
	for (const load of Object.values(loads ?? {})) await load.close();
	await network?.stop();
	await database?.stop();
});

/** Its rest takes longer than n8n lets it run. */
async function reachTimeLimit(load: Load): Promise<void> {
	const { admin } = load.sandbox;
	const rest = { pathPattern: '^/integration', after: 40 };
	const slow = await admin.addFault(rest, { delayMs: 20_000 });
	await load.begin(0, { executionTimeout: 15 });
	const { status } = await waitForExecution(n8n.session, load.running, 560_000);
	expect(status).toBe('canceled');
	// The last rows come without anybody waiting for them.
	await until(async () => (await load.rows()).some(({ kind, state }) => kind === 'run' && state === 'ended'));
	await admin.clearFaults(slow);
}

describe('Of first loads that have been broken off', () => {
	const wrecks = {} as Record<keyof typeof loads, Wreck>;

	afterAll(() => console.log(tableOfWrecks(Object.values(wrecks))));

	beforeAll(async () => {
		const { sends, adopts, writes, begins, limited } = loads;
		wrecks.limited = await lookAt(limited, "at n8n's time limit");
		const gates = [
			await LedgerGate.close(database, 71, [
				'insert',
				"new.ledger = 'Writes' and new.kind = 'batch' and new.sequence::int > 0",
			]),
			await LedgerGate.close(database, 72, [
				'update',
				"new.ledger = 'Begins' and new.run_id <> old.run_id and new.run_id <> ''",
			]),
		];
		await Promise.all([writes.begin(), begins.begin()]);
		for (const gate of gates) await gate.reached();
		const some = Math.round(network.keys.length * (0.2 + 0.6 * Math.random()));
		const sending = [sends, adopts].map(({ sandbox }) => sandbox.admin);
		// From there on the service holds back its answers: neither ends before the kill, however fast the machine is.
		const rest = { pathPattern: '^/integration', after: some };
		for (const admin of sending) await admin.addFault(rest, { delayMs: 60_000 });
		await Promise.all([sends.begin(), adopts.begin()]);
		for (const load of [sends, adopts]) await until(async () => (await load.writes()) >= some);
		await n8n.kill();
		for (const admin of sending) await admin.clearFaults();
		// What PostgreSQL was told before lands all the same.
		for (const gate of gates) await gate.open();
		await n8n.startAgain();
		wrecks.sends = await lookAt(sends, 'while it sends');
		wrecks.adopts = await lookAt(adopts, 'while it sends');
		wrecks.writes = await lookAt(writes, 'in a write to the ledger');
		wrecks.begins = await lookAt(begins, 'before it reads the ledger');
		await Promise.all(Object.values(loads).map(async (load) => await load.begin()));
	});

	test('the one that was sending has nothing twice, nothing lost, and asks nobody again', async () => {
		await expectRest(wrecks.sends, await loads.sends.end());
		expect(wrecks.sends.uncertain).not.toEqual([]);
	});

	test('the one whose service refuses doubles is whole, and knows all of it', async () => {
		await expectEverything(wrecks.adopts, await loads.adopts.end());
	});

	test('the one that was writing into its ledger has nothing twice and nothing lost', async () => {
		await expectRest(wrecks.writes, await loads.writes.end());
	});

	test("the one that n8n's time limit has ended has a row for all but what was under way, and the rest comes", async () => {
		const { limited } = wrecks;
		expect(limited.requests).toBeLessThan(network.keys.length);
		await expectRest(limited, await loads.limited.end());
	});

	test('the one that had not begun has everything, once', async () => {
		expect(wrecks.begins).toMatchObject({ requests: 0, uncertain: [] });
		await expectEverything(wrecks.begins, await loads.begins.end());
	});
});
