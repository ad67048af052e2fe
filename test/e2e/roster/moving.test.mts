/**
 * docs/ledger.md, step by step in a real n8n: a ledger is moved to PostgreSQL, saved, restored, lost, and made again. Then nights with the sandbox's own exports:
 * every format, with the ledger in a Data Table of n8n and in PostgreSQL.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { copiesOf } from '../../../nodes/SchoolPartnerRoster/night/compaction.ts';
import { LedgerReader, type Ledger } from '../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { readStoredRow, type StoredRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { Turns } from '../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { errorOf, tablePath, tableRows, type StoredCredential } from '../../../playground/n8n-client.mts';
import type { RosterFormat } from '../../../sandbox/roster-types.mts';
import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';
import { wired, type Step } from '../../support/wired.mts';

import { ROSTER, RosterStage, run, type Night } from './stage.mts';

const PAGE = readFileSync('docs/ledger.md', 'utf8');
const blocks = (language: string) =>
	[...PAGE.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text);
const [MAKE, MOVE] = blocks('sql');
const [DUMP, RESTORE] = blocks('bash');

/** Debian keeps some of PostgreSQL's programs off the PATH. */
const DEBIAN = '/usr/lib/postgresql';

let roster: RosterStage;
let database: LedgerDatabase;
let postgres: StoredCredential;
let folder: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'school-partner-ledger-'));
	database = await LedgerDatabase.start();
	roster = await RosterStage.set();
	postgres = await database.credential(roster.stage.session);
}, 240_000);
afterAll(async () => {
	await roster?.end();
	await database?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const written = async () => await roster.stage.sandbox.admin.requests({ path: '/integration' });

/** What the node needs beside its defaults for a ledger in PostgreSQL. */
function inPostgres(parameters: INodeParameters = {}): { parameters: INodeParameters; node: Partial<INode> } {
	const { id, name } = roster.stage.credential;
	const credentials = {
		schoolPartnerOAuth2Api: { id, name },
		postgres: { id: postgres.id, name: postgres.name },
	};
	return { parameters: { ledger: 'postgres', ...parameters }, node: { credentials } };
}

const exported = async (tonight: number) => await roster.network.admin.roster('oneroster-1.2', { tonight });

async function night(tonight: number, options: Parameters<RosterStage['night']>[1] = {}): Promise<Night> {
	return await roster.night(await exported(tonight), options);
}

/** The workflow as the page's table has it. */
async function movingWorkflow(): Promise<Parameters<typeof run>[1]> {
	const table = String(await tablePath(roster.stage.session, ROSTER))
		.split('/')
		.at(-1);
	const credentials = { postgres: { id: postgres.id, name: postgres.name } };
	const sql = (name: string, query: string, from: string): Step => ({
		...{ name, type: 'n8n-nodes-base.postgres', typeVersion: 2.6, credentials, from: [from] },
		parameters: { operation: 'executeQuery', query, options: {} },
	});
	const steps: Step[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		sql('Make', MAKE, 'Start'),
		{
			...{ name: 'Rows', type: 'n8n-nodes-base.dataTable', from: ['Make'] },
			parameters: {
				operation: 'get',
				dataTableId: { __rl: true, mode: 'id', value: table },
				returnAll: true,
			},
		},
		{
			...{ name: 'Insert', type: 'n8n-nodes-base.postgres', typeVersion: 2.6, credentials, from: ['Rows'] },
			parameters: {
				operation: 'insert',
				schema: { __rl: true, mode: 'name', value: 'public' },
				table: { __rl: true, mode: 'name', value: 'school_partner_roster_moving' },
				columns: { mappingMode: 'autoMapInputData', value: {} },
				options: {},
			},
		},
		{ ...sql('Move', MOVE, 'Insert'), executeOnce: true },
	];
	return { name: 'Move the ledger', ...wired(steps), settings: { executionOrder: 'v1' } };
}

/** A command of the page, as a person types it. */
function shell(command: string): void {
	const programs = readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'));
	const PATH = [process.env.PATH, ...programs].join(delimiter);
	const place = {
		PGHOST: '127.0.0.1',
		PGPORT: String(database.port),
		PGUSER: 'postgres',
		PGDATABASE: 'postgres',
	};
	execFileSync('sh', ['-ec', command], { cwd: folder, env: { ...process.env, PATH, ...place } });
}

async function ledgerOf(rows: readonly object[]): Promise<Ledger> {
	const reader = new LedgerReader();
	for (const row of rows) reader.take(readStoredRow({ ...row }) as StoredRow);
	return await reader.ledger(new Turns({ pause: async () => undefined, clock: Date.now }));
}

/** What the rows of a ledger say, whatever their ids. */
async function meaning(rows: readonly object[]): Promise<unknown> {
	const { entries, decisions, lastRun } = await ledgerOf(rows);
	const { approvals, resolutions } = decisions;
	return {
		records: [...entries.values()].map(({ key, there, fields }) => [key, there, fields].join(' ')).sort(),
		approved: [...approvals.keys()].filter((id) => decisions.isApproved(id, Date.now())),
		resolved: [...resolutions.keys()].map((key) => [key, entries.get(key)?.isAccepted]),
		lastRun: lastRun?.run_id,
	};
}

const MOVED = "select * from school_partner_roster where ledger = 'School Partner Roster' order by id";

test('a ledger in a Data Table is moved by the workflow of the page, and means the same', async () => {
	await roster.approve(await night(0));
	expect((await night(0)).summary).toMatchObject({ holds: [] });
	const before = await meaning(await tableRows(roster.stage.session, ROSTER));

	expect(errorOf(await run(roster.stage.session, await movingWorkflow()))).toBeUndefined();
	expect(await meaning(await database.rows(MOVED))).toEqual(before);
});

test('a second move does nothing', async () => {
	const rows = await database.rows(MOVED);
	expect(errorOf(await run(roster.stage.session, await movingWorkflow()))?.message).toMatch(/lease|unique/);
	expect(await database.rows(MOVED)).toEqual(rows);
});

test('nights go on in PostgreSQL: the same roster sends nothing, the next what has changed', async () => {
	const before = (await written()).length;
	expect(await night(0, inPostgres({ operation: 'preview' }))).toMatchObject({ changes: [], said: '' });
	expect(await night(0, inPostgres())).toMatchObject({ changes: [], said: '' });
	expect(await written()).toHaveLength(before);

	shell(DUMP);
	const { changes, said } = await night(12, inPostgres());
	expect([said, changes.length > 0]).toEqual(['', true]);
	expect((await written()).slice(before)).toHaveLength(changes.length);
	expect((await night(12, inPostgres())).changes).toEqual([]);
});

test('rows that were removed are missed: held, until they are back', async () => {
	await database.rows('create table kept as table school_partner_roster');
	await database.rows("delete from school_partner_roster where kind = 'bond'");
	const before = (await written()).length;
	const { summary } = await night(12, inPostgres());
	expect(summary).toMatchObject({
		outcome: 'held',
		holds: [{ reason: expect.stringMatching(/has lost \d+ of/) }],
	});
	await database.rows('insert into school_partner_roster select * from kept on conflict do nothing');
	expect((await night(12, inPostgres())).changes).toEqual([]);
	expect(await written()).toHaveLength(before);
});

test('rows that were put back where their ids are still to be given stop the night, with the words that mend it', async () => {
	const before = (await written()).length;
	await database.rows("select setval(pg_get_serial_sequence('school_partner_roster', 'id'), 1)");
	const { said } = await night(13, inPostgres());
	expect(said).toContain('The ids that the table of the ledger gives next are taken');
	const [mend] = /select setval.*;/.exec(said) ?? [''];
	await database.rows(mend);
	expect(await written()).toHaveLength(before);
	expect((await night(12, inPostgres())).changes).toEqual([]);
});

test('one row that was removed is missed too, and what it said is uncertain until somebody settles it', async () => {
	const key = (await heldBy(roster.stage.sandbox.admin)).find((each) => each.startsWith('b:'));
	await database.rows(`delete from school_partner_roster where key = '${key}'`);
	const { attention, changes } = await night(12, inPostgres());
	expect(changes).toEqual([]);
	expect(attention).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ code: 'ledgerCut' }),
			expect.objectContaining({ code: 'uncertain', key }),
		]),
	);
	await roster.decide(
		[{ key, is: 'inService', by: 'Ana' }],
		{ operation: 'resolve', ledger: 'postgres' },
		inPostgres().node,
	);
	const settled = await night(12, inPostgres());
	await roster.approve(settled, { ledger: 'postgres' }, inPostgres().node);
	expect((await night(12, inPostgres())).changes).toMatchObject([{ key, action: 'note' }]);
	expect(await night(12, inPostgres())).toMatchObject({ changes: [], summary: { holds: [] } });
});

