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
	updateWorkflow,
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
import { eventually, until } from '../../support/eventually.mts';
import { machineAccess } from '../../support/stage.mts';
import { startQueueCluster, type QueueCluster, type QueueProcess } from '../trigger/queue-cluster.mts';
import { bondKey } from '../../support/held.mts';
import { BY_HAND, withOptions, writesIn } from './nights.mts';
import { jsonOf } from './support.mts';

const SCHOOLS = Array.from({ length: 40 }, (_, index) => `school-${String(index + 1).padStart(3, '0')}`);
const STUDENTS = 1_000;
const ALL = { limit: 100_000 };

let cluster: QueueCluster | undefined;
let sandbox: Sandbox | undefined;
let session: Session;
let workflow: WorkflowInput;
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
	const file = JSON.parse(
		readFileSync('examples/sync-every-school-side-by-side.json', 'utf8'),
	) as WorkflowInput;
	workflow = withCredential(
		withSchools(withExport(file, `${sandbox.adminUrl}roster?format=oneroster-1.2`)),
		credential,
	);
	stored = await createWorkflow(session, workflow);
	await activateWorkflow(session, stored.id);
}, 300_000);
afterAll(async () => {
	await sandbox?.stop();
	await cluster?.stop();
});

/** As its note says: one's own schools in the place of the three. */
function withSchools(file: WorkflowInput): WorkflowInput {
	const list = SCHOOLS.map((school) => `'${school}'`).join(', ');
	const nodes = file.nodes.map((node) =>
		node.name === 'Schools'
			? {
					...node,
					parameters: {
						...node.parameters,
						jsonOutput: String(node.parameters.jsonOutput).replace(/school: \[[^\]]*\]/, `school: [${list}]`),
					},
				}
			: node,
	);
	return { ...file, nodes };
}

function running() {
	if (!cluster || !sandbox) throw new Error('The cluster is not running');
	return { ...cluster, admin: sandbox.admin };
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

/** What it has to hold in the end: told by a sandbox that is seeded with it. */
async function network(): Promise<string[]> {
	const { admin } = running();
	await admin.reset({ empty: false });
	const expected = [...new Set(await held())];
	await admin.reset();
	return expected;
}

interface Night {
	/** The runs that the webhook has started. */
	runs: Execution[];
	writes: LoggedRequest[];
}

/** A start by hand, to the end of the run of every school. */
async function night(): Promise<Night> {
	const { admin } = running();
	await admin.clearRequests();
	const start = await runAndWait(session, stored.id, { trigger: BY_HAND });
	expect(start.status).toBe('success');
	expect(jsonOf(start, 'Start a Run of the School')).toHaveLength(SCHOOLS.length);
	// Counted from this start on: n8n lists the newest 100, and a run of a killed worker never ends.
	const ended = await eventually(async () => {
		const since = (await listExecutions(session, stored.id)).filter(
			({ id, stoppedAt }) => stoppedAt !== null && Number(id) > Number(start.id),
		);
		return since.length >= SCHOOLS.length ? since : undefined;
	});
	const runs = await Promise.all(ended.map(async ({ id }) => await getExecution(session, id)));
	return { runs, writes: writesIn(await admin.requests({ path: '/integration/' })) };
}

const subjectOf = (run: Execution) => String(jsonOf(run, 'Mail or Chat')[0].subject);
const schoolOf = (run: Execution) => (jsonOf(run, 'One School')[0].body as { school: string }).school;

test('the first load runs once for each school, on both workers, and the service holds each record once', async () => {
	const { workers } = running();
	const expected = await network();
	const { runs, writes } = await night();
	expect(runs.map(schoolOf).sort()).toEqual(SCHOOLS);
	expect(runs.map(({ status }) => status)).toEqual(SCHOOLS.map(() => 'success'));
	expect(await held()).toEqual(expected);
	expect(writes.filter(({ status }) => status > 299)).toEqual([]);
	expect(new Set(writes.map(({ path, body }) => `${path} ${JSON.stringify(body)}`)).size).toBe(writes.length);
	// Each plans its own school, and nothing of another.
	for (const run of runs) {
		expect([...new Set(jsonOf(run, 'Plan Changes').map(({ school_external_id: school }) => school))]).toEqual(
			[schoolOf(run)],
		);
	}
	const taken = workers.map(
		({ process }) => readFileSync(process.logFile, 'utf8').match(/Worker started execution/g)?.length ?? 0,
	);
	console.log(`Queue mode: ${SCHOOLS.length} schools, executions of the workers: ${taken.join(' and ')}`);
	expect(Math.min(...taken)).toBeGreaterThan(0);
});

test('started again, no school writes anything', async () => {
	const { runs, writes } = await night();
	expect(runs.map(schoolOf).sort()).toEqual(SCHOOLS);
	expect(runs.map(subjectOf).sort()).toEqual(
		SCHOOLS.map((school) => `${school}: The roster of tonight is done`),
	);
	expect(writes).toEqual([]);
	expect((await listExecutions(session, stored.id)).map(({ status }) => status)).not.toContain('error');
});

/** With a ledger of its own. */
const withNewLedger = (file: WorkflowInput) =>
	JSON.parse(JSON.stringify(file).replaceAll('"Ledger by school"', '"Ledger of a crash"')) as WorkflowInput;

/** The runs that a worker began and did not end, by its own log. */
function cutOff({ process }: QueueProcess): string[] {
	const log = readFileSync(process.logFile, 'utf8');
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id]) => id ?? '');
	const ended = idsAfter('finished');
	return idsAfter('started').filter((id) => !ended.includes(id));
}

