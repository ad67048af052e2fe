import {
	getExecution,
	itemsOf,
	publicApi,
	signIn,
	stopExecution,
	type ExecutionSummary,
	type Session,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { eventually, until } from '../../../playground/eventually.mts';
import { guid, userAccess } from '../../unit/trigger/sample-events.mts';
import { startBalancer, type Balancer } from './balancer.mts';
import { startQueueCluster, type QueueCluster } from './queue-cluster.mts';
import {
	allExecutions,
	expectResumed,
	inParallel,
	KEY,
	LONG_MS,
	openTrigger,
	settledExecutions,
	startedWith,
	tally,
	type OpenTrigger,
	TRIGGER,
	withPauses,
} from './support.mts';

const DELIVERIES = 600;

let cluster: QueueCluster | undefined;
let sandbox: Sandbox | undefined;
let balancer: Balancer | undefined;
let session: Session;
let trigger: OpenTrigger;

beforeAll(async () => {
	cluster = await startQueueCluster({ webhooks: 2, workers: 2 });
	sandbox = await startSandbox({ students: 100 });
	balancer = await startBalancer(cluster.webhooks.map(({ baseUrl }) => baseUrl));
	session = await signIn(cluster.main.baseUrl);
	trigger = await openTrigger(session, withPauses);
});
afterAll(async () => {
	await balancer?.stop();
	await sandbox?.stop();
	await cluster?.stop();
});

function running() {
	if (!cluster || !sandbox || !balancer) throw new Error('The cluster is not running');
	return { ...cluster, admin: sandbox.admin, balancer };
}

test(
	`${DELIVERIES} deliveries over two webhook processes: none is lost when one of two workers is killed`,
	async () => {
		const { admin, workers, balancer: both } = running();
		await admin.registerWebhook({ url: `${both.baseUrl}/webhook/${trigger.path}`, apiKey: KEY, retries: 10 });
		const loading = admin.runLoad({
			count: DELIVERIES,
			concurrency: 10,
			repeatShare: 0.05,
			revocationEvery: 4,
		});
		await until(async () => (await admin.deliveries({ status: 200 })).length >= 200, LONG_MS);
		await workers[0]?.process.kill();
		const result = await loading;
		expect(result.statuses).toMatchObject({ valid: { 200: 570 }, repeat: { 200: 30 } });
		expect([...both.passed.values()].every((count) => count > 0.45 * DELIVERIES)).toBe(true);

		const runs = await settledRuns(trigger, result.acceptedIds.length);
		const ids = tally(await idsOf(runs), (id) => id);
		expect(result.acceptedIds.filter((id) => ids[id] === undefined)).toEqual([]);
		const twice = Object.values(ids).filter((count) => count > 1).length;
		const statuses = JSON.stringify(tally(runs, ({ status }) => status));
		console.log(
			`Queue mode: ${result.perSecond} deliveries per second, ${runs.length} runs ${statuses}, ${twice} ids twice`,
		);
		expect(twice).toBeLessThanOrEqual(5);

		// What the killed worker had begun still stands there with its data, and can be resumed by n8n's API, as docs/scaling.md says.
		const api = await publicApi(session, ['execution:retry']);
		for (const run of runs.filter(({ status }) => status !== 'success').slice(0, 3)) {
			await stopExecution(session, run.id);
			expect((await getExecution(session, run.id)).status).toBe('canceled');
			const retried = await api<{ id: string }>('POST', `/executions/${run.id}/retry`);
			await expectResumed(session, run.id, retried.id);
		}
	},
	LONG_MS,
);

/** All runs, once nothing changes any more: those of a killed worker stay "running". */
async function settledRuns({ workflow }: OpenTrigger, atLeast: number): Promise<ExecutionSummary[]> {
	return await settledExecutions(
		session,
		workflow.id,
		(counts) => Object.values(counts).reduce((all, count) => all + count) >= atLeast,
	);
}

/** So many runs, once each of them has ended. */
async function endedRuns({ workflow }: OpenTrigger, count: number): Promise<ExecutionSummary[]> {
	return await eventually(async () => {
		const all = await allExecutions(session, workflow.id);
		const haveEnded = all.every(({ status }) => status === 'success' || status === 'error');
		return all.length >= count && haveEnded ? all : undefined;
	});
}

async function idsOf(runs: ExecutionSummary[]): Promise<string[]> {
	const items = await inParallel(runs, 4, async ({ id }) => await startedWith(session, id));
	return items.map(
		(item) => (item as { header: { request_id: string } } | undefined)?.header.request_id ?? 'lost',
	);
}

/** Sends each of some deliveries to both webhook processes at the same instant; gives how many both took. */
async function sendToBoth(path: string, seeds: number[]): Promise<number> {
	const { webhooks } = running();
	const answers = await inParallel(seeds, 1, async (seed) => {
		const body = userAccess(guid(seed));
		return await Promise.all(
			webhooks.map(async ({ baseUrl }) => await deliver(`${baseUrl}/webhook/${path}`, { body })),
		);
	});
	return answers.filter((pair) => pair.every(({ body }) => body?.status === 'accepted')).length;
}

const seedsFrom = (first: number) => Array.from({ length: 20 }, (_, index) => first + index);

test('the same delivery at both webhook processes at the same instant runs at most once in each', async () => {
	const before = (await allExecutions(session, trigger.workflow.id)).length;
	const seeds = seedsFrom(9_000);
	const both = await sendToBoth(trigger.path, seeds);
	console.log(
		`Queue mode: of 20 deliveries sent to both webhook processes at once, ${both} were taken by both`,
	);
	const runs = (await settledRuns(trigger, before + 20 + both)).length - before;
	expect(runs).toBe(20 + both);

	// A repeat that comes after the first was answered is known to the other process.
	const later = await inParallel(seeds, 1, async (seed, index) => {
		const { baseUrl } = running().webhooks[index % 2] ?? running().main;
		return await deliver(`${baseUrl}/webhook/${trigger.path}`, { body: userAccess(guid(seed)) });
	});
	expect(tally(later, ({ body }) => String(body?.status))).toEqual({ duplicate: 20 });
});

test('Remove Duplicates behind the trigger lets each of them through once, as a rule', async () => {
	const once = await openTrigger(session, withRemoveDuplicates);
	await until(async () => await isRegistered(once));
	const both = await sendToBoth(once.path, seedsFrom(9_100));
	const runs = await endedRuns(once, 20 + both);
	const passed = await inParallel(
		runs,
		4,
		async ({ id }) => itemsOf(await getExecution(session, id), 'Granted').length,
	);
	const through = passed.filter((items) => items > 0).length;
	console.log(`Queue mode: with Remove Duplicates, ${runs.length} runs of 20 deliveries: ${through} went on`);
	expect(through).toBeGreaterThanOrEqual(20);
	expect(through).toBeLessThanOrEqual(runs.length);
});

/** A webhook process learns of a new workflow a moment after the main process. */
async function isRegistered({ path }: OpenTrigger): Promise<boolean> {
	const answers = await Promise.all(
		running().webhooks.map(
			async ({ baseUrl }) => await deliver(`${baseUrl}/webhook/${path}`, { body: '{}' }),
		),
	);
	return answers.every(({ status }) => status === 400);
}

function withRemoveDuplicates(workflow: WorkflowInput): WorkflowInput {
	return {
		...workflow,
		nodes: [
			...workflow.nodes,
			{
				id: 'once',
				name: 'Once',
				type: 'n8n-nodes-base.removeDuplicates',
				typeVersion: 2,
				position: [110, 0],
				parameters: {
					operation: 'removeItemsSeenInPreviousExecutions',
					dedupeValue: '={{ $json.header.request_id }}',
					options: {},
				},
			},
		],
		connections: {
			[TRIGGER]: { main: [[{ node: 'Once', type: 'main', index: 0 }]] },
			Once: { main: [[{ node: 'Granted', type: 'main', index: 0 }]] },
		},
	};
}
