/** What else starts or ends a night in n8n, beside its schedule: whatever it is, nothing is sent twice and nothing is lost. Kills, and runs that start in the same instant: `npm run crash`. */
import type { INode } from 'n8n-workflow';

import {
	activateWorkflow,
	createWorkflow,
	listExecutions,
	publicApi,
	runManually,
	stopExecution,
	waitForExecution,
	waitForExecutions,
	waitForNextExecution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { until } from '../../../playground/eventually.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';

import { ADOPTS, Load, Network, uncertainIn, type LoadOptions } from './load.mts';
import { nightOf, ROSTER, type Night } from './stage.mts';
import { outcomesOf } from './together.mts';
import { expectRest, lookAt, tableOf } from './wreck.mts';

const SCHEDULE = 'Schedule';

let n8n: LastingN8n;
let network: Network;
let loads: Record<'there' | 'retried' | 'scheduled' | 'stopped' | 'limited', Load>;

/** What is printed in the end. */
const table: string[][] = [];

function tell(way: string, { said, summary }: Night, writes: number): void {
	const outcome = said === '' ? String(summary.outcome ?? 'no output') : said.split('\n')[0];
	table.push([way, outcome, String(writes)]);
}

beforeAll(async () => {
	[n8n, network] = await Promise.all([LastingN8n.start(), Network.start({ students: 60, schools: 3 })]);
	const open = async (name: string, given: Partial<LoadOptions> = {}) =>
		await Load.open(n8n, { name, network, sandbox: { duplicates: 'double' }, ...given });
	loads = {
		there: await open('There', { options: { holdCreationsFrom: 1, holdRemovalsFrom: 1 } }),
		retried: await open('Retry On Fail', { node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } }),
		scheduled: await open('Schedules'),
		stopped: await open('Stopped', { sandbox: { duplicates: 'refuse' }, options: ADOPTS }),
		limited: await open('Limited'),
	};
	await Promise.all(Object.values(loads).map(async (load) => await load.approveFirst()));
});

afterAll(async () => {
	await n8n?.end();
	for (const load of Object.values(loads ?? {})) await load.close();
	await network?.stop();
	console.log(tableOf(['way', 'the node says', 'requests'], table));
});

/** Of what is done, how many requests that write came to the service. */
async function during<T>(load: Load, work: () => Promise<T>): Promise<{ value: T; writes: number }> {
	const before = await load.writes();
	const value = await work();
	return { value, writes: (await load.writes()) - before };
}

async function expectWhole(load: Load): Promise<void> {
	expect(await load.held()).toEqual(network.keys);
	expect(uncertainIn(await load.rows())).toEqual([]);
}

describe('A network that is there', () => {
	let load: Load;
	let workflowId: string;

	beforeAll(async () => {
		load = loads.there;
		workflowId = await load.save();
		const [id] = await load.startTogether(workflowId, 1);
		expect((await load.end(id)).said).toBe('');
		await expectWhole(load);
	});

	test('gets nothing again when the node alone is executed', async () => {
		const [id] = await load.startTogether(workflowId, 1);
		const { execution } = await load.end(id);
		const { [ROSTER]: own, ...before } = execution.data.resultData.runData;
		const { value, writes } = await during(load, async () => {
			const step = await runManually(n8n.session, workflowId, {
				...{ trigger: 'Start', destination: ROSTER, runData: before },
			});
			return await load.end(step);
		});
		expect(own).toBeDefined();
		expect([value.said, value.summary.changes, writes]).toEqual(['', 0, 0]);
		tell('Execute step, on what the node before has kept', value, writes);
	});

	test('gets nothing again from pinned data, before the node or on it', async () => {
		const workflow = await load.workflow();
		const items = [{ json: { kind: 'class' } }];
		for (const [name, pinData] of [
			['Pinned data of the roster node', { [ROSTER]: items }],
			['Pinned data before it, which hold no file', { Export: items }],
		] as const) {
			const { id } = await createWorkflow(n8n.session, { ...workflow, pinData } as WorkflowInput);
			const { value, writes } = await during(load, async () => {
				return await load.end(await runManually(n8n.session, id, { trigger: 'Start' }));
			});
			expect(writes).toBe(0);
			tell(name, value, writes);
		}
	});

	test('is held when an old export comes again', async () => {
		const later = await load.night(8);
		if (later.summary.outcome === 'held') await load.approve(later);
		await load.night(8);
		const { value, writes } = await during(load, async () => await load.night(0));
		const { holds } = value.summary as { holds: Array<{ reason: string }> };
		expect(holds.map(({ reason }) => reason).join()).toContain('that of an earlier night');
		expect(writes).toBe(0);
		tell('The export of an earlier night', value, writes);
	});

	test('gets nothing when an execution that failed is retried', async () => {
		const failing = withSchedule(await load.workflow(), 5);
		for (const node of failing.nodes)
			if (node.name === 'Export') node.parameters = { ...node.parameters, url: network.garbage() };
		const { id } = await createWorkflow(n8n.session, failing);
		await activateWorkflow(n8n.session, id);
		const failed = nightOf(await waitForNextExecution(n8n.session, id, undefined));
		await n8n.session.request('POST', `/workflows/${id}/deactivate`, {});
		expect(failed.said).not.toBe('');
		const api = await publicApi(n8n.session, ['execution:retry']);
		const { value, writes } = await during(load, async () => {
			const retried = await api<{ id: string }>('POST', `/executions/${failed.execution.id}/retry`);
			return await load.end(String(retried.id));
		});
		expect(value.said).toContain('retried');
		expect(writes).toBe(0);
		tell('Retry of an execution that failed', value, writes);
	});
});

