/** "Sync every school side by side" in queue mode: real Redis and PostgreSQL, a main process, two workers. */
import { readFileSync } from 'node:fs';

import { freePort } from '../../../playground/child-process.mts';
import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	getExecution,
	listExecutions,
	runAndWait,
	signIn,
	waitForExecutions,
	withCredential,
	withExport,
	type Execution,
	type Session,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { LoggedRequest } from '../../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { machineAccess } from '../../support/stage.mts';
import { startQueueCluster, type QueueCluster } from '../trigger/queue-cluster.mts';
import { BY_HAND, bondKey, writesIn } from './nights.mts';
import { jsonOf } from './support.mts';

const SCHOOLS = Array.from({ length: 12 }, (_, index) => `school-${String(index + 1).padStart(3, '0')}`);
const STUDENTS = 480;
const ALL = { limit: 100_000 };

let cluster: QueueCluster | undefined;
let sandbox: Sandbox | undefined;
let session: Session;
let stored: StoredWorkflow;

beforeAll(async () => {
	const port = await freePort();
	cluster = await startQueueCluster({
		webhooks: 0,
		workers: 2,
		port,
		env: { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'false', WEBHOOK_URL: `http://127.0.0.1:${port}/` },
	});
	sandbox = await startSandbox({ empty: true, students: STUDENTS, schools: SCHOOLS.length });
	session = await signIn(cluster.main.baseUrl);
	const credential = await createCredential(session, {
		name: 'School Partner',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(sandbox),
	});
	const file = JSON.parse(readFileSync('examples/sync-every-school-side-by-side.json', 'utf8')) as WorkflowInput;
	const workflow = withSchools(withExport(file, `${sandbox.adminUrl}roster?format=oneroster-1.2`));
	stored = await createWorkflow(session, withCredential(workflow, credential));
	await activateWorkflow(session, stored.id);
}, 300_000);
afterAll(async () => {
	await sandbox?.stop();
	await cluster?.stop();
});

/** As its note says: one's own schools in the place of the three. */
function withSchools(workflow: WorkflowInput): WorkflowInput {
	const list = SCHOOLS.map((school) => `'${school}'`).join(', ');
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Schools'
			? { ...node, parameters: { ...node.parameters, jsonOutput: String(node.parameters.jsonOutput).replace(/school: \[[^\]]*\]/, `school: [${list}]`) } }
			: node,
	);
	return { ...workflow, nodes };
}

function running() {
	if (!cluster || !sandbox) throw new Error('The cluster is not running');
	return { workers: cluster.workers, admin: sandbox.admin };
}

/** What the service holds, by the keys of a ledger by school: a person in two schools is two users. */
async function held(): Promise<string[]> {
	const { admin } = running();
	const [classes, users, bonds] = [await admin.classes(ALL), await admin.users(ALL), await admin.bonds(ALL)];
	return [
		...classes.items.map((each) => `c:${each.school_external_id}|${each.external_id}`),
		...users.items.map((each) => `u:${each.school_external_id}|${each.external_id}`),
		...bonds.items.map(bondKey),
	].sort();
}

interface Night {
	/** The runs that the webhook has started. */
	runs: Execution[];
	writes: LoggedRequest[];
}

let before = 0;

/** A start by hand, to the end of the run of every school. */
async function night(): Promise<Night> {
	const { admin } = running();
	await admin.clearRequests();
	const start = await runAndWait(session, stored.id, { trigger: BY_HAND });
	expect(start.status).toBe('success');
	expect(jsonOf(start, 'Start a Run of the School')).toHaveLength(SCHOOLS.length);
	const all = await waitForExecutions(session, stored.id, before + 1 + SCHOOLS.length);
	const fresh = all.slice(0, all.length - before);
	before = all.length;
	const runs = await Promise.all(fresh.filter(({ mode }) => mode === 'webhook').map(async ({ id }) => await getExecution(session, id)));
	return { runs, writes: writesIn(await admin.requests({ path: '/integration/' })) };
}

const schoolOf = (run: Execution) => (jsonOf(run, 'One School')[0].body as { school: string }).school;

test('the first load runs once for each school, on both workers, and the service holds each record once', async () => {
	const { admin, workers } = running();
	await admin.reset({ empty: false });
	const expected = [...new Set(await held())];
	await admin.reset();

	const { runs, writes } = await night();
	expect(runs.map(schoolOf).sort()).toEqual(SCHOOLS);
	expect(runs.map(({ status }) => status)).toEqual(SCHOOLS.map(() => 'success'));
	expect(await held()).toEqual(expected);
	expect(writes.filter(({ status }) => status > 299)).toEqual([]);
	expect(new Set(writes.map(({ path, body }) => `${path} ${JSON.stringify(body)}`)).size).toBe(writes.length);
	// Each plans its own school, and nothing of another.
	for (const run of runs) {
		expect([...new Set(jsonOf(run, 'Plan Changes').map(({ school_external_id: school }) => school))]).toEqual([schoolOf(run)]);
	}
	const taken = workers.map(({ process }) => readFileSync(process.logFile, 'utf8').match(/Worker started execution/g)?.length ?? 0);
	console.log(`Queue mode: ${SCHOOLS.length} schools, executions of the workers: ${taken.join(' and ')}`);
	expect(Math.min(...taken)).toBeGreaterThan(0);
});

test('started again, no school writes anything', async () => {
	const { runs, writes } = await night();
	expect(runs.map(schoolOf).sort()).toEqual(SCHOOLS);
	expect(runs.map((run) => jsonOf(run, 'Mail or Chat')[0].subject).sort()).toEqual(SCHOOLS.map((school) => `${school}: The roster of tonight is done`));
	expect(writes).toEqual([]);
	expect((await listExecutions(session, stored.id)).map(({ status }) => status)).not.toContain('error');
});
