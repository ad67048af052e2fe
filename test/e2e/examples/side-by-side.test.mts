/** "Sync every part of a network side by side" in queue mode: real Redis and PostgreSQL, a main process, two workers. */
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
	submitForm,
	withCredential,
	withExport,
	type Execution,
	type Session,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { LoggedRequest } from '../../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { eventually, until } from '../../../playground/eventually.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { machineAccess } from '../../support/stage.mts';
import { startQueueCluster, type QueueCluster, type QueueProcess } from '../trigger/queue-cluster.mts';
import {
	APPROVER,
	EVERY_NIGHT,
	holdsOf,
	keysOf,
	LEDGER,
	loginOfApprovers,
	summaryOf,
	withOptions,
	withParameters,
	writesIn,
} from './nights.mts';
import { jsonOf } from './support.mts';

const SYNC = 'Sync the Part';
const STUDENTS = 160;
const SCHOOLS = 24;

const school = (number: number) => `school-${String(number).padStart(3, '0')}`;
/** Eight parts of three schools. */
const PARTS = Object.fromEntries(
	Array.from({ length: SCHOOLS / 3 }, (_, part) => [
		`Part ${part + 1}`,
		[1, 2, 3].map((place) => school(part * 3 + place)),
	]),
);
const NAMES = Object.keys(PARTS);

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
	sandbox = await startSandbox({ empty: true, students: STUDENTS, schools: SCHOOLS });
	session = await signIn(cluster.main.baseUrl);
	const credential = await createCredential(session, {
		name: 'School Partner',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(sandbox),
	});
	const file = JSON.parse(
		readFileSync('examples/sync-every-part-side-by-side.json', 'utf8'),
	) as WorkflowInput;
	const credentials = [credential, await loginOfApprovers(session)];
	const example = withParts(withExport(file, `${sandbox.adminUrl}roster?format=oneroster-1.2`));
	stored = await createWorkflow(session, credentials.reduce(withCredential, example));
	await activateWorkflow(session, stored.id);
}, 600_000);
afterAll(async () => {
	await sandbox?.stop();
	await cluster?.stop();
});

/** As its note says: one's own parts and schools in the place of the two. */
function withParts(file: WorkflowInput): WorkflowInput {
	const code = String(file.nodes.find(({ name }) => name === 'Parts')?.parameters.jsCode);
	const own = code.replace(/const PARTS = \{[^}]*\};/, `const PARTS = ${JSON.stringify(PARTS)};`);
	return withParameters(file, ({ name }) => name === 'Parts', { jsCode: own });
}

function running() {
	if (!cluster || !sandbox) throw new Error('The cluster is not running');
	return { ...cluster, admin: sandbox.admin };
}

interface Night {
	/** The runs that the webhook has started. */
	runs: Execution[];
	writes: LoggedRequest[];
}

const partOf = (run: Execution) => (jsonOf(run, 'One Part')[0].body as { part: string }).part;
const subjectOf = (run: Execution) => String(jsonOf(run, 'Message to a Person')[0].subject);

/** The runs of parts that began after an execution and have ended, once there are so many. */
async function runsAfter(id: string, count: number): Promise<Execution[]> {
	// What has ended is read once: the runs of a network are megabytes, and n8n has them to do.
	const read = new Map<string, Execution>();
	const ended = await eventually(async () => {
		for (const { id: each, stoppedAt } of await listExecutions(session, stored.id))
			if (stoppedAt !== null && Number(each) > Number(id) && !read.has(each))
				read.set(each, await getExecution(session, each));
		const runs = [...read.values()].filter(({ data }) => data.resultData.runData['One Part'] !== undefined);
		return runs.length >= count ? runs : undefined;
	});
	return ended;
}

/** What the schedule starts, to the end of the run of every part. */
async function night(): Promise<Night> {
	const { admin } = running();
	await admin.clearRequests();
	const start = await runAndWait(session, stored.id, { trigger: EVERY_NIGHT });
	expect(start.status).toBe('success');
	const runs = await runsAfter(start.id, NAMES.length);
	return { runs, writes: writesIn(await admin.requests({ path: '/integration/' })) };
}

/** A person approves what the runs have held, part by part, and each part runs again; waits for the end of so many of them. */
async function approve(runs: readonly Execution[], ends = runs.length): Promise<Night> {
	const { admin, main } = running();
	await admin.clearRequests();
	const last = runs.map(({ id }) => Number(id)).sort((one, other) => other - one)[0];
	for (const run of runs) {
		const [{ hold_id: hold }] = holdsOf(run, SYNC);
		const { status } = await submitForm(
			main.baseUrl,
			'approve-a-part',
			[partOf(run), hold, 'Yes', 'Dana'],
			APPROVER,
		);
		expect(status).toBe(200);
	}
	const approved = await runsAfter(String(last), ends);
	return { runs: approved, writes: writesIn(await admin.requests({ path: '/integration/' })) };
}

