/** The nightly workflow, wired or used otherwise than the page says: it is noticed at once or by the next plan, and nothing is sent twice unseen. */
import type { IDataObject } from 'n8n-workflow';

import {
	createCredential,
	stopExecution,
	waitForExecution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startSandbox } from '../../../sandbox/start.mts';
import { until } from '../../support/eventually.mts';
import { Gate, type Place } from '../../support/gate.mts';
import { heldBy } from '../../support/held.mts';
import { machineAccess } from '../../support/stage.mts';

import {
	APPLY,
	doublesIn,
	keysByState,
	NightlyExample,
	PLAN,
	withNode,
	WRITES_BATCH,
	WRITES_PLAN,
	type ExampleOptions,
	type Night,
	type Wiring,
} from './example.mts';
import { BEFORE_ROWS_OF_BATCH, BEFORE_ROWS_OF_PLAN, useGround } from './first-load.mts';

const ground = useGround();
beforeEach(async () => await ground.sandbox.admin.reset());

/** The run before has ended, whatever the ledger says. */
const LATER = { unfinishedAfter: 0 };
const AFTER_A_CRASH = { ...LATER, afterInterruption: 'goOn' };

const open = async (wiring?: Wiring, options: ExampleOptions = {}) =>
	await NightlyExample.open(ground.n8n, ground.sandbox, { wiring, ...options });
const writes = async () => await ground.sandbox.admin.countRequests({ path: '/integration' });
const inService = async () => await heldBy(ground.sandbox.admin);
const reasonsOf = ({ summary }: Night) =>
	(summary.held_because as IDataObject[]).map(
		({ reason, what_to_do: next }) => `${String(reason)} ${String(next)}`,
	);

const gates: Gate[] = [];
afterEach(async () => {
	for (const gate of gates.splice(0)) await gate.close();
});

interface HeldNight {
	example: NightlyExample;
	gate: Gate;
	execution: string;
}

/** A night that has come to a place for the nth time, and is held there. */
async function heldNight(place: Place, nth = 1, wiring: Wiring = (workflow) => workflow): Promise<HeldNight> {
	const gate = await Gate.open();
	gates.push(gate);
	const example = await open((workflow) => gate.before(wiring(workflow), place));
	const reached = gate.reached(nth);
	const execution = await example.begin();
	await reached;
	return { example, gate, execution };
}

/** The column is not there while the run goes on, as after a mistake in the table's editor. */
async function endedWithoutColumn({ example, gate, execution }: HeldNight): Promise<Night> {
	await example.renameColumn('detail', 'details');
	gate.letGo();
	const night = await example.endOf(execution);
	await example.renameColumn('details', 'detail');
	return night;
}

/** The loop above the node that writes the plan's rows: n8n runs it first, to its end. */
function naive(workflow: WorkflowInput): WorkflowInput {
	const lowest = Math.max(...workflow.nodes.map(({ position }) => position[1]));
	return withNode(workflow, WRITES_PLAN, ({ position }) => ({ position: [position[0], lowest + 200] }));
}

describe('The rows of the plan are written after its changes are applied: the loop stands higher on the canvas', () => {
	test('nothing is sent, and the message says what to move where', async () => {
		const example = await open(naive);
		const { said } = await example.night();
		expect(said).toContain('The rows of this plan have not been written into the ledger');
		expect(said).toContain('higher on the canvas than the loop');
		expect(await writes()).toBe(0);
	});

	test('interrupted where something else has run in between, the next plan stops and names the run', async () => {
		const gate = await Gate.open();
		const example = await open((workflow) => {
			// A node that only looks at the changes runs before the loop: nobody can see that it is not the one that writes.
			return gate.before(naive(workflow), { node: PLAN, output: 0 });
		});
		const execution = await example.begin();
		await until(async () => (await example.ledger()).length >= 2);
		await stopExecution(ground.n8n.session, execution);
		await waitForExecution(ground.n8n.session, execution);
		await gate.close();
		const sent = await writes();
		const { said } = await example.night(AFTER_A_CRASH);
		expect(said).toContain('not the one that says what that run had planned');
		expect(said).toContain('must be written into the table before Apply Changes begins');
		expect(await writes()).toBe(sent);
	});
});

