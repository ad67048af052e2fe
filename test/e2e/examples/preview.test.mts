/** The example that plans a roster, imported into a real n8n as it stands: it reads and asks, and changes nothing. */
import type { WorkflowInput } from '../../../playground/n8n-client.mts';
import { heldBy } from '../../support/held.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'plan-tonights-roster';

const workroom = useExamples();

describe("Plan tonight's roster", () => {
	test('plans the class, the persons and their bonds in the order in which they would be sent, and sends none of them', async () => {
		const execution = await workroom.run(workroom.example(NAME));
		const steps = jsonOf(execution, 'Changes').map(({ action, key }) => `${String(action)} ${String(key)}`);
		expect(steps).toEqual([
			'create c:school-001|night-class-1',
			'create u:night-mother-1',
			'create u:night-teacher-1',
			'create u:night-student-3',
			'create u:night-student-1',
			'create u:night-student-2',
			'create b:school-001|night-class-1|night-student-1|student',
			'create b:school-001|night-class-1|night-student-2|student',
			'create b:school-001|night-class-1|night-teacher-1|educator',
		]);
		const [summary] = jsonOf(execution, 'Summary');
		expect(summary).toMatchObject({ held: false, first_run: true, left: 0, ledger_rows: 0 });
		expect(jsonOf(execution, 'Held')).toEqual([]);
		expect(await workroom.received('/integration/')).toEqual([]);
		const lookups = (await workroom.received('/data/')).map(({ method }) => method);
		expect(lookups).toEqual(['GET', 'GET']);
		expect(await workroom.rowsOf('Ledger to try')).toEqual([]);
	});

	test('names the class whose grade is not in the mapping, and the bond that waits for it', async () => {
		const findings = jsonOf(await workroom.run(workroom.example(NAME)), 'Findings');
		expect(findings.map(({ severity, code, key, file, line }) => [severity, code, key, file, line])).toEqual([
			['error', 'gradeNotMapped', 'c:school-001|night-class-2', 'classes.csv', 3],
			[
				'warning',
				'waitsForFaulty',
				'b:school-001|night-class-2|night-student-3|student',
				'enrollments.csv',
				5,
			],
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
			'When Clicking Execute': {
				main: [['As File', 'Table of the Ledger'].map((node) => ({ node, type: 'main', index: 0 }))],
			},
		};
		return { ...workflow, nodes, connections } as WorkflowInput;
	}

	test.each(['oneroster-1.1', 'oneroster-1.2', 'sds'])(
		'takes a roster of the sandbox with the mapping that it has: %s',
		async (format) => {
			const execution = await workroom.run(fromTheSandbox(format));
			const planned = jsonOf(execution, 'Changes')
				.map(({ key }) => String(key))
				.sort();
			// A responsible person is a user in each school of its students, and one person of the network.
			expect(planned).toEqual([...new Set(await heldBy(workroom.admin))]);
			expect(jsonOf(execution, 'Findings').filter(({ severity }) => severity === 'error')).toEqual([]);
		},
	);
});
