import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { capabilities } from '../../../playground/capabilities.mts';
import {
	createWorkflow,
	getExecution,
	nodeRun,
	PLAYGROUND_ACCOUNT,
	runManually,
	signIn,
	type ExecutionSummary,
	type Session,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../../playground/n8n.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { eventually, until } from '../../../playground/eventually.mts';
import { signInToEditor } from '../../support/n8n-editor.mts';
import { nodeShows, openExecution, retryWithOriginalWorkflow } from '../../support/n8n-executions.mts';
import { prepareUserFolder } from '../../support/user-folder.mts';
import { wired } from '../../support/wired.mts';
import {
	expectResumed,
	inParallel,
	KEY,
	LAZY,
	LONG_MS,
	openTrigger,
	settledExecutions,
	startedWith,
	tally,
	TRIGGER,
	withPauses,
} from './support.mts';

const userFolder = mkdtempSync(join(tmpdir(), 'school-partner-kill-'));
let n8n: RunningN8n | undefined;
let sandbox: Sandbox | undefined;
/** Of the n8n that runs. */
let session: Session;
/** Runs that the kill has cut. */
let crashed: ExecutionSummary[];
/** Id of a run that a person had started, and that the kill has cut too. */
let byHand: string;

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	rmSync(userFolder, { recursive: true, force: true });
});

/** A workflow that a person executes, and that takes a minute. */
const BY_HAND: WorkflowInput = {
	name: 'By hand',
	...wired([
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'Pause',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: 60, unit: 'seconds' },
			from: ['Start'],
		},
	]),
	settings: { executionOrder: 'v1' },
};

/** request_ids of the runs, one for each run. */
async function idsOfRuns(runs: ExecutionSummary[]): Promise<string[]> {
	const items = await inParallel(runs, 4, async ({ id }) => await startedWith(session, id));
	return items.map((item) => (item as { header: { request_id: string } }).header.request_id);
}

/** Deliveries that are on their way at once. */
const AT_ONCE = 10;

const LOSS = capabilities.recordsBeforeAnswering
	? 'loses none that it answered'
	: 'loses at most what it had answered at that instant and not yet recorded';

/**
 * All runs, once none is under way any more. Trap: n8n marks what a kill cut as crashed, but not a run that it had begun to record and none
 * of whose nodes had begun: that one stays "running" for ever. Older ones forget more of them, so that there only nothing changes any more.
 */
async function settledRuns(
	workflowId: string,
	killedAt: number,
	deliveries: number,
): Promise<ExecutionSummary[]> {
	if (!capabilities.endsWhatACrashCutOff)
		return await settledExecutions(session, workflowId, () => true, 5_000);
	const underWay = ({ status, createdAt }: ExecutionSummary) =>
		['new', 'running'].includes(status) && Date.parse(createdAt) > killedAt;
	const least = capabilities.recordsBeforeAnswering ? deliveries : 0;
	return await eventually(async () => {
		// Trap: none is under way for a moment while n8n has not yet written down what it took last.
		const runs = await settledExecutions(session, workflowId, (counts) => all(counts) >= least);
		return runs.some(underWay) ? undefined : runs;
	});
}

const all = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