describe('A node is executed alone in the editor', () => {
	test('Execute Step on Apply Changes sends nothing: the rows of the plan were not written on the way to it', async () => {
		const example = await open();
		const { said } = await example.endOf(await example.begin({}, APPLY));
		expect(said).toContain('The rows of this plan have not been written into the ledger');
		expect(await writes()).toBe(0);
		expect(await example.ledger()).toEqual([]);
	});

	test('neither does it with what Plan Changes gave in the execution before, which the editor keeps', async () => {
		const example = await open();
		const before = await example.night();
		const sent = await writes();
		const { said } = await example.endOf(await example.stepAgain(APPLY, before.execution));
		expect(said).toContain('These changes were planned in another execution');
		expect(await writes()).toBe(sent);
	});

	test('nor with data of Plan Changes that is pinned', async () => {
		const example = await open();
		const { changes } = await example.night();
		const sent = await writes();
		const pinned = await open((workflow) => ({
			...workflow,
			pinData: { [PLAN]: changes.map((json) => ({ json })) },
		}));
		expect((await pinned.night()).said).toContain('unpin it');
		expect(await writes()).toBe(sent);
	});
});

describe('A node that writes into the ledger fails', () => {
	test('in between: the run ends, the next plan is held, and of what is uncertain nothing is sent again', async () => {
		const held = await heldNight(BEFORE_ROWS_OF_BATCH, 2);
		const { example } = held;
		const failed = await endedWithoutColumn(held);
		expect(failed.execution.status).toBe('error');
		const sent = await inService();
		const next = await example.night(LATER);
		expect(reasonsOf(next)).toEqual([expect.stringContaining('did not come to its end') as string]);
		expect(next.held.length).toBeGreaterThan(0);
		expect(await inService()).toEqual(sent);
		await example.night(AFTER_A_CRASH);
		expect(doublesIn(await inService())).toEqual([]);
	});

	test('in between, and is set to go on: the next plan is held, sends nothing, and says which rows to write first; then it knows what was done', async () => {
		const held = await heldNight(BEFORE_ROWS_OF_BATCH, 2, (workflow) =>
			withNode(workflow, WRITES_BATCH, () => ({ onError: 'continueRegularOutput' })),
		);
		const { example } = held;
		const went = await endedWithoutColumn(held);
		expect(went.said).toBe('');
		const sent = await inService();
		const next = await example.night(LATER);
		expect(reasonsOf(next)).toEqual([
			expect.stringContaining(
				'write those first that the executions since then have on the outputs Ledger Rows',
			) as string,
		]);
		expect(await inService()).toEqual(sent);
		await example.add(went.rows.filter(({ sequence }) => Number(sequence) > 25));
		expect((await example.night(LATER)).changes).toEqual([]);
	});

	test('before the first batch, and is set to go on: the next plan stops, and names the run whose rows are missing', async () => {
		const careless: Wiring = (workflow) =>
			withNode(workflow, WRITES_PLAN, () => ({ onError: 'continueRegularOutput' }));
		const { example, gate, execution } = await heldNight(BEFORE_ROWS_OF_PLAN, 1, careless);
		await example.renameColumn('detail', 'details');
		await ground.sandbox.admin.changeSettings({ latencyMs: 3_000 });
		gate.letGo();
		await until(async () => (await ground.sandbox.admin.requestLog({ path: '/integration' })).inFlight > 0);
		await example.renameColumn('details', 'detail');
		await ground.sandbox.admin.changeSettings({ latencyMs: 0 });
		expect((await example.endOf(execution)).said).toBe('');
		const sent = await writes();
		const { said } = await example.night(LATER);
		expect(said).toContain('must be written into the table before Apply Changes begins');
		expect(await writes()).toBe(sent);
	});
});

describe('An execution is retried from the list of executions', () => {
	test('which failed when rows of a batch were written: they are written now, and nothing more is sent', async () => {
		const held = await heldNight(BEFORE_ROWS_OF_BATCH, 2);
		const { example, execution } = held;
		await endedWithoutColumn(held);
		const sent = await writes();
		const { said } = await example.endOf(await example.retry(execution));
		expect(said).toContain('This execution is retried');
		expect(said).toContain('Start the workflow anew instead');
		expect(await writes()).toBe(sent);
		await example.night(AFTER_A_CRASH);
		expect(doublesIn(await inService())).toEqual([]);
	});

	test('which failed before the plan: it is not planned with rows of the ledger that may be old, and no row is written', async () => {
		const example = await open();
		await ground.sandbox.admin.addFault({ path: '/data', times: 1 }, { status: 403 });
		const failed = await example.night();
		expect(failed.said).toContain('The service could not be asked');
		const { said } = await example.endOf(await example.retry(failed.execution.id));
		expect(said).toContain('This execution is retried');
		expect([await writes(), await example.ledger()]).toEqual([0, []]);
	});
});

test("Retry On Fail is on in the settings of Apply Changes: it says so, and n8n's tries send nothing", async () => {
	const example = await open((workflow) =>
		withNode(workflow, APPLY, () => ({ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 })),
	);
	const { said } = await example.night();
	expect(said).toContain('Retry On Fail is on');
	expect(said).toContain('Switch it off under Settings');
	expect(await writes()).toBe(0);
});

