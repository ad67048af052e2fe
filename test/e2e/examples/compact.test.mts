/** "Compact the ledger" on the ledger of real nights. */
import {
	createWorkflow,
	errorOf,
	runAndWait,
	type Execution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { BY_HAND, EVERY_NIGHT, Nights } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NIGHTLY = 'sync-the-roster-every-night';
const NAME = 'compact-the-ledger';
const LEDGER = 'Roster ledger';

const workroom = useExamples({ sandbox: { empty: true, students: 60 } });

beforeEach(async () => void (await workroom.deleteTable(LEDGER)));

/** A run of the example, as it ends. */
async function compact(): Promise<Execution> {
	const { id } = await createWorkflow(workroom.stage.session, workroom.example(NAME));
	return await runAndWait(workroom.stage.session, id, { trigger: BY_HAND });
}

const keysThere = (rows: Array<Record<string, unknown>>) =>
	rows
		.filter(({ state }) => state === 'applied')
		.map(({ key }) => String(key))
		.sort();

test('the ledger of several nights becomes short, and the night after plans as it would have without', async () => {
	const nights = await Nights.of(workroom, workroom.example(NIGHTLY));
	await nights.run(BY_HAND);
	await nights.run(EVERY_NIGHT, { tonight: 20 });
	const before = await nights.run(EVERY_NIGHT, { tonight: 20 });
	const long = jsonOf(before.execution, 'Rows of the Ledger');

	const execution = await compact();
	expect(execution.status).toBe('success');
	expect(jsonOf(execution, 'Delete What Is Older')).toHaveLength(long.length);

	const after = await nights.run(EVERY_NIGHT, { tonight: 20 });
	const short = jsonOf(after.execution, 'Rows of the Ledger');
	expect(short.length).toBeLessThan(long.length);
	expect(new Set(short.map(({ run_id: runId }) => runId)).size).toBe(1);
	const removed = new Set(long.filter(({ state }) => state === 'removed').map(({ key }) => String(key)));
	expect(removed.size).toBeGreaterThan(0);
	expect(keysThere(short)).toEqual(keysThere(long).filter((key) => !removed.has(key)));
	expect(after.writes).toEqual([]);

	// And a night with changes sends these alone.
	const next = await nights.run(EVERY_NIGHT, { tonight: 40 });
	expect(next.writes.length).toBeGreaterThan(0);
	expect(next.writes.filter(({ status }) => status > 299)).toEqual([]);
	expect((await nights.run(EVERY_NIGHT, { tonight: 40 })).writes).toEqual([]);
});

test('a run that has not come to its end is not compacted away: the node stops, and no row is touched', async () => {
	const nights = await Nights.of(workroom, cutOff(workroom.example(NIGHTLY)));
	const { execution } = await nights.run(BY_HAND);
	expect(jsonOf(execution, 'Plan Changes').length).toBeGreaterThan(0);
	const before = await workroom.rowsOf(LEDGER);
	expect(before.map(({ kind, state }) => [kind, state])).toEqual([
		['run', 'planned'],
		['batch', 'planned'],
	]);

	const compacted = await compact();
	expect(compacted.status).toBe('error');
	expect(errorOf(compacted)?.message).toContain('The last run did not come to its end');
	expect(await workroom.rowsOf(LEDGER)).toEqual(before);
});

/** The night ends after the rows of its plan were written, as a crash may end it. */
function cutOff(workflow: WorkflowInput): WorkflowInput {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Each Batch' ? { ...node, disabled: true } : node)),
	};
}
