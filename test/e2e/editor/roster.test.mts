/**
 * The roster node in n8n's editor: what a person who plans a night sees; its mapping, as docs/roster.md goes through it, with what is missing and where it
 * is filled in; and the sheet of an office, as docs/sheet.md shows its columns and goes through "Your own sheet, step by step".
 */
import { getRosterColumns } from '../../../nodes/SchoolPartnerRoster/panel/columns.ts';
import { until } from '../../../playground/eventually.mts';
import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import {
	byTestId,
	chooseFrom,
	chooseOption,
	closeNode,
	executeStep,
	fillParameter,
	openNode,
	openResourceList,
	openWorkflow,
	outputShows,
	panel,
	showOutput,
} from '../../support/n8n-editor.mts';
import { outputPicture, panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { wired, type Step } from '../../support/wired.mts';
import { FileServer } from '../roster/stage.mts';

import { useEditor } from './support.mts';

/** Where the pictures of docs/roster.md go; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const SIZE = { width: 1440, height: 1400 };

const editor = useEditor(SIZE);
let files: FileServer;

beforeAll(async () => void (files = await FileServer.start()));
afterAll(() => files?.stop());

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

test('Sync says that the first run is held, keeps its ledger in a Data Table, and has its grades in a table', async () => {
	const chosen = (value: string) => ({ __rl: true, mode: 'name', value });
	const grade = {
		gradeCode: '05',
		schoolExternalId: '',
		educationalStage: chosen('EF1'),
		gradeName: chosen('5º ano'),
	};
	const node = {
		id: 'sync',
		name: 'School Partner Roster',
		type: 'n8n-nodes-school-partner.schoolPartnerRoster',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { mapping: { grades: { grade: [grade] } }, options: { onlySchools: 'school-001' } },
		credentials: credentialReference(editor.stage.credential),
	};
	const workflow = await createWorkflow(editor.stage.session, {
		name: 'Roster',
		nodes: [node],
		connections: {},
	});
	await openWorkflow(editor.page, editor.stage.n8n.baseUrl, workflow.id);
	await openNode(editor.page, 'School Partner Roster');
	// n8n draws the rows of a table after the rest.
	await until(async () => (await shownFields(editor.page)).at(-1)?.label === 'Only Schools');
	const fields = await shownFields(editor.page);
	expect(fields.map(({ label }) => label)).toEqual([
		...['Roster Comes From', 'Format', 'Exports', 'Ledger', 'Ledger Name'],
		...['Mapping', 'Grades', 'Grade Code', 'School External ID', 'Educational Stage', 'Grade of the Service'],
		...['Options', 'Only Schools'],
	]);
	expect(fields.filter(({ clipped }) => clipped)).toEqual([]);
	expect((await shownNotices(editor.page)).join(' ')).toContain('The first run is held once');
	if (PICTURES !== undefined) await panelPicture(editor.page, `${PICTURES}/roster-sync.png`);
});

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
	await editor.page.setViewportSize(SIZE);
});

/** As Excel in Brazil saves it: windows-1252, semicolons, cells that are empty. */
const LIST = [
	'Cód. Escola;Escola;Matrícula;Nome do aluno;Data de Nascimento;Cód. Turma;Turma;Ano/Série;Ano Letivo;Responsável;E-mail do responsável;Observações',
	'school-001;Escola Aurora;7001;Conceição Lagoeiro;31/12/2015;2026-5X;5º X;5º Ano;2026;;;',
	'school-001;Escola Aurora;7002;João Quitanilha;01/02/2016;2026-5X;5º X;5º Ano;2026;;;usa óculos',
	'',
].join('\r\n');

/** Adds a field to a collection of the open node, by what the collection offers itself with. */
async function add(offer: 'Add option' | 'Add mapping', label: string): Promise<void> {
	await chooseFrom(editor.page, panel(editor.page).getByPlaceholder(offer).first(), label);
}

test('a sheet with semicolons, in the encoding of Excel, is understood with four settings, no column dragged and no expression', async () => {
	const { page, stage } = editor;
	const options = { response: { response: { responseFormat: 'file' } } };
	const url = files.serve('alunos.csv', Buffer.from(LIST, 'latin1'));
	const { id } = await createWorkflow(stage.session, {
		name: 'Sheet of the office',
		...wired([
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{
				...{ name: 'Get the File', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, from: ['Start'] },
				parameters: { url, options },
			},
			{
				...{ name: 'Extract from File', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1 },
				...{ parameters: { operation: 'csv' }, from: ['Get the File'] },
			},
			{
				...{ name: 'School Partner Roster', type: 'n8n-nodes-school-partner.schoolPartnerRoster' },
				...{ parameters: {}, from: ['Extract from File'] },
				credentials: credentialReference(stage.credential),
			},
		]),
		settings: { executionOrder: 'v1' },
	});
	await openWorkflow(page, stage.n8n.baseUrl, id);

	await openNode(page, 'Extract from File');
	await add('Add option', 'Delimiter');
	await fillParameter(page, 'delimiter', ';');
	await add('Add option', 'Encoding');
	await chooseOption(page, 'encoding', 'Latin1');
	await add('Add option', 'Include Empty Cells');
	await byTestId(panel(page), 'parameter-input-includeEmptyCells')
		.locator('.el-switch, [role=switch]')
		.first()
		.click();
	await executeStep(page);
	await outputShows(page, 'Conceição Lagoeiro');
	await closeNode(page);

	await openNode(page, 'School Partner Roster');
	await chooseOption(page, 'operation', 'Preview');
	await chooseOption(page, 'source', 'Rows of a Sheet');
	await fillParameter(page, 'ledgerName', 'Sheet of the Office');
	await add('Add mapping', 'Date Format');
	await chooseOption(page, 'dateFormat', 'DD/MM/YYYY');
	await executeStep(page);
	await showOutput(page, 'Needs Attention');
	await outputShows(page, 'columnsMatched');
	await showOutput(page, 'Changes');
	await outputShows(page, 'u:school-001|7001');

	// What was filled in for Preview is there for Sync.
	await chooseOption(page, 'operation', 'Sync');
	const dateFormat = byTestId(panel(page), 'parameter-input-dateFormat').locator('input').first();
	await until(async () => (await dateFormat.inputValue()) === 'DD/MM/YYYY');
});