test('a part of a network is taken over under a name of its own', async () => {
	const before = (await written()).length;
	const part = { ledgerName: 'Part', options: { onlySchools: 'school-002' } };
	expect((await night(12, inPostgres({ ...part, operation: 'takeOver' }))).said).toBe('');
	expect(await night(12, inPostgres(part))).toMatchObject({ changes: [], said: '' });
	expect(await written()).toHaveLength(before);
});

test('a backup of an earlier night is restored and taken up: what the service has is ours, and nothing is there twice', async () => {
	const before = await heldBy(roster.stage.sandbox.admin);
	shell(RESTORE);
	const adopting = inPostgres({ options: { existing: 'adopt', existsStatuses: '409' } });
	const { changes, said } = await night(12, adopting);
	expect([said, changes.length > 0]).toEqual(['', true]);
	expect(changes.filter(({ state }) => state !== 'applied' && state !== 'removed')).toEqual([]);
	expect(await heldBy(roster.stage.sandbox.admin)).toEqual(before);
	expect((await night(12, inPostgres())).changes).toEqual([]);
});

test('a ledger that is lost is held as a first run, and is made again from the last roster', async () => {
	await database.rows('drop table school_partner_roster');
	const before = (await written()).length;
	expect((await night(12, inPostgres())).summary).toMatchObject({
		outcome: 'held',
		holds: [{ reason: expect.stringContaining('first run') }],
	});
	expect((await night(12, inPostgres({ operation: 'takeOver' }))).said).toBe('');
	expect(await night(12, inPostgres())).toMatchObject({ changes: [], said: '' });
	expect(await written()).toHaveLength(before);
});

