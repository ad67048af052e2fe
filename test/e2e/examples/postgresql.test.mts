/** "Keep the ledger in PostgreSQL", with a real PostgreSQL and the table that docs/roster.md says. */
import { readFileSync } from 'node:fs';

import { heldBy, networkOf } from '../../support/held.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';
import { BY_HAND, EVERY_NIGHT, Nights } from './nights.mts';
import { useExamples } from './support.mts';

const NAME = 'keep-the-ledger-in-postgresql';
const STUDENTS = 400;

const workroom = useExamples({ sandbox: { empty: true, students: STUDENTS } });

let database: LedgerDatabase;

beforeAll(async () => {
	database = await LedgerDatabase.start();
});
afterAll(async () => await database?.stop());

const rowsOf = async (sql: string) => await database.rows(sql);

async function nights(): Promise<Nights> {
	return await Nights.of(workroom, workroom.example(NAME, await database.credential(workroom.stage.session)));
}

const sqlOfThePage = () => /CREATE TABLE[\s\S]*?\);/.exec(readFileSync('docs/roster.md', 'utf8'))?.[0] ?? '';

test.each([
	['the table that docs/roster.md says', async () => void (await rowsOf(sqlOfThePage()))],
	['no table, so that the workflow makes it', async () => void (await rowsOf('DROP TABLE roster_ledger'))],
])(
	'a database with %s: the first load is there once, the next night sends nothing, and then what is different',
	async (_what, prepare) => {
		await prepare();
		const expected = await networkOf(workroom.admin, { students: STUDENTS });
		const workflow = await nights();
		const first = await workflow.run(BY_HAND);
		expect(first.execution.status).toBe('success');
		expect(await heldBy(workroom.admin)).toEqual(expected);

		const applied = await rowsOf("SELECT key FROM roster_ledger WHERE state = 'applied'");
		expect(applied.map(({ key }) => key).sort()).toEqual(expected);
		const [run] = await rowsOf("SELECT state, sequence, service_id FROM roster_ledger WHERE kind = 'run'");
		expect(run).toMatchObject({ state: 'planned', sequence: '0' });

		const second = await workflow.run(EVERY_NIGHT);
		expect([second.execution.status, second.writes]).toEqual(['success', []]);
		const third = await workflow.run(EVERY_NIGHT, { tonight: 20 });
		expect(third.writes.filter(({ status }) => status > 299)).toEqual([]);
		const { users, bonds } = await workroom.admin.rosterChanges({ tonight: 20 });
		// A responsible person is a user in each school of its students, and one person of the network.
		const people = new Set(users.new.map(({ external_id: id }) => id));
		expect(third.writes).toHaveLength(people.size + bonds.new.length + bonds.gone.length);
	},
);
