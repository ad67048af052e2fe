/** The table of the ledger, chosen or read otherwise than the page says: nothing is sent, and a person is told. */
import type { IDataObject } from 'n8n-workflow';

import { tableRows } from '../../../playground/n8n-client.mts';
import { Gate } from '../../support/gate.mts';

import { NightlyExample, READS_LEDGER, withNode, type Night, type Wiring } from './example.mts';
import { BEFORE_ROWS_OF_BATCH, useGround } from './first-load.mts';

const ground = useGround();
beforeEach(async () => await ground.sandbox.admin.reset());

/** The run before has ended, whatever the ledger says. */
const LATER = { unfinishedAfter: 0 };

const gates: Gate[] = [];
afterEach(async () => {
	for (const gate of gates.splice(0)) await gate.close();
});

const open = async (wiring?: Wiring) => await NightlyExample.open(ground.n8n, ground.sandbox, { wiring });
const writes = async () => await ground.sandbox.admin.countRequests({ path: '/integration' });
const reasonsOf = ({ summary }: Night) =>
	(summary.held_because as IDataObject[]).map(
		({ reason, what_to_do: next }) => `${String(reason)} ${String(next)}`,
	);

describe('Return All is off in the node that reads the ledger', () => {
	const first50: Wiring = (workflow) =>
		withNode(workflow, READS_LEDGER, ({ parameters }) => ({
			parameters: { ...parameters, returnAll: false, limit: 50 },
		}));

	test.each([
		['as it stands', {}],
		['also where a crash is to be gone on from', { afterInterruption: 'goOn' }],
	])('nothing is sent, and a person is told (%s)', async (_what, options) => {
		const example = await open(first50);
		await example.night();
		const sent = await writes();
		const next = await example.night({ ...LATER, ...options });
		expect(reasonsOf(next)).toEqual([expect.stringContaining('switch Return All on') as string]);
		expect(next.changes).toEqual([]);
		expect(next.findings.map(({ code }) => code)).toContain('ledgerFiftyRows');
		expect(await writes()).toBe(sent);
	});
});

describe('Another table has a name that holds that of the ledger', () => {
	test('made while a night is under way: the rows of that night still go into the ledger, and none into the other', async () => {
		const gate = await Gate.open();
		gates.push(gate);
		const example = await open((workflow) => gate.before(workflow, BEFORE_ROWS_OF_BATCH));
		const reached = gate.reached(2);
		const execution = await example.begin();
		await reached;
		const copy = `${example.table} of last year`;
		await example.addTable(copy);
		gate.letGo();
		const { said, changes } = await example.endOf(execution);
		expect(said).toBe('');
		expect(await tableRows(ground.n8n.session, copy)).toEqual([]);
		expect((await example.ledger()).filter(({ state }) => state === 'applied')).toHaveLength(changes.length);
	});

	test('there before: n8n says which table it cannot create, nothing is sent, and nothing is planned with the other', async () => {
		const example = await open();
		await example.night();
		const sent = await writes();
		await example.addTable(`${example.table} of last year`);
		const { said, changes } = await example.night();
		expect(said).toContain(`'${example.table}' already exists`);
		expect(changes).toEqual([]);
		expect(await writes()).toBe(sent);
	});
});

describe('Two kinds of ledger are mixed', () => {
	const ONE_SCHOOL = { userKeys: 'school', onlySchools: 'school-001' };

	test('one for all schools is read for one school, and the other way round: the plan stops, and nothing is sent', async () => {
		const [ofAll, ofSchools] = [await open(), await open()];
		await ofAll.night();
		await ground.sandbox.admin.reset();
		await ofSchools.night(ONE_SCHOOL);
		const sent = await writes();
		expect((await ofAll.night(ONE_SCHOOL)).said).toContain(
			'written for all schools together, and this run is for some schools only',
		);
		expect((await ofSchools.night({ userKeys: 'school' })).said).toContain('written one school at a time');
		expect(await writes()).toBe(sent);
	});

	test('in one table: the plan stops, and says to keep one for each', async () => {
		const [ofAll, ofSchools] = [await open(), await open()];
		await ofAll.night();
		await ground.sandbox.admin.reset();
		await ofSchools.night(ONE_SCHOOL);
		const sent = await writes();
		await ofAll.add(await ofSchools.ledger());
		expect((await ofAll.night(LATER)).said).toContain(
			'both for all schools together and one school at a time',
		);
		expect(await writes()).toBe(sent);
	});
});