describe('A first load', () => {
	test('that fails before it sends is done by Retry On Fail', async () => {
		const load = loads.retried;
		await load.sandbox.admin.addFault({ method: 'GET', pathPattern: '.', times: 1 }, { status: 400 });
		const { value, writes } = await during(load, async () => await load.night());
		const [fault] = (await load.sandbox.admin.faults()).filter(({ match }) => match.method === 'GET');
		expect([value.said, fault.used, writes]).toEqual(['', 1, network.keys.length]);
		await expectWhole(load);
		tell('Retry On Fail', value, writes);
	});

	test('that two schedules start is sent once', async () => {
		const load = loads.scheduled;
		const workflows = await Promise.all(
			[1, 2].map(async () => await createWorkflow(n8n.session, withSchedule(await load.workflow(), 20))),
		);
		const ids = workflows.map(({ id }) => id);
		const { value, writes } = await during(load, async () => {
			await Promise.all(ids.map(async (id) => await activateWorkflow(n8n.session, id)));
			await Promise.all(ids.map(async (id) => await waitForExecutions(n8n.session, id, 1)));
			await Promise.all(
				ids.map(async (id) => await n8n.session.request('POST', `/workflows/${id}/deactivate`, {})),
			);
			return await Promise.all(ids.map(allOf));
		});
		expect(writes).toBe(network.keys.length);
		await expectWhole(load);
		// None of the ledger's calls stays in n8n's list.
		for (const id of ids)
			await until(async () => {
				const modes = (await listExecutions(n8n.session, id)).map(({ mode }) => mode);
				return modes.length > 0 && modes.every((mode) => mode === 'trigger');
			});
		table.push(['Two schedules, in the same second', outcomesOf(value.flat()), String(writes)]);
	});

	test('that a person stops goes on from there, at once', async () => {
		const load = loads.stopped;
		await load.begin();
		await until(async () => (await load.writes()) > network.keys.length / 3);
		await stopExecution(n8n.session, load.running);
		// n8n calls it ended before the node has: the lease is free when that is done.
		await load.isFree();
		const stopped = await lookAt(load, 'stopped by a person');
		const { value, writes } = await during(load, async () => await load.night());
		expect([value.said, value.summary.holds]).toEqual(['', []]);
		await expectWhole(load);
		table.push(['Stopped by a person', `${stopped.uncertain.length} uncertain`, String(stopped.requests)]);
		tell('The run after that', value, writes);
	});

	test("that n8n's time limit ends has a row for all but what was under way, and the rest comes", async () => {
		const load = loads.limited;
		const { admin } = load.sandbox;
		const rest = { pathPattern: '^/integration', after: 40 };
		const slow = await admin.addFault(rest, { delayMs: 20_000 });
		await load.begin(0, { executionTimeout: 15 });
		expect((await waitForExecution(n8n.session, load.running, 560_000)).status).toBe('canceled');
		// The last rows come without anybody waiting for them.
		await until(async () =>
			(await load.rows()).some(({ kind, state }) => kind === 'run' && state === 'ended'),
		);
		await admin.clearFaults(slow);
		const limited = await lookAt(load, "at n8n's time limit");
		expect(limited.requests).toBeLessThan(network.keys.length);
		const { value, writes } = await during(load, async () => await load.night());
		await expectRest(limited, value);
		tell("The run after n8n's time limit", value, writes);
	});
});

/**
 * All nights of a workflow, when they have ended. Trap: while a night runs, n8n lists each call of its ledger, too, as an execution of the
 * workflow, and forgets it once it has ended.
 */
async function allOf(workflowId: string): Promise<Night[]> {
	const begun = (await listExecutions(n8n.session, workflowId)).filter(({ mode }) => mode === 'trigger');
	const nights = await Promise.all(
		begun.map(async ({ id }) => nightOf(await waitForExecution(n8n.session, id))),
	);
	for (const { said } of nights) expect(said).toBe('');
	return nights;
}

function withSchedule(workflow: WorkflowInput, secondsInterval: number): WorkflowInput {
	const schedule: INode = {
		...{ id: SCHEDULE, name: SCHEDULE, type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 },
		position: [0, -200],
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval }] } },
	};
	return {
		...workflow,
		nodes: [...workflow.nodes, schedule],
		connections: {
			...workflow.connections,
			[SCHEDULE]: { main: [[{ node: 'Export', type: 'main', index: 0 }]] },
		},
	};
}
