import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../support/engine.mts';

import { useWorkroom, wordsOf } from './workroom.mts';
import { doneOf, EXPORT, outputsOf, plan, zipOf, type Night } from './rosterStage.mts';

const workroom = useWorkroom();

const planned = async (night: Night) => outputsOf(await plan(workroom, night));
const compact = async (items: IDataObject[]) =>
	await runNode({ node: 'schoolPartnerRoster', items, parameters: { operation: 'compact' } });

test('A compacted ledger is shorter, behind greater run ids, and changes no plan, before and after the old rows are deleted', async () => {
	const first = doneOf(await planned({ options: { firstRun: true } }));
	const without = EXPORT['enrollments.csv']
		.split('\n')
		.filter((line) => !line.startsWith('e2,'))
		.join('\n');
	const ledger = [
		...first,
		...doneOf(await planned({ ledger: first, roster: [zipOf({ 'enrollments.csv': without })] })),
	];
	const { items } = await compact(ledger);
	expect(items.length).toBeLessThan(ledger.length);
	const greatest =
		ledger
			.map(({ run_id: id }) => String(id))
			.sort()
			.at(-1) ?? '';
	expect(items.every(({ run_id: id }) => String(id) > greatest)).toBe(true);
	for (const after of [[...ledger, ...items], items]) {
		const { changes, held } = await planned({ ledger: after });
		expect(changes.map(({ action, key }) => [action, key])).toEqual([
			['create', 'b:school-001|ros-class-1|ros-student-2|student'],
		]);
		expect(held).toEqual([]);
	}
});

test('A ledger is not compacted while its last run has no end', async () => {
	const { ledgerRows } = await planned({ options: { firstRun: true } });
	const run = await compact(ledgerRows);
	expect(run.outputs.flat()).toEqual([]);
	expect(wordsOf(run).message).toContain('the ledger cannot be compacted now');
});

test('Another table is not compacted', async () => {
	expect(wordsOf(await compact([{ name: 'Chess' }])).message).toContain('are no rows of a ledger');
});