test('Apply Changes has the credential of another service than Plan Changes: nothing is sent to either, it says so, and all of it comes again', async () => {
	const other = await startSandbox({ students: 1, empty: true });
	const { id, name } = await createCredential(ground.n8n.session, {
		name: 'Another service',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(other),
	});
	const example = await open((workflow) =>
		withNode(workflow, APPLY, () => ({ credentials: { schoolPartnerOAuth2Api: { id, name } } })),
	);
	const { changes, rows, said, execution } = await example.night();
	expect(said).toBe('');
	// What needs another that failed is blocked.
	expect([...new Set(rows.map(({ state }) => state))].sort()).toEqual(['blocked', 'failed']);
	const failed = (execution.data.resultData.runData[APPLY] ?? []).flatMap(({ data }) => data?.main[1] ?? []);
	const told = failed.flatMap(({ json }) =>
		json.state === 'failed' ? String(json.error).split('\n')[0] : [],
	);
	expect(new Set(told)).toEqual(
		new Set([
			'These changes were planned with the credential of another service or of another client than the one of this node',
		]),
	);
	expect([await writes(), await other.admin.countRequests({ path: '/integration' })]).toEqual([0, 0]);
	await other.stop();
	expect((await example.planned()).changes.map(({ key }) => key)).toEqual(changes.map(({ key }) => key));
});

describe('Two runs at once', () => {
	test('where the second begins while the first is applied: it stops, and sends nothing', async () => {
		const { example, gate, execution: first } = await heldNight(BEFORE_ROWS_OF_BATCH, 2);
		const sent = await writes();
		const second = await example.night();
		expect(second.said).toContain('it may still be under way');
		expect(second.said).toContain('Wait for its end');
		expect(await writes()).toBe(sent);
		gate.letGo();
		expect((await example.endOf(first)).said).toBe('');
		expect(doublesIn(await inService())).toEqual([]);
	});

	test('where both have planned before either has written: what is there twice is seen, the next plan is held and says where to look', async () => {
		const { example, gate, execution: first } = await heldNight(BEFORE_ROWS_OF_PLAN);
		const second = await example.night();
		gate.letGo();
		await example.endOf(first);
		expect(second.said).toBe('');
		const sent = await writes();
		const { said, findings } = await example.night(LATER);
		expect(said).toBe('');
		expect(findings).toContainEqual(
			expect.objectContaining({
				message: expect.stringContaining('two ran at once') as string,
				what_to_do: expect.stringContaining('Look into the service') as string,
			}),
		);
		expect(await writes()).toBe(sent);
	});
});

describe('The loop', () => {
	/** Changes go from the plan to Apply Changes. */
	function withoutLoop(workflow: WorkflowInput): WorkflowInput {
		const main = structuredClone(workflow.connections[PLAN].main);
		main[0] = [{ node: APPLY, type: 'main', index: 0 }];
		const down = withNode(workflow, APPLY, ({ position }) => ({
			position: [position[0], position[1] + 1_000],
		}));
		return { ...down, connections: { ...workflow.connections, [PLAN]: { main } } };
	}

	test('is not there: nothing is sent, and the message says what to put where', async () => {
		const { said } = await (await open(withoutLoop)).night();
		expect(said).toContain('more than one batch');
		expect(said).toContain('Put Loop Over Items in front of this node');
		expect(await writes()).toBe(0);
	});

	test('takes more items than a batch has: nothing is sent', async () => {
		const example = await open(undefined, { batchSize: 25, loopSize: 40 });
		expect((await example.night()).said).toContain('with the same batch size as in Plan Changes');
		expect(await writes()).toBe(0);
	});

	test('takes fewer items than a batch has, so that one of its turns has two batches: that turn is not sent, and nothing is sent twice', async () => {
		const example = await open(undefined, { batchSize: 25, loopSize: 10 });
		expect((await example.night()).said).toContain('with the same batch size as in Plan Changes');
		expect(await writes()).toBe(20);
		expect((await example.ledger()).filter(({ state }) => state === 'applied')).toHaveLength(20);
		await example.night(AFTER_A_CRASH);
		expect(doublesIn(await inService())).toEqual([]);
	});

	test('takes parts of batches: everything is done once all the same', async () => {
		const example = await open(undefined, { batchSize: 25, loopSize: 5 });
		expect((await example.night()).said).toBe('');
		expect(doublesIn(await inService())).toEqual([]);
		expect(Object.keys(keysByState(await example.ledger()))).toEqual(['applied']);
		expect((await example.night()).changes).toEqual([]);
	});
});