/** The schools that the service has received something of, answered or not. */
async function schoolsBegun(): Promise<Set<string>> {
	const writes = writesIn(await running().admin.requests({ path: '/integration/' }));
	return new Set(writes.map(schoolWritten));
}

const schoolWritten = ({ body }: LoggedRequest) =>
	(body as { school_external_id: string }).school_external_id;

/** Milliseconds that an answer takes: no school is done before each has begun, on a busy machine too. Less than the node waits. */
const HELD_UP_MS = 15_000;

test('a worker that is killed on the way leaves its schools to a person, and a start with Go On brings all of them, each record once', async () => {
	const { admin, ...processes } = running();
	const expected = await network();
	await session.request('POST', `/workflows/${stored.id}/deactivate`, {});
	// Otherwise a run without an end counts as under way for an hour.
	const crashed = withOptions(withNewLedger(workflow), 'Plan Changes', { unfinishedAfter: 0 });
	stored = await createWorkflow(session, crashed);
	await activateWorkflow(session, stored.id);
	await admin.changeSettings({ latencyMs: HELD_UP_MS });
	await runAndWait(session, stored.id, { trigger: BY_HAND });
	await until(async () => (await schoolsBegun()).size === SCHOOLS.length);
	const [killed] = processes.workers;
	if (!killed) throw new Error('There is no worker');
	await killed.process.kill();
	await admin.changeSettings({ latencyMs: 0 });
	const cut = cutOff(killed);
	expect(cut.length).toBeGreaterThan(0);
	await processes.addWorker();
	const ended = await waitForExecutions(session, stored.id, 1 + SCHOOLS.length - cut.length);
	expect(ended.map(({ status }) => status)).not.toContain('error');

	const second = await night();
	const waiting = second.runs.filter((run) => !subjectOf(run).endsWith('is done')).map(schoolOf);
	console.log(
		`Queue mode: a worker was killed in ${cut.length} of ${SCHOOLS.length} schools, a person is asked about ${waiting.sort().join(', ')}`,
	);
	expect(waiting).toHaveLength(cut.length);
	expect(second.writes.map(schoolWritten).filter((school) => waiting.includes(school))).toEqual([]);

	const goOn = withOptions(crashed, 'Plan Changes', {
		afterInterruption: 'goOn',
		uncertainCreations: 'sendAgain',
	});
	await updateWorkflow(session, stored.id, goOn);
	await activateWorkflow(session, stored.id);
	// What the interrupted runs planned comes first, the rest behind it.
	let writes: LoggedRequest[] = [];
	for (let start = 0; start === 0 || (start < 4 && writes.length > 0); start++) ({ writes } = await night());
	expect(writes).toEqual([]);
	expect(await held()).toEqual(expected);
	// Some 250 runs of workflows: minutes on a busy machine.
}, 900_000);
