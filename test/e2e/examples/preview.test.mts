/** The example that previews a roster, imported into a real n8n as it stands: it reads and asks, and changes nothing. */
import type { WorkflowInput } from '../../../playground/n8n-client.mts';
import { heldBy } from '../../support/held.mts';
import { summaryOf } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'preview-tonights-roster';
const PREVIEW = 'Preview';
const LEDGER = 'A ledger to try';

const workroom = useExamples();

describe("Preview tonight's roster", () => {
	test('says which class, persons and bonds would be created, in their order; sends none of them, and makes no ledger', async () => {
		const execution = await workroom.run(workroom.example(NAME));
		const steps = jsonOf(execution, PREVIEW, 2).map(({ action, key }) => `${String(action)} ${String(key)}`);
		expect(steps).toEqual([
			'create c:school-001|night-class-1',
			'create u:school-001|night-mother-1',
			'create u:school-001|night-teacher-1',
			'create u:school-001|night-student-3',
			'create u:school-001|night-student-1',
			'create u:school-001|night-student-2',
			'create b:school-001|night-class-1|night-student-1|student',
			'create b:school-001|night-class-1|night-student-2|student',
			'create b:school-001|night-class-1|night-teacher-1|educator',
		]);
		expect(summaryOf(execution, PREVIEW)).toMatchObject({
			outcome: 'held',
			ledger: { name: LEDGER, rows: 0 },
		});
		expect(await workroom.received('/integration/')).toEqual([]);
		const lookups = (await workroom.received('/data/')).map(({ method }) => method);
		// What its grades are called, since one is not mapped; and what it would refuse.
		expect(lookups).toEqual(['GET', 'GET', 'GET']);
		expect(await workroom.hasTable(LEDGER)).toBe(false);
	});

	test('names the class whose grade is not in the mapping, and how many bonds wait for it', async () => {
		const told = jsonOf(await workroom.run(workroom.example(NAME)), PREVIEW, 1);
		expect(told[0].blocks).toBe(1);
		expect(told.map(({ severity, code, key, file, line }) => [severity, code, key, file, line])).toEqual([
			['error', 'gradeNotMapped', 'c:school-001|night-class-2', 'classes.csv', 3],
			['warning', 'held', undefined, undefined, undefined],
		]);
	});

	/** As its note says: one node that gives the files in the place of three. */
	function fromTheSandbox(format: string): WorkflowInput {
		const workflow = workroom.example(NAME);
		const url = `${workroom.stage.sandbox.adminUrl}roster?format=${format}`;
		const nodes = workflow.nodes.map((node) =>
			node.name === 'As File'
				? {
						...node,
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
					}
				: node,
		);
		const connections = {
			...workflow.connections,
			'When Clicking Execute': { main: [[{ node: 'As File', type: 'main', index: 0 }]] },
		};
		return { ...workflow, nodes, connections } as WorkflowInput;
	}

	test.each(['oneroster-1.1', 'oneroster-1.2', 'sds'])(
		'takes a roster of the sandbox with the mapping that it has: %s',
		async (format) => {
			const execution = await workroom.run(fromTheSandbox(format));
			const planned = jsonOf(execution, PREVIEW, 2)
				.map(({ key }) => String(key))
				.sort();
			expect(planned).toEqual([...new Set(await heldBy(workroom.admin))]);
			expect(jsonOf(execution, PREVIEW, 1).filter(({ severity }) => severity === 'error')).toEqual([]);
		},
	);
});
