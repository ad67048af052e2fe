/** The mapping of a roster in n8n's editor, as docs/roster.md goes through it: what is missing, where it is filled in; and the columns of a sheet, as docs/sheet.md shows them. */
import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import { getRosterColumns } from '../../../nodes/SchoolPartnerRoster/panel/columns.ts';
import {
	executeStep,
	openNode,
	openResourceList,
	openWorkflow,
	outputShows,
	panel,
	showOutput,
} from '../../support/n8n-editor.mts';
import { outputPicture, panelPicture } from '../../support/n8n-panel.mts';
import { wired, type Step } from '../../support/wired.mts';

import { useEditor } from './support.mts';

/** Where the pictures of docs/roster.md go; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const SIZE = { width: 1440, height: 1400 };

const editor = useEditor(SIZE);

const roster = (name: string, parameters: Step['parameters'], from?: Step['from']): Step => ({
	...{ name, type: 'n8n-nodes-school-partner.schoolPartnerRoster', parameters, from },
	credentials: credentialReference(editor.stage.credential),
});

async function opened(node: string, steps: readonly Step[]): Promise<void> {
	const { id } = await createWorkflow(editor.stage.session, {
		name: node,
		...wired(steps),
		settings: { executionOrder: 'v1' },
	});
	await openWorkflow(editor.page, editor.stage.n8n.baseUrl, id);
	await openNode(editor.page, node);
}

test('Read Files without a mapping says under Findings which grades and roles have none', async () => {
	const options = { response: { response: { responseFormat: 'file' } } };
	await opened('Read Files', [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'Export',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `${editor.stage.sandbox.adminUrl}roster?format=oneroster-1.2&students=12`, options },
			from: ['Start'],
		},
		roster('Read Files', { operation: 'readFiles' }, ['Export']),
	]);
	// Wide enough for what is said.
	await editor.page.setViewportSize({ width: 2400, height: 800 });
	await executeStep(editor.page);
	await showOutput(editor.page, 'Findings');
	await outputShows(editor.page, 'gradeNotMapped');
	await outputShows(editor.page, 'roleNotMapped');
	if (PICTURES !== undefined) await outputPicture(editor.page, `${PICTURES}/roster-findings.png`);
	await editor.page.setViewportSize(SIZE);
});

test('A row of Mapping > Grades lists the stages that its school has', async () => {
	const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
	const grade = {
		gradeCode: '05',
		schoolExternalId: 'school-002',
		educationalStage: chosen(''),
		gradeName: chosen(''),
	};
	await opened('Sync', [roster('Sync', { mapping: { grades: { grade: [grade] } } })]);
	const labels = await openResourceList(editor.page, 'educationalStage');
	expect(labels).toEqual(['EF1: Elementary school, first years', 'EF2: Elementary school, final years']);
	if (PICTURES !== undefined) await panelPicture(editor.page, `${PICTURES}/roster-grades.png`);
});

test('Columns says which column of a sheet is what, with the fields that a sheet usually has', async () => {
	const value = {
		school_external_id: '={{ $json.Escola }}',
		student_external_id: '={{ $json["Matrícula"] }}',
		student_full_name: '={{ $json.Aluno }}',
		class_external_id: '={{ $json["Código da turma"] }}',
		class_name: '={{ $json.Turma }}',
		class_grade: '={{ $json["Série"] }}',
		class_year: '={{ $json["Ano letivo"] }}',
		responsible_1_external_id: '={{ $json["Código do responsável"] }}',
		responsible_1_full_name: '={{ $json["Responsável"] }}',
	};
	await editor.page.setViewportSize({ ...SIZE, height: 2000 });
	// As the editor saves it: which fields there are, and which of them are shown.
	const { fields: schema } = await getRosterColumns.call({} as never);
	await opened('Sync', [
		roster('Sync', {
			source: 'rows',
			columns: { mappingMode: 'defineBelow', value, schema } as never,
		}),
	]);
	for (const label of ['School External ID', 'Student Full Name', 'Class Grade', 'Responsible 1 Full Name']) {
		await panel(editor.page).getByText(label, { exact: true }).first().waitFor();
	}
	expect(await panel(editor.page).getByText('Responsible 2 Full Name', { exact: true }).count()).toBe(0);
	if (PICTURES !== undefined) await panelPicture(editor.page, `${PICTURES}/roster-columns.png`);
});
