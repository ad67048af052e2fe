/** Nights in a real n8n with the sandbox's own exports: every format, with the ledger in a Data Table of n8n and in PostgreSQL. */
import type { IDataObject } from 'n8n-workflow';

import type { RosterFormat } from '../../../sandbox/roster-types.mts';

import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';

import { plannedBy, RosterStage, succeeded, type Store } from './stage.mts';
import { dataTable, postgresTable } from './stores.mts';

const BATCH_SIZE = 80;
const TONIGHT = 12;

let roster: RosterStage;
let database: LedgerDatabase;

beforeAll(async () => {
	database = await LedgerDatabase.start();
	roster = await RosterStage.set();
}, 240_000);
afterAll(async () => {
	await roster?.end();
	await database?.stop();
});

const STORES: ReadonlyArray<[string, (name: string) => Promise<Store>]> = [
	["n8n's Data Table", async (name) => await dataTable(roster, name)],
	['PostgreSQL', async (name) => await postgresTable(roster, database, name)],
];
const FORMATS: RosterFormat[] = ['oneroster-1.1', 'oneroster-1.2', 'sds'];

function keysOf(changes: readonly IDataObject[], action: string, kind: string): string[] {
	return changes
		.filter((change) => change.action === action && change.kind === kind)
		.map(({ key }) => String(key))
		.sort();
}

/** Classes, responsible persons, other users, bonds, removals. */
function waveOf({ action, kind, send }: IDataObject): number {
	if (action === 'remove') return 4;
	if (kind !== 'user') return kind === 'class' ? 0 : 3;
	return ((send as IDataObject).profiles as string[]).includes('responsible') ? 1 : 2;
}

const written = async () => await roster.stage.sandbox.admin.requests({ path: '/integration' });

describe.each(STORES)('With the ledger in %s', (_name, makeStore) => {
	describe.each(FORMATS)('a network that exports %s', (format) => {
		let store: Store;
		const night = async (tonight: number, options = {}) => {
			const zip = await roster.network.admin.roster(format, { tonight });
			return succeeded(await roster.night('export.zip', zip, { batchSize: BATCH_SIZE, store, options }));
		};

		beforeAll(async () => {
			await roster.stage.sandbox.admin.reset();
			store = await makeStore(`ledger_of_${format.replace(/\W/g, '_')}`);
		});

		test('is created in its first night: exactly its classes, users and bonds', async () => {
			const { changes, held, findings } = plannedBy(await night(0, { firstRun: true }));
			const network = await networkOf(roster.network.admin);
			expect(changes.map(({ action, key }) => `${String(action)} ${String(key)}`).sort()).toEqual(
				network.map((key) => `create ${key}`),
			);
			expect(changes.length).toBeGreaterThan(BATCH_SIZE);
			expect([held, findings.filter(({ severity }) => severity === 'error')]).toEqual([[], []]);
			expect(await heldBy(roster.stage.sandbox.admin)).toEqual(network);
		});

		test('has nothing to do when the ledger says that all is done: no change, no row, no request that writes', async () => {
			const before = (await written()).length;
			const { changes, ledgerRows, held, summary } = plannedBy(await night(0));
			expect([changes, ledgerRows, held]).toEqual([[], [], []]);
			expect(summary).toMatchObject([{ held: false, left: 0, counts: { bond: { create: 0, remove: 0 } } }]);
			expect(await written()).toHaveLength(before);
		});

		test('is followed the night after: exactly what has changed, in the order in which the service needs it', async () => {
			const known = await roster.network.admin.rosterChanges({ tonight: TONIGHT });
			const before = (await written()).length;
			const { changes, held } = plannedBy(await night(TONIGHT));
			expect(held).toEqual([]);
			expect(keysOf(changes, 'create', 'user')).toEqual(
				known.users.new.map(({ external_id: id }) => `u:${id}`).sort(),
			);
			expect(keysOf(changes, 'create', 'bond')).toEqual(known.bonds.new.map(bondKey).sort());
			expect(keysOf(changes, 'remove', 'bond')).toEqual(known.bonds.gone.map(bondKey).sort());
			expect(changes).toHaveLength(known.users.new.length + known.bonds.new.length + known.bonds.gone.length);
			const waves = changes.map(waveOf);
			expect(waves).toEqual([...waves].sort());
			expect(new Set(waves)).toEqual(new Set([1, 2, 3, 4]));
			expect((await written()).slice(before)).toHaveLength(changes.length);
			expect(plannedBy(await night(TONIGHT)).changes).toEqual([]);
		});
	});
});
