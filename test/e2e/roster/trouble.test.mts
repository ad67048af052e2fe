/** The ledger is in trouble in the middle of a run: what was sent has a row or is named in the failure, and nothing is sent without an intent. */
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { deleteDataTable, tablePath } from '../../../playground/n8n-client.mts';
import { until } from '../../../playground/eventually.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';
import { lockedDatabase } from '../../support/locked-database.mts';

import { ADOPTS, intentsIn, Load, Network, outcomesIn, type LoadOptions } from './load.mts';
import type { Night } from './stage.mts';
import { tableOf } from './wreck.mts';

const LIMIT = 8_000_000;
/** n8n asks its database each time. */
const SMALL = {
	N8N_DATA_TABLES_MAX_SIZE_BYTES: String(LIMIT),
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
};

let n8n: LastingN8n;
let network: Network;
let database: LedgerDatabase;
let loads: Record<'locked' | 'crashed' | 'renamed' | 'deleted' | 'cut' | 'full', Load>;

/** What is printed in the end. */
const table: string[][] = [];

beforeAll(async () => {
	[n8n, network, database] = await Promise.all([
		LastingN8n.start(SMALL),
		Network.start({ students: 60, schools: 3 }),
		LedgerDatabase.start(),
	]);
	const open = async (name: string, given: Partial<LoadOptions> = {}) =>
		await Load.open(n8n, { name, network, sandbox: { duplicates: 'double' }, ...given });
	loads = {
		locked: await open('Locked'),
		crashed: await open('Crashed', { database }),
		renamed: await open('Renamed', { database }),
		deleted: await open('Deleted'),
		cut: await open('Cut', { database, sandbox: { duplicates: 'refuse' }, options: ADOPTS }),
		full: await open('Full'),
	};
	await Promise.all(Object.values(loads).map(async (load) => await load.approveFirst()));
});

afterAll(async () => {
	await n8n?.end();
	for (const load of Object.values(loads ?? {})) await load.close();
	await network?.stop();
	await database?.stop();
	console.log(tableOf(['trouble', 'there', 'have a row', 'named', 'the node says'], table));
});

/** Begins a first load; ends when some of it has come to the service. */
async function getUnderWay(load: Load): Promise<void> {
	await load.begin();
	await until(async () => (await load.writes()) > 20);
}

async function expectWhole(load: Load, { said }: Night): Promise<void> {
	expect(said).toBe('');
	expect(await load.held()).toEqual(network.keys);
	expect([...outcomesIn(await load.rows())].sort()).toEqual(network.keys);
	tell(load, network.keys, outcomesIn(await load.rows()), said);
}

/** What has come to the service has a row, or is named in the failure, or counted there beyond what is named; and there was an intent of all of it. */
async function expectTold(load: Load, { said }: Night): Promise<void> {
	const [rows, held] = [await load.rows(), await load.held()];
	const [told, intents] = [outcomesIn(rows), intentsIn(rows)];
	const { keys, more } = namedIn(said);
	expect(held.filter((key) => !told.has(key) && !keys.has(key)).length).toBeLessThanOrEqual(more);
	expect(held.filter((key) => !intents.has(key))).toEqual([]);
	tell(load, held, told, said);
}

function tell(load: Load, held: readonly string[], told: ReadonlySet<string>, said: string): void {
	const { keys, more } = namedIn(said);
	const named = keys.size + more;
	table.push([load.name, String(held.length), String(told.size), String(named), said.split('\n')[0]]);
}

/** How many keys a failure names, and how many more it counts. */
function namedIn(said: string): { keys: Set<string>; more: number } {
	const keys = new Set([...said.matchAll(/([cub]:\S+) \(\w+\)/g)].map(([, key]) => key));
	return { keys, more: Number(/ and (\d+) more/.exec(said)?.[1] ?? 0) };
}

test('A database of n8n that is locked for a while only takes time', async () => {
	const load = loads.locked;
	await getUnderWay(load);
	const unlock = await lockedDatabase(n8n.userFolder);
	// So long another program keeps it.
	await wait(15_000);
	await unlock();
	await expectWhole(load, await load.end());
});

test('A PostgreSQL that ends in the middle and comes back only takes time', async () => {
	const load = loads.crashed;
	await getUnderWay(load);
	await database.crash(20_000);
	await expectWhole(load, await load.end());
});

test('A table that is gone in the middle ends the run, which names what has no row', async () => {
	const load = loads.renamed;
	await getUnderWay(load);
	await database.rows('alter table school_partner_roster rename to elsewhere');
	const night = await load.end();
	await database.rows('alter table elsewhere rename to school_partner_roster');
	expect(night.said).toContain('The table of the ledger is no longer there');
	await expectTold(load, night);
});

test('A Data Table that a person deletes in the middle ends the run, and no new one is made', async () => {
	const load = loads.deleted;
	await getUnderWay(load);
	await deleteDataTable(n8n.session, load.name);
	const { said } = await load.end();
	expect(said).toContain('The table of the ledger is no longer there');
	expect(await tablePath(n8n.session, load.name)).toBeUndefined();
	tell(load, await load.held(), new Set(), said);
	const before = await load.writes();
	// A lost ledger is a first run, which a person has to approve: nothing is sent twice.
	const { summary } = await load.night();
	expect([summary.outcome, await load.writes()]).toEqual(['held', before]);
});

test('A row that somebody removes is seen by the next run, which waits for a person', async () => {
	const load = loads.cut;
	await getUnderWay(load);
	await expectWhole(load, await load.end());
	const bond = `select max(id) from school_partner_roster where ledger = 'Cut' and kind = 'bond'`;
	await database.rows(`delete from school_partner_roster where id = (${bond})`);
	const before = await load.writes();
	const cut = await load.night();
	const [hold] = cut.summary.holds as IDataObject[];
	expect(hold.reason).toContain('The ledger has lost 1 of');
	expect(await load.writes()).toBe(before);
	await load.approve(cut);
	await expectWhole(load, await load.night());
	expect((await load.night()).changes).toEqual([]);
});

test('Data Tables that are full end the run, which names what has no row', async () => {
	const addRow = await nearlyFull();
	const load = loads.full;
	await getUnderWay(load);
	// Waves of requests are still to come when the tables are full, however fast this machine is.
	await load.sandbox.admin.changeSettings({ latencyMs: 5_000 });
	await addRow();
	await load.sandbox.admin.changeSettings({ latencyMs: 0 });
	const night = await load.end();
	expect(night.said).toContain('The Data Tables of this n8n have reached their size limit');
	await expectTold(load, night);
});

/** A table of a person that is as large as all may be but for one row; gives what adds that. */
async function nearlyFull(): Promise<() => Promise<void>> {
	const { session } = n8n;
	const { id } = await session.request<{ id: string }>('GET', '/projects/personal');
	const path = `/projects/${id}/data-tables`;
	const columns = [{ name: 'text', type: 'string' }];
	const table = await session.request<{ id: string }>('POST', path, { name: 'Large', columns });
	const data = [{ text: 'x'.repeat(LIMIT / 20) }];
	const addRow = async () =>
		void (await session.request('POST', `${path}/${table.id}/insert`, { data, returnType: 'count' }));
	for (let row = 1; row < 20; row++) await addRow();
	return addRow;
}