test('every part runs for itself, and is held until a person has approved it in the form; then the service holds each record once', async () => {
	const { admin, workers } = running();
	const network = await networkOf(admin);
	const first = await night();
	expect(first.runs.map(partOf).sort()).toEqual(NAMES);
	expect(first.writes).toEqual([]);
	expect(first.runs.map(subjectOf).sort()).toEqual(
		NAMES.map((part) => `The roster of tonight, ${part}: please decide`),
	);

	const { runs, writes } = await approve(first.runs);
	expect(runs.map(partOf).sort()).toEqual(NAMES);
	expect(runs.map((run) => summaryOf(run, SYNC).outcome)).toEqual(NAMES.map(() => 'done'));
	expect(keysOf(writes, 'POST')).toEqual(network);
	expect(await heldBy(admin)).toEqual(network);
	// Each has its own schools, and a ledger of its own.
	for (const run of runs) {
		const { schools, ledger } = summaryOf(run, SYNC) as unknown as {
			schools: Array<{ school_external_id: string }>;
			ledger: { name: string };
		};
		expect(schools.map(({ school_external_id: id }) => id).sort()).toEqual(PARTS[partOf(run)]);
		expect(ledger.name).toBe(`${LEDGER}, ${partOf(run)}`);
	}
	const taken = workers.map(
		({ process }) => readFileSync(process.logFile, 'utf8').match(/Worker started execution/g)?.length ?? 0,
	);
	console.log(`Queue mode: ${NAMES.length} parts, executions of the workers: ${taken.join(' and ')}`);
	expect(Math.min(...taken)).toBeGreaterThan(0);
});

test('started again, no part writes anything', async () => {
	const { runs, writes } = await night();
	expect(runs.map(subjectOf).sort()).toEqual(
		NAMES.map((part) => `The roster of tonight, ${part}: nothing to do`),
	);
	expect(writes).toEqual([]);
});

/** Milliseconds that an answer takes: no part is done before each has begun, on a busy machine too. Less than the node waits. */
const HELD_UP_MS = 15_000;

/** The executions that a worker began and did not end, by its own log. */
function cutOff({ process }: QueueProcess): string[] {
	const log = readFileSync(process.logFile, 'utf8');
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id]) => id ?? '');
	const ended = idsAfter('finished');
	return idsAfter('started').filter((id) => !ended.includes(id));
}

const partOfSchool = (school: string) => NAMES.find((part) => PARTS[part].includes(school));

/** The parts of which the service has received something, answered or not. */
async function partsBegun(): Promise<Set<string | undefined>> {
	const writes = writesIn(await running().admin.requests({ path: '/integration/' }));
	return new Set(
		writes.map(({ body }) => partOfSchool((body as { school_external_id: string }).school_external_id)),
	);
}

/** Puts the workflow into n8n once more, with ledgers of its own, in the place of the one that is published. */
async function anew(change: (workflow: WorkflowInput) => WorkflowInput): Promise<void> {
	await session.request('POST', `/workflows/${stored.id}/deactivate`, {});
	stored = await createWorkflow(session, change(stored));
	await activateWorkflow(session, stored.id);
}

const withOtherLedgers = (workflow: WorkflowInput) =>
	JSON.parse(JSON.stringify(workflow).replaceAll(`=${LEDGER},`, '=Ledgers of a crash,')) as WorkflowInput;

test('a worker that is killed on the way: the other parts are done, the next start goes on with all of its parts, and nothing is created twice', async () => {
	const { admin, ...processes } = running();
	const network = await networkOf(admin);
	await anew(withOtherLedgers);
	const first = await night();
	await admin.changeSettings({ latencyMs: HELD_UP_MS });
	const approved = approve(first.runs, 0);
	await until(async () => (await partsBegun()).size === NAMES.length);
	await approved;
	const [killed] = processes.workers;
	await killed.process.kill();
	await admin.changeSettings({ latencyMs: 0 });
	const cut = cutOff(killed).length;
	expect(cut).toBeGreaterThan(0);
	await processes.addWorker();
	const last = first.runs.map(({ id }) => Number(id)).sort((one, other) => other - one)[0];
	await runsAfter(String(last), NAMES.length - cut);

	const next = await night();
	const uncertain = next.runs.flatMap((run) =>
		jsonOf(run, SYNC, 1).filter(({ code }) => code === 'uncertain'),
	);
	console.log(
		`Queue mode: a worker was killed in ${cut} of ${NAMES.length} parts; of ${uncertain.length} records nobody knows whether they are there`,
	);
	expect(uncertain.length).toBeGreaterThan(0);
	const there = await heldBy(admin);
	expect([...new Set(there)]).toEqual(there);

	// This service says what is there already, so that what nobody knows can be sent again.
	await anew((workflow) => withOptions(workflow, SYNC, { existsStatuses: '409', existing: 'adopt' }));
	await night();
	expect(await heldBy(admin)).toEqual(network);
	expect((await night()).writes).toEqual([]);
}, 900_000);
