/**
 * n8n with the defaults that its next major version will have, as far as this one knows them: in queue mode, because manual runs go to
 * workers there, and with files on a disk that the processes share. Only what cannot be set is left out: Docker.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { capabilities } from '../../playground/capabilities.mts';
import {
	activateWorkflow,
	callWebhook,
	createCredential,
	createWorkflow,
	errorOf,
	getExecution,
	itemsOf,
	runAndWait,
	signIn,
	submitForm,
	waitForExecutions,
	waitForNextExecution,
	withCredential,
	withExport,
	type Execution,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { startSandbox } from '../../sandbox/start.mts';
import { heldBy, networkOf } from '../support/held.mts';
import { reportOnVersion3 } from '../support/migration-report.mts';
import { machineAccess, nodeWorkflow, runOnce, TESTED, type Stage } from '../support/stage.mts';
import { APPROVER, EVERY_NIGHT, holdsOf, loginOfApprovers, summaryOf } from './examples/nights.mts';
import { startQueueCluster, type QueueCluster } from './trigger/queue-cluster.mts';
import { KEY } from './trigger/support.mts';

/** Everything that a rule of n8n 2.40.7 names as a default of version 3, but for what is its default today already. */
const DEFAULTS = {
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'workflowsFromSameOwner',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 1024 * 1024),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION: 'false',
	// What users have to say until the package is verified: off is the default of version 3.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
};

const STUDENTS = 60;

let storage: string;
let cluster: QueueCluster | undefined;
let stage: Stage;

beforeAll(async () => {
	storage = mkdtempSync(join(tmpdir(), 'school-partner-storage-'));
	const sandbox = await startSandbox({ empty: true, students: STUDENTS });
	const end = async () => {
		await cluster?.stop();
		await sandbox.stop();
		rmSync(storage, { recursive: true, force: true });
	};
	stage = { sandbox, end } as Stage;
	// Older ones know the second name of the folder only.
	const env = { ...DEFAULTS, N8N_STORAGE_PATH: storage, N8N_BINARY_DATA_STORAGE_PATH: storage };
	cluster = await startQueueCluster({ webhooks: 1, workers: 1, env });
	const session = await signIn(cluster.main.baseUrl);
	const credential = await createCredential(session, {
		name: 'School Partner',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(sandbox),
	});
	stage = { ...stage, n8n: cluster.main, session, credential };
});
afterAll(async () => await stage.end());

function example(name: string, ...credentials: StoredCredential[]): WorkflowInput {
	const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	const address = `${stage.sandbox.adminUrl}roster?format=oneroster-1.2`;
	return [stage.credential, ...credentials].reduce(withCredential, withExport(file, address));
}

function expectDoneByTheWorker(execution: Execution): void {
	expect(errorOf(execution)).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(cluster?.workers[0]?.process.log()).toMatch(new RegExp(`execution ${execution.id} `));
}

/** What no setting takes away: how n8n was installed, when not in a container, and that the editor's import from a URL goes. */
const NOT_SETTINGS = ['docker-only-deployment-v3', 'workflow-import-url-removed-v3'];

test("n8n's report on its next major version finds no setting here that will change", async () => {
	const report = await reportOnVersion3(stage.session);
	expect(report !== undefined).toBe(capabilities.reportsOnVersion3);
	const found = report?.instanceResults.map(({ ruleId }) => ruleId) ?? [];
	expect(found.filter((rule) => !NOT_SETTINGS.includes(rule))).toEqual([]);
	expect(found.includes('workflow-import-url-removed-v3')).toBe(capabilities.reportsOnVersion3);
});

test('an operation that a person tries out runs on a worker', async () => {
	const execution = await runOnce(
		stage,
		nodeWorkflow(stage, { parameters: { resource: 'profile', operation: 'getAll' } }),
	);
	expectDoneByTheWorker(execution);
	expect(itemsOf(execution, TESTED).length).toBeGreaterThan(0);
});

test('the roster of the night comes from a file on the disk, a person approves it in the form, and everything is created once, on the worker', async () => {
	const { admin } = stage.sandbox;
	const network = await networkOf(admin, { students: STUDENTS });
	const login = await loginOfApprovers(stage.session);
	const { id } = await createWorkflow(stage.session, example('sync-the-roster-every-night', login));
	await activateWorkflow(stage.session, id);
	const first = await runAndWait(stage.session, id, { trigger: EVERY_NIGHT });
	expectDoneByTheWorker(first);
	const [hold] = holdsOf(first);
	const webhooks = cluster?.webhooks[0]?.baseUrl ?? '';
	await submitForm(webhooks, 'approve-what-is-held', [hold.hold_id, 'Yes', 'Dana'], APPROVER);
	expectDoneByTheWorker(await waitForNextExecution(stage.session, id, first.id));
	expect(await heldBy(admin)).toEqual(network);
	expect(readdirSync(storage, { recursive: true }).length).toBeGreaterThan(0);
	const second = await runAndWait(stage.session, id, { trigger: EVERY_NIGHT });
	expectDoneByTheWorker(second);
	expect(summaryOf(second).outcome).toBe('nothing');
});

test('a delivery starts its run on a worker, and is in the table afterwards', async () => {
	const { admin } = stage.sandbox;
	const key = await createCredential(stage.session, {
		name: 'School Partner Webhook',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
	const { id } = await createWorkflow(stage.session, example('upsert-users-on-access', key));
	await activateWorkflow(stage.session, id);
	const webhooks = cluster?.webhooks[0]?.baseUrl ?? '';
	await callWebhook(webhooks, 'upsert-users-on-access/events');
	await admin.registerWebhook({ url: `${webhooks}/webhook/upsert-users-on-access/events`, apiKey: KEY });
	const [user] = (await admin.users({ profile: 'student', limit: 1 })).items;
	expect((await admin.grantAccess({ userId: user.user_id })).status).toBe(200);
	const [newest] = await waitForExecutions(stage.session, id, 1);
	const execution = await getExecution(stage.session, newest.id);
	expectDoneByTheWorker(execution);
	expect(itemsOf(execution, 'Each User').map(({ json }) => json.user_id)).toContain(user.user_id);
});
