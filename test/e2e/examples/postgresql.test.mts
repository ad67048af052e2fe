/** "Keep the ledger in PostgreSQL", with a real PostgreSQL and the table that docs/roster.md says. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { N8N_BIN } from '../../../playground/installation.mjs';
import { createCredential } from '../../../playground/n8n-client.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { startQueueServices, type QueueServices } from '../trigger/queue-services.mts';
import { BY_HAND, EVERY_NIGHT, Nights } from './nights.mts';
import { useExamples } from './support.mts';

interface Client {
	connect(): Promise<void>;
	query(sql: string): Promise<{ rows: Array<Record<string, string | null>> }>;
	end(): Promise<void>;
}

// n8n's own.
const { Client } = createRequire(N8N_BIN)('pg') as { Client: new (options: object) => Client };

const NAME = 'keep-the-ledger-in-postgresql';
const STUDENTS = 400;

const bench = useExamples({ sandbox: { empty: true, students: STUDENTS } });

let services: QueueServices | undefined;
let database: Client | undefined;

beforeAll(async () => {
	services = await startQueueServices();
	database = new Client({ host: '127.0.0.1', port: services.postgresPort, user: 'postgres', database: 'postgres' });
	await database.connect();
});
afterAll(async () => {
	await database?.end();
	await services?.stop();
});

async function rowsOf(sql: string) {
	if (database === undefined) throw new Error('PostgreSQL is not running');
	return (await database.query(sql)).rows;
}

async function nights(): Promise<Nights> {
	const credential = await createCredential(bench.stage.session, {
		name: 'Ledger database',
		type: 'postgres',
		data: { host: '127.0.0.1', port: services?.postgresPort ?? 0, database: 'postgres', user: 'postgres', password: '', ssl: 'disable' },
	});
	return await Nights.of(bench, bench.example(NAME, credential));
}

const sqlOfThePage = () => /CREATE TABLE[\s\S]*?\);/.exec(readFileSync('docs/roster.md', 'utf8'))?.[0] ?? '';

test.each([
	['the table that docs/roster.md says', async () => void (await rowsOf(sqlOfThePage()))],
	['no table, so that the workflow makes it', async () => void (await rowsOf('DROP TABLE roster_ledger'))],
])('a database with %s: the first load is there once, the next night sends nothing, and then what is different', async (_what, prepare) => {
	await prepare();
	const expected = await networkOf(bench.admin, { students: STUDENTS });
	const workflow = await nights();
	const first = await workflow.run(BY_HAND);
	expect(first.execution.status).toBe('success');
	expect(await heldBy(bench.admin)).toEqual(expected);

	const applied = await rowsOf("SELECT key FROM roster_ledger WHERE state = 'applied'");
	expect(applied.map(({ key }) => key).sort()).toEqual(expected);
	const [run] = await rowsOf("SELECT state, sequence, service_id FROM roster_ledger WHERE kind = 'run'");
	expect(run).toMatchObject({ state: 'planned', sequence: '0' });

	const second = await workflow.run(EVERY_NIGHT);
	expect([second.execution.status, second.writes]).toEqual(['success', []]);
	const third = await workflow.run(EVERY_NIGHT, { tonight: 20 });
	expect(third.writes.filter(({ status }) => status > 299)).toEqual([]);
	const { users, bonds } = await bench.admin.rosterChanges({ tonight: 20 });
	// A responsible person is a user in each school of its students, and one person of the network.
	const people = new Set(users.new.map(({ external_id: id }) => id));
	expect(third.writes).toHaveLength(people.size + bonds.new.length + bonds.gone.length);
});
