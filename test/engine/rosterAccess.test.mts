/** Record Access: the trigger's own items go into the ledger, whatever is under way. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { guid, userAccess, userAccessRevocation } from '../unit/trigger/sample-events.mts';

import { LEDGER, useOffice } from './rosterStage.mts';
import { useHosts } from './trigger-host.mts';
import { deliver } from './trigger-sender.mts';
import { wordsOf } from './workroom.mts';

/** Events that come while a night runs; `ACCESS_EVENTS=20000` is a first day of school. */
const EVENTS = Number(process.env.ACCESS_EVENTS ?? 200);

const office = useOffice();
const host = useHosts();

/** The items that the trigger starts a run with, for these deliveries. */
async function triggered(...bodies: object[]): Promise<INodeExecutionData[]> {
	const { url, runs } = await host();
	for (const body of bodies) expect(await deliver(url, { body })).toMatchObject({ status: 200 });
	return runs.flatMap((outputs) => outputs.flatMap((items) => items ?? []));
}

const record = async (items: INodeExecutionData[], more = {}) =>
	await office.run('recordAccess', { roster: items, ...more });

const accessRows = () => office.ledger.filter(({ kind }) => kind === 'access');

test('A grant and a revocation of the trigger become a row each, and an item that says what was recorded', async () => {
	await office.begin();
	const items = await triggered(userAccess(), userAccessRevocation(guid(2)));
	const { outputs } = await record(items);
	const ids = { user_id: guid(20), class_id: guid(12), since: '2026-03-09T12:30:00.000Z' };
	expect(outputs).toHaveLength(1);
	expect(outputs[0].map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
		[
			{
				...{ state: 'granted', key: 'u:school-1|stud-1', external_id: 'stud-1', ...ids },
				...{ school_external_id: 'school-1', class_external_id: 'class-5a' },
				...{ account_id: guid(21), tenant_id: guid(10), request_id: guid(1) },
			},
			{ item: 0 },
		],
		[
			{
				...{ state: 'revoked', key: `a:${guid(20)}`, external_id: '', ...ids },
				...{ school_external_id: '', class_external_id: '' },
				...{ account_id: '', tenant_id: '', request_id: guid(2) },
			},
			{ item: 1 },
		],
	]);
	expect(accessRows().map(({ key, state, service_id }) => [key, state, service_id])).toEqual([
		['u:school-1|stud-1', 'granted', guid(20)],
		[`a:${guid(20)}`, 'revoked', guid(20)],
	]);
	expect(JSON.stringify(accessRows())).not.toMatch(/Lia|Rui|2015|X-1|example/);
});

test('The items of an execution go out in one insert; nothing else of the ledger is read', async () => {
	await office.begin();
	const operations: string[] = [];
	office.tables.before = (operation) => void operations.push(operation);
	const items = Array.from({ length: 50 }, (_, index) => ({ json: userAccess(guid(100 + index)) }));
	expect((await record(items as unknown as INodeExecutionData[])).items).toHaveLength(50);
	expect(operations).toEqual(['list', 'insert']);
});

test('While a night runs, events are all recorded, and the night does what it would have done', async () => {
	await office.approve(await office.sync());
	let recorded: Promise<unknown> | undefined;
	const events = Array.from({ length: EVENTS }, (_, index) => {
		const { header, payload } = userAccess(guid(100 + index));
		const people = {
			...payload.structure_users,
			bond: { ...payload.structure_users.bond, user_id: guid(1000 + index) },
		};
		people.users = [{ ...people.users[0], id: guid(1000 + index), external_id: `stud-${index}` }];
		return { json: { header, payload: { ...payload, structure_users: people } } as unknown as IDataObject };
	});
	// They come when the night has its lease.
	office.tables.before = (operation) => {
		if (operation === 'update') recorded ??= Promise.all(events.map(async (event) => await record([event])));
	};
	const { summary } = await office.sync();
	await recorded;
	expect(recorded).toBeDefined();
	expect([summary.outcome, summary.counts]).toMatchObject([
		'done',
		{ class: { applied: 1 }, user: { applied: 4 }, bond: { applied: 3 } },
	]);
	expect(new Set(accessRows().map(({ key }) => key)).size).toBe(EVENTS);
	expect((await office.sync()).summary).toMatchObject({ outcome: 'nothing', holds: [] });
});

test('Its rows count in how large the ledger is, so that this is told before the Data Tables are full', async () => {
	await office.begin();
	await record([{ json: userAccess() as unknown as IDataObject }]);
	const [row] = accessRows();
	const rows = office.tables.rows(LEDGER);
	// Of 330 bytes each, more than half of 200 MiB.
	for (let n = 1; n <= 330_000; n += 1)
		rows.push({ ...row, id: row.id + n, key: `u:school-1|more-${n}`, service_id: `more-${n}` });
	const { attention } = await office.sync();
	expect(attention.map(({ code }) => code)).toContain('ledgerLarge');
});

test('An item that is no access event fails by its number, and nothing of the execution is recorded', async () => {
	await office.begin();
	const items = [{ json: userAccess() as unknown as IDataObject }, { json: { rows: 7 } }];
	const run = await record(items);
	expect(wordsOf(run).message).toBe('The item is no access event, or one that names no user [Item 1]');
	expect(wordsOf(run).description).toContain('School Partner Trigger');
	expect(accessRows()).toEqual([]);
	const continued = await record(items, { onError: 'continueErrorOutput' });
	expect(continued.outputs.map((each) => each.map(({ json }) => json.key ?? json.rows))).toEqual([
		['u:school-1|stud-1'],
		[7],
	]);
	expect(accessRows()).toHaveLength(1);
});

describe('An event that cannot be recorded is not lost', () => {
	const event = [{ json: userAccess() as unknown as IDataObject }];
	const trouble = () => {
		office.tables.before = (operation) => {
			if (operation === 'insert') throw new Error('Data table size limit exceeded');
		};
	};

	test('the execution fails, so that n8n shows it', async () => {
		await office.begin();
		trouble();
		const run = await record(event);
		expect([run.run.status, run.outputs.flat()]).toEqual(['error', []]);
		expect(wordsOf(run).message).toContain('size limit');
	});

	test('or leaves by the failure output with the whole event, where On Error says so', async () => {
		await office.begin();
		trouble();
		const { outputs } = await record(event, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toEqual([]);
		expect(outputs[1][0].json).toMatchObject({
			...userAccess(),
			error: expect.stringContaining('size limit') as string,
		});
	});

	test('before the first Sync it says what to do', async () => {
		const run = await record(event);
		expect(wordsOf(run).message).toContain('There is no ledger "School Partner Roster" yet');
		expect(wordsOf(run).description).toContain('Run Sync first');
		expect(office.tables.rows('School Partner Roster')).toEqual([]);
	});
});