test('a ledger that was made short means the same after a move, with what a person has decided since', async () => {
	const rows = (await database.rows(MOVED)).map((row) => readStoredRow(row) as StoredRow);
	const short = copiesOf(await ledgerOf(rows), Date.now()).map(({ row }) => row);
	const last = Math.max(...rows.map(({ id }) => id));
	const key = rows.find(({ kind }) => kind === 'bond')?.key ?? '';
	const decided = { ...short[0], kind: 'resolve', key, state: 'inService', detail: '{"by":"Ana"}' };
	// Added while the copies were made: its id is lower than theirs, and it counts more than what they are copies of.
	const all = [decided, ...short].map((row, place) => ({ ...row, id: last + 1 + place }));

	await database.rows(MAKE);
	const json = JSON.stringify(all).replaceAll("'", "''");
	await database.rows(
		`insert into school_partner_roster_moving select * from json_populate_recordset(null::school_partner_roster_moving, '${json}')`,
	);
	await database.rows(MOVE.replace("'School Partner Roster'", "'Short'"));
	const moved = await database.rows("select * from school_partner_roster where ledger = 'Short' order by id");
	expect(await meaning(moved)).toEqual(await meaning(all));
	expect(await meaning(moved)).toMatchObject({ resolved: [[key, true]] });
	expect(moved.filter(({ detail }) => String(detail).includes('"of"'))).toEqual([]);
});

const TONIGHT = 12;

const PLACES: Array<[string, string, RosterFormat[]]> = [
	["n8n's Data Table", 'dataTable', ['oneroster-1.2', 'sds']],
	['PostgreSQL', 'postgres', ['oneroster-1.1']],
];

function keysOf(changes: readonly IDataObject[], action: string, kind: string): string[] {
	return changes
		.filter((change) => change.action === action && change.kind === kind)
		.map(({ key }) => String(key))
		.sort();
}

describe.each(PLACES)('With the ledger in %s', (_name, kind, formats) => {
	describe.each(formats)('a network that exports %s', (format) => {
		const parameters = { ledger: kind, ledgerName: `Ledger of ${format}` };
		let node: Partial<INode>;
		let first: Night;
		const night = async (tonight: number, operation = 'sync') =>
			await roster.night(await roster.network.admin.roster(format, { tonight }), {
				parameters: { ...parameters, operation },
				node,
			});

		beforeAll(async () => {
			await roster.stage.sandbox.admin.reset();
			node = kind === 'postgres' ? inPostgres().node : {};
		});

		test('is held in its first night, and nothing is sent', async () => {
			first = await night(0);
			expect(first.said).toBe('');
			expect(first.summary).toMatchObject({ outcome: 'held', holds: [{ school_external_id: '' }] });
			expect(await written()).toEqual([]);
		});

		test('has after its approval exactly its classes, users and bonds', async () => {
			await roster.approve(first, parameters, node);
			const { summary, changes, said } = await night(0);
			expect(said).toBe('');
			const network = await networkOf(roster.network.admin);
			expect(changes.map(({ action, key, state }) => [action, state, key].join(' ')).sort()).toEqual(
				network.map((key) => `create applied ${key}`),
			);
			expect(summary).toMatchObject({ outcome: expect.stringMatching(/done|attention/), holds: [] });
			expect(await heldBy(roster.stage.sandbox.admin)).toEqual(network);
		});

		test('has nothing to do when the same roster comes again: no change, no request that writes', async () => {
			const before = (await written()).length;
			const { changes, summary } = await night(0);
			expect(changes).toEqual([]);
			expect(summary).toMatchObject({ holds: [], changes: 0 });
			expect(await written()).toHaveLength(before);
		});

		test('is followed the night after: what Preview says, exactly what has changed, once', async () => {
			const known = await roster.network.admin.rosterChanges({ tonight: TONIGHT });
			const before = (await written()).length;
			const previewed = await night(TONIGHT, 'preview');
			expect(await written()).toHaveLength(before);
			const { changes, said } = await night(TONIGHT);
			expect(said).toBe('');
			expect(previewed.changes.map(({ key }) => key).sort()).toEqual(changes.map(({ key }) => key).sort());
			expect(keysOf(changes, 'create', 'bond')).toEqual(known.bonds.new.map(bondKey).sort());
			expect(keysOf(changes, 'remove', 'bond')).toEqual(known.bonds.gone.map(bondKey).sort());
			expect(keysOf(changes, 'create', 'user')).toHaveLength(known.users.new.length);
			expect((await written()).slice(before)).toHaveLength(changes.length);
			expect((await night(TONIGHT)).changes).toEqual([]);
		});
	});
});
