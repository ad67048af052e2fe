/**
 * A whole network through the nightly example as it stands, night after night without a hand, in an n8n with its default heap:
 * `npx tsx test/bench/nights.mts 5000 50000`. Prints a table; not part of `npm run bench`, which would take an hour longer.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { activateWorkflow, getExecution, listExecutions, runManually, type ExecutionSummary } from '../../playground/n8n-client.mts';
import { startSandbox } from '../../sandbox/start.mts';
import { BY_HAND, EVERY_NIGHT, heldBy, networkOf } from '../e2e/examples/nights.mts';
import { keysByState, NightlyExample } from '../e2e/roster/example.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';

import { peakMemoryMb } from './measuring/machine.mts';

const STUDENTS_IN_A_SCHOOL = 1_000;
const ENDED = ['success', 'error', 'canceled', 'crashed'];

/** Waits until the workflow has come to rest: what is left goes on by itself, in executions of its own. Newest first. */
async function atRest(n8n: LastingN8n, workflowId: string): Promise<ExecutionSummary[]> {
	for (let quiet = 0; ; ) {
		await wait(1_000);
		// An n8n that is busy breaks off questions, or takes its own database for lost: the next look tells.
		const all = await listExecutions(n8n.session, workflowId).catch(() => []);
		quiet = all.length > 0 && all.every(({ status }) => ENDED.includes(status)) ? quiet + 1 : 0;
		if (quiet === 3) return all;
	}
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const lengthOf = ({ startedAt, stoppedAt }: ExecutionSummary) => Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt);

async function measured(students: number): Promise<Record<string, string | number>> {
	const sandbox = await startSandbox({ students, schools: Math.ceil(students / STUDENTS_IN_A_SCHOOL), empty: true });
	const n8n = await LastingN8n.start();
	try {
		const wanted = await networkOf(sandbox.admin);
		const example = await NightlyExample.open(n8n, sandbox, { batchSize: 500 });
		// What is left goes on by itself in a workflow that is published, and only there.
		await activateWorkflow(n8n.session, example.workflowId);
		const began = Date.now();
		await runManually(n8n.session, example.workflowId, { trigger: BY_HAND });
		const first = await atRest(n8n, example.workflowId);
		const load = Math.max(...first.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''))) - began;
		const peak = peakMemoryMb(n8n.process.pid);
		const held = await heldBy(sandbox.admin);
		const rows = await example.ledger();
		const { applied = [], ...others } = keysByState(rows);
		await sandbox.admin.clearRequests();
		await runManually(n8n.session, example.workflowId, { trigger: EVERY_NIGHT });
		const [second] = await atRest(n8n, example.workflowId);
		let opened = 0;
		for (const { id } of first) opened += Object.keys((await getExecution(n8n.session, id)).data.resultData.runData).length > 0 ? 1 : 0;
		return {
			students,
			records: wanted.length,
			runs: first.length,
			ended: [...new Set(first.map(({ status }) => status))].join(', '),
			'first load': seconds(load),
			'records/s': Math.round(wanted.length / (load / 1_000)),
			'there once': JSON.stringify(held) === JSON.stringify(wanted) ? 'yes' : `no: ${held.length}`,
			'ledger agrees': applied.length === wanted.length && Object.keys(others).length === 0 ? 'yes' : 'no',
			'ledger rows': rows.length,
			'peak MB': Math.round(peak),
			'second night': `${seconds(lengthOf(second))}, ${await sandbox.admin.countRequests({ path: '/integration' })} writes`,
			'executions that open': `${opened} of ${first.length}`,
			'peak MB after': Math.round(peakMemoryMb(n8n.process.pid)),
		};
	} finally {
		await n8n.end();
		await sandbox.stop();
	}
}

for (const size of process.argv.slice(2)) {
	for (const [name, value] of Object.entries(await measured(Number(size)))) console.log(`${name.padEnd(22)} ${value}`);
	console.log();
}
