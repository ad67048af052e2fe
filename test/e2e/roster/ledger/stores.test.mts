/** The two places of a ledger, each in a real n8n with its real database. */
import { randomUUID } from 'node:crypto';

import { capabilities } from '../../../../playground/capabilities.mts';
import { createCredential, tablePath } from '../../../../playground/n8n-client.mts';
import { ledgerRow, type LedgerRow, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row';
import { grantsFor, CREATE_TABLE } from '../../../../nodes/SchoolPartnerRoster/store/sql';
import type { StoreFailure } from '../../../../nodes/SchoolPartnerRoster/store/store';
import { LedgerDatabase } from '../../../support/ledger-database.mts';
import { Ground, probeWorkflow, type Place } from './ground.mts';
import type { Answer, Call } from './probe.mts';

let ground: Ground;
/** An n8n without Data Tables, and without the Postgres node. */
let bare: Ground;
let database: LedgerDatabase;
const places = {} as Record<Place['ledger'], Omit<Place, 'ledgerName'>>;

beforeAll(async () => {
	const without = { N8N_DISABLED_MODULES: 'data-table', NODES_EXCLUDE: '["n8n-nodes-base.postgres"]' };
	[database, ground, bare] = await Promise.all([
		LedgerDatabase.start(),
		Ground.start(),
		Ground.start(without),
	]);
	places.dataTable = { ledger: 'dataTable' };
	places.postgres = { ledger: 'postgres', credential: await database.credential(ground.session) };
});

afterAll(async () => {
	await ground?.n8n.stop();
	await bare?.n8n.stop();
	await database?.stop();
});

const LEASE: Partial<LedgerRow> = { kind: 'lease', key: 'lease', sequence: '0' };
const MADE: Call[] = [
	{ do: 'open', make: true },
	{ do: 'append', rows: [LEASE] },
];

function results(answers: Answer[]): unknown[] {
	return answers.map(({ result }) => (result.ok ? result.value : result.failure));
}

async function last(place: Place, ...calls: Call[]): Promise<unknown> {
	return results(await ground.ask(place, ...calls)).at(-1);
}

async function failureOf(on: Ground, place: Place, ...calls: Call[]): Promise<StoreFailure> {
	const { result } = (await on.ask(place, ...calls)).at(-1) as Answer;
	if (result.ok) throw new Error(`It gave ${JSON.stringify(result.value)}`);
	return result.failure;
}

describe.each(['dataTable', 'postgres'] as const)('a ledger in %s', (ledger) => {
	const place = (ledgerName: string): Place => ({ ...places[ledger], ledger, ledgerName });

	it('is made once and found from then on; looking makes nothing; n8n keeps and complains of nothing', async () => {
		const look: Call = { do: 'open', make: false };
		const complaints = await ground.complaintsDuring(async () => {
			const asked = await ground.ask(place('Once'), look, look, ...MADE, look, { do: 'open', make: true });
			expect(results(asked)).toEqual(['absent', 'absent', 'made', undefined, 'found', 'found']);
		});
		expect(complaints).toEqual([]);
	});

	it('keeps texts that look like expressions or SQL as they are', async () => {
		const texts = [
			'={{ 1+1 }}',
			'=$json.key',
			`'; drop table x; -- "`,
			'{{ $json }}, $1, $2',
			'\\u0000 \\n',
			'=',
			'São Paulo 🎓',
		];
		const rows = texts.map((text) => ({ kind: 'class', key: text, detail: text, state: text, run_id: text }));
		const asked = (await last(
			place('Texts'),
			...MADE,
			{ do: 'append', rows },
			{ do: 'rowsAfter', id: 0, limit: 100 },
		)) as StoredRow[];
		expect(asked.slice(1).map(({ id: _id, ...row }) => row)).toEqual(rows.map(ledgerRow));
		// The lease row goes another way: by conditions and expressions.
		const after = { ...LEASE, run_id: '={{ $json.after.key }}', detail: `'={{ 1 }}`, sequence: '1' };
		const free = { ...LEASE, sequence: '2' };
		const calls = [after, free].map((row): Call => ({ do: 'replaceLease', after: row }));
		const answers = await ground.ask(place('Texts'), calls[0], { do: 'leaseRows' }, calls[1], {
			do: 'leaseRows',
		});
		expect(results(answers)).toMatchObject([true, [after], true, [free]]);
	});

	it('lets exactly one of ten have the lease, and says so to the others', async () => {
		const taken = await ground.ask(place('Lease'), ...MADE, {
			do: 'replaceLease',
			times: 10,
			after: { ...LEASE, run_id: 'me', sequence: '1' },
		});
		expect(results(taken.slice(2)).sort()).toEqual([...Array.from({ length: 9 }, () => false), true]);
	});

	it('is one ledger when ten make it at once', async () => {
		const asked = await ground.ask(place('Together'), { do: 'open', make: true, times: 10 });
		const words = results(asked);
		expect(words.filter((word) => word !== 'found' && word !== 'made')).toEqual([]);
		if (ledger === 'dataTable') expect(words.filter((word) => word === 'made')).toEqual(['made']);
		expect(await last(place('Together'), { do: 'append', rows: [LEASE] }, { do: 'leaseRows' })).toHaveLength(
			1,
		);
	});

	it('is read to its end in ascending order, and removing a range leaves the lease', async () => {
		const many: Call = { do: 'append', rows: [{ kind: 'class', key: 'c:1|1' }], copies: 4_000 };
		const readAll: Call = { do: 'readAll', limit: 10_000 };
		const asked = await ground.ask(place('Many'), ...MADE, many, many, many, readAll, {
			do: 'rowsAfter',
			id: 0,
			limit: 1,
		});
		expect(results(asked)[5]).toEqual({ rows: 12_001, pages: 2, isAscending: true });
		const [{ id: first }] = results(asked)[6] as StoredRow[];
		const range: Call = { do: 'removeRange', from: first, to: first + 10_000 };
		const left = results(await ground.ask(place('Many'), range, readAll, { do: 'leaseRows' }));
		expect(left[1]).toEqual({ rows: 2_001, pages: 1, isAscending: true });
		expect(left[2]).toEqual([expect.objectContaining({ ...LEASE, id: first })]);
		const removed = await ground.ask(
			place('Many'),
			{ do: 'removeLease', id: first },
			{ do: 'removeLease', id: first + 11_000 },
			{ do: 'leaseRows' },
			readAll,
		);
		expect(results(removed)).toEqual([
			undefined,
			undefined,
			[],
			{ rows: 2_000, pages: 1, isAscending: true },
		]);
	});

	it('can be read while others add to it', async () => {
		const fill: Call = { do: 'append', rows: [{ kind: 'class', key: 'c:1|1' }], copies: 3_000 };
		expect(await last(place('Busy'), ...MADE, fill, { do: 'readWhileAdding', rows: 10 })).toEqual({
			reads: expect.any(Number),
		});
	});

	it('is not taken for another whose name holds its name', async () => {
		const names = ['Roster North', 'roster', 'The Roster', 'Roster_', '={{ `={` + `{ 1+1 }` + `}` }}'];
		for (const name of names) await ground.ask(place(name), ...MADE);
		expect(await last(place('Roster'), { do: 'open', make: false })).toBe('absent');
		if (ledger === 'dataTable') expect(await tablePath(ground.session, '={{ 1+1 }}')).toBeDefined();
		expect(await last(place('Roster'), ...MADE, { do: 'rowsAfter', id: 0, limit: 10 })).toHaveLength(1);
	});
});

it('says which text columns a table of the same name lacks', async () => {
	const columns = [...Object.keys(ledgerRow({})).filter((name) => name !== 'since'), 'name'].map((name) => ({
		name,
		type: name === 'at' ? 'date' : 'string',
	}));
	await ground.makeDataTable('Mine', columns);
	const failure = await failureOf(
		ground,
		{ ledger: 'dataTable', ledgerName: 'Mine' },
		{ do: 'open', make: true },
	);
	expect(failure).toMatchObject({ code: 'ledgerColumns', isPassing: false, effect: 'none' });
	expect(failure.message).toMatch(/"Mine".* since, at$/);
});

it('names the row that somebody else has put into the table', async () => {
	const rows = [{ kind: '', key: '' }];
	const failure = await failureOf(
		ground,
		{ ledger: 'dataTable', ledgerName: 'Foreign' },
		...MADE,
		{ do: 'append', rows },
		{ do: 'rowsAfter', id: 0, limit: 10 },
	);
	expect(failure).toMatchObject({ code: 'ledgerForeignRow', message: expect.stringContaining('Row 2 ') });
});

describe('in PostgreSQL', () => {
	/** A place for a user of PostgreSQL, in a database of its own. */
	async function placeFor(user: string, name = user): Promise<Place> {
		const data = {
			host: '127.0.0.1',
			port: database.port,
			user,
			database: name,
			password: 'not-a-secret',
			ssl: 'disable',
		};
		const credential = await createCredential(ground.session, { name: user, type: 'postgres', data });
		return { ledger: 'postgres', ledgerName: 'Roster', credential };
	}

	it('who may not create gets the SQL for somebody who may, which then is all it takes', async () => {
		await database.rows(`create role "o'Brien ""x""" login`);
		await database.rows('create database dba');
		const place = await placeFor(`o'Brien "x"`, 'dba');
		const open: Call = { do: 'open', make: true };
		const failure = await failureOf(ground, place, open);
		expect(failure).toMatchObject({ code: 'createRightMissing', isPassing: false });
		expect(failure.next).toContain(CREATE_TABLE);
		const owner = await database.another('dba');
		await owner.rows(CREATE_TABLE);
		const withoutRights = await failureOf(ground, place, open);
		expect(withoutRights).toMatchObject({ code: 'rightMissing', isPassing: false });
		expect(withoutRights.next).toContain(grantsFor(`o'Brien "x"`));
		await owner.rows(failure.next.slice(failure.next.indexOf('create table if')));
		expect(results(await ground.ask(place, ...MADE, open, { do: 'leaseRows' }))).toMatchObject([
			'made',
			undefined,
			'found',
			[LEASE],
		]);
		await owner.rows('alter table school_partner_roster drop column since');
		expect(await failureOf(ground, place, open)).toMatchObject({
			code: 'ledgerColumns',
			message: expect.stringContaining('since'),
		});
		await owner.stop();
	});

	it('a node without credential, a wrong one, and a server that is not there are told apart', async () => {
		const open: Call = { do: 'open', make: false };
		const none: Place = { ledger: 'postgres', ledgerName: 'Roster' };
		expect(await failureOf(ground, none, open)).toMatchObject({
			code: 'credentialMissing',
			isPassing: false,
		});
		const wrong = await placeFor('nobody');
		expect(await failureOf(ground, wrong, open)).toMatchObject({
			code: 'credentialRefused',
			isPassing: false,
		});
		const data = {
			host: '127.0.0.1',
			port: 9,
			user: 'x',
			database: 'x',
			password: 'not-a-secret',
			ssl: 'disable',
		};
		const away = await createCredential(ground.session, { name: 'away', type: 'postgres', data });
		const failure = await failureOf(ground, { ...none, credential: away }, open);
		expect(failure).toMatchObject({ code: 'databaseUnavailable', isPassing: true });
		const gone = { id: 'gone', name: 'gone', type: 'postgres' };
		expect(await failureOf(ground, { ...none, credential: gone }, open)).toMatchObject({
			code: 'credentialMissing',
		});
	});
});

it('says that Data Tables are switched off, or that a node is excluded', async () => {
	const open: Call = { do: 'open', make: true };
	const off = await failureOf(bare, { ledger: 'dataTable', ledgerName: 'Roster' }, open);
	expect(off).toMatchObject({ code: 'dataTablesOff', isPassing: false });
	const data = {
		host: '127.0.0.1',
		port: database.port,
		user: 'postgres',
		database: 'postgres',
		password: '',
		ssl: 'disable',
	};
	const credential = await createCredential(bare.session, { name: 'Ledger', type: 'postgres', data });
	const excluded = await failureOf(bare, { ledger: 'postgres', ledgerName: 'Roster', credential }, open);
	expect(excluded).toMatchObject({ code: 'nodeExcluded', isPassing: false });
	expect(await bare.keptRuns()).toEqual([...bare.runs].reverse());
});

it('a workflow that was never saved is run by no n8n', async () => {
	const id = randomUUID().slice(0, 16);
	const unsaved = probeWorkflow({ ledger: 'dataTable', ledgerName: 'Unsaved' }, [{ do: 'open', make: true }]);
	const body = { workflowData: { id, ...unsaved }, triggerToStartFrom: { name: 'Start' } };
	await expect(ground.session.request('POST', `/workflows/${id}/run`, body)).rejects.toThrow(
		capabilities.runsTheStoredDraft ? 'not found' : 'SharedWorkflow',
	);
});

it('of all that was run inside, n8n keeps nothing', async () => {
	expect((await ground.keptRuns()).sort()).toEqual([...ground.runs].sort());
});
