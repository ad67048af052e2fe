import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { capabilities } from '../../../playground/capabilities.mts';
import { signIn, type ExecutionSummary, type Session } from '../../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../../playground/n8n.mts';
import { installPackage } from '../../../playground/package-under-test.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { eventually, until } from '../../support/eventually.mts';
import {
	allExecutions,
	inParallel,
	KEY,
	LAZY,
	LONG_MS,
	openTrigger,
	resume,
	startedWith,
	tally,
	withPauses,
} from './support.mts';

const userFolder = mkdtempSync(join(tmpdir(), 'school-partner-kill-'));
let n8n: RunningN8n | undefined;
let sandbox: Sandbox | undefined;

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	rmSync(userFolder, { recursive: true, force: true });
});

/** request_ids of the runs, one for each run. */
async function idsOfRuns(session: Session, runs: ExecutionSummary[]): Promise<string[]> {
	const items = await inParallel(runs, 4, async ({ id }) => await startedWith(session, id));
	return items.map((item) => (item as { header: { request_id: string } }).header.request_id);
}

/** Deliveries that are on their way at once. */
const AT_ONCE = 10;

const LOSS = capabilities.recordsBeforeAnswering
	? 'loses none that it answered'
	: 'loses at most what it had answered at that instant and not yet recorded';

/** All runs, once none is under way any more, or, where n8n forgets some that were under way, once nothing changes. */
async function settledRuns(session: Session, workflowId: string): Promise<ExecutionSummary[]> {
	let before = '';
	return await eventually(async () => {
		const all = await allExecutions(session, workflowId);
		if (capabilities.endsWhatACrashCutOff)
			return all.some(({ status }) => status === 'running' || status === 'new') ? undefined : all;
		const now = JSON.stringify(tally(all, ({ status }) => status));
		const isSettled = now === before;
		before = now;
		if (!isSettled) await wait(5_000);
		return isSettled ? all : undefined;
	});
}

test(`killed in the middle of 500 deliveries, n8n ${LOSS}, and takes the others later`, async () => {
	sandbox = await startSandbox({ students: 100 });
	const { admin } = sandbox;
	n8n = await startN8n({
		userFolder,
		env: LAZY,
		prepare: async (folder) => void (await installPackage(folder)),
	});
	const { port } = n8n;
	const first = await signIn(n8n.baseUrl);
	const { url, workflow } = await openTrigger(first, withPauses);
	await admin.registerWebhook({ url, apiKey: KEY, retries: 60, backoffMs: 200 });

	const loading = admin.runLoad({ count: 500, concurrency: AT_ONCE, revocationEvery: 4 });
	const successful = async () => (await admin.deliveries()).filter(({ isSuccessful }) => isSuccessful);
	await until(async () => (await successful()).length >= 100, LONG_MS);
	await n8n.kill();
	const answered = (await successful()).map(({ requestId }) => requestId);
	// Otherwise it was not killed in the middle.
	expect(answered.length).toBeLessThan(500);

	n8n = await startN8n({ userFolder, port, env: LAZY });
	const session = await signIn(n8n.baseUrl);
	const { sentIds, acceptedIds } = await loading;
	expect(acceptedIds.length).toBe(500);

	const runs = await settledRuns(session, workflow.id);
	const ids = await idsOfRuns(session, runs);
	const missing = (wanted: string[]) => wanted.filter((id) => !ids.includes(id));
	const lost = missing(sentIds);
	expect(lost.filter((id) => !answered.includes(id))).toEqual([]);
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
	const again = await inParallel(answered, AT_ONCE, async (id) => await deliver(url, { body: events.get(id) }));
	expect(tally(again, ({ body }) => String(body?.status))).toEqual({ duplicate: answered.length });

	const crashed = runs.filter(({ status }) => status === 'crashed');
	expect(crashed.length).toBeGreaterThan(0);
	for (const run of crashed.slice(0, 1)) await resume(session, run.id);
}, LONG_MS);
