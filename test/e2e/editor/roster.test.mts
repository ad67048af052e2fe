/** The roster node in n8n's editor: what a person who plans a night sees. */
import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import { openNode, openWorkflow } from '../../support/n8n-editor.mts';
import { panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { until } from '../../../playground/eventually.mts';

import { useEditor } from './support.mts';

/** Where the picture of docs/roster.md goes; set SCREENSHOTS=1 to take it anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const chosen = (value: string) => ({ __rl: true, mode: 'name', value });

const editor = useEditor({ width: 1440, height: 1400 });

test('Sync says that the first run is held, keeps its ledger in a Data Table, and has its grades in a table', async () => {
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