test(
	`killed in the middle of 500 deliveries, n8n ${LOSS}, and takes the others later`,
	async () => {
		sandbox = await startSandbox({ students: 100 });
		const { admin } = sandbox;
		n8n = await startN8n({ userFolder, editor: false, env: LAZY, prepare: prepareUserFolder });
		const { port } = n8n;
		const first = await signIn(n8n.baseUrl);
		const minute = await createWorkflow(first, BY_HAND);
		const { url, workflow } = await openTrigger(first, withPauses);
		await admin.registerWebhook({ url, apiKey: KEY, retries: 60, backoffMs: 200 });

		const loading = admin.runLoad({ count: 500, concurrency: AT_ONCE, revocationEvery: 4 });
		const successful = async () => (await admin.deliveries()).filter(({ isSuccessful }) => isSuccessful);
		await until(async () => (await successful()).length >= 100, LONG_MS);
		byHand = await runManually(first, minute.id, { trigger: 'Start' });
		await until(async () => (await getExecution(first, byHand)).status === 'running');
		await n8n.kill();
		const killedAt = Date.now();
		const answered = (await successful()).map(({ requestId }) => requestId);
		// Otherwise it was not killed in the middle.
		expect(answered.length).toBeLessThan(500);

		n8n = await startN8n({ userFolder, port, env: LAZY });
		session = await signIn(n8n.baseUrl);
		const { sentIds, acceptedIds } = await loading;
		expect(acceptedIds.length).toBe(500);

		const { runs, ids, lost } = await eventually(
			async () => {
				const runs = await settledRuns(workflow.id, killedAt, acceptedIds.length);
				const ids = await idsOfRuns(runs);
				const lost = sentIds.filter((id) => !ids.includes(id));
				// Trap: older ones record a run when they have answered, on a busy machine seconds later.
				return lost.every((id) => answered.includes(id)) ? { runs, ids, lost } : undefined;
			},
			LONG_MS / 2,
			() => 'What was not answered before the kill had no run',
		);
		expect(lost.length).toBeLessThanOrEqual(capabilities.recordsBeforeAnswering ? 0 : AT_ONCE);

		const twice = Object.entries(tally(ids, (id) => id)).flatMap(([id, count]) => (count > 1 ? [id] : []));
		const statuses = tally(runs, ({ status }) => status);
		console.log(
			`${answered.length} answered before the kill, ${runs.length} runs: ${JSON.stringify(statuses)}, ${twice.length} twice, ${lost.length} lost`,
		);
		// What was recorded and not yet answered runs again: at most as many as were on their way at the kill.
		expect(twice.length).toBeLessThanOrEqual(AT_ONCE);
		expect(twice.filter((id) => answered.includes(id))).toEqual([]);

		// Whatever was answered is known after the crash, and starts nothing when it comes again.
		const events = new Map((await admin.deliveries()).map(({ requestId, payload }) => [requestId, payload]));
		const again = await inParallel(
			answered,
			AT_ONCE,
			async (id) => await deliver(url, { body: events.get(id) }),
		);
		expect(tally(again, ({ body }) => String(body?.status))).toEqual({ duplicate: answered.length });

		crashed = runs.filter(({ status }) => status === 'crashed');
		expect(crashed.length).toBeGreaterThan(0);
	},
	LONG_MS,
);

// What docs/reliability.md says of a run that was cut, step by step.
test('the run that was cut stands in the list as Error, shows at which node, and Retry starts it again from its trigger', async () => {
	if (n8n === undefined) throw new Error('n8n was not started');
	const executions = await inParallel(crashed, 4, async ({ id }) => await getExecution(session, id));
	// Behind the trigger, in its pause.
	const cut = executions.find(({ data }) => data.resultData.lastNodeExecuted === 'Granted');
	if (cut === undefined) throw new Error('No run was cut in its pause');
	const browser = await startBrowser();
	try {
		const page = await newPage(browser);
		await signInToEditor(page, n8n.baseUrl, PLAYGROUND_ACCOUNT);
		expect(await openExecution(page, n8n.baseUrl, cut)).toBe('Error');
		await nodeShows(page, 'Granted', 'Execution stopped at this node');
		await nodeShows(page, TRIGGER, 'Can’t show data');
		const retried = await retryWithOriginalWorkflow(page);
		await expectResumed(session, cut.id, retried);
		expect(nodeRun(await getExecution(session, retried), TRIGGER)?.executionStatus).toBe('success');
	} finally {
		await browser.close();
	}
});

test('a run by hand that was cut cannot be retried: n8n says so', async () => {
	expect((await getExecution(session, byHand)).status).toBe('crashed');
	const retry = session.request('POST', `/executions/${byHand}/retry`, { loadWorkflow: false });
	await expect(retry).rejects.toThrow('The execution was aborted before starting');
});
