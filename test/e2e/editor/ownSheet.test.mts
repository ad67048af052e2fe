/** docs/sheet.md, "Your own sheet, step by step", clicked through in n8n's editor with the list of an office. */
import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import {
	byTestId,
	chooseFrom,
	chooseOption,
	closeNode,
	executeStep,
	fillParameter,
	openNode,
	openWorkflow,
	outputShows,
	panel,
	showOutput,
} from '../../support/n8n-editor.mts';
import { until } from '../../../playground/eventually.mts';
import { wired } from '../../support/wired.mts';
import { FileServer } from '../roster/stage.mts';

import { useEditor } from './support.mts';

const editor = useEditor({ width: 1440, height: 1400 });
let files: FileServer;

beforeAll(async () => void (files = await FileServer.start()));
afterAll(() => files?.stop());

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
