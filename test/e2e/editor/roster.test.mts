/** The roster node in n8n's editor: what a person who plans a night sees. */
import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import { openNode, openWorkflow } from '../../support/n8n-editor.mts';
import { panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { until } from '../../support/eventually.mts';

import { useEditor } from './support.mts';

/** Where the picture of docs/roster.md goes; set SCREENSHOTS=1 to take it anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const chosen = (value: string) => ({ __rl: true, mode: 'name', value });

const editor = useEditor({ width: 1440, height: 1400 });

test('Plan Changes says what has to stand around it, and has its grades in a table', async () => {
	const grade = {
		gradeCode: '05',
		schoolExternalId: '',
		educationalStage: chosen('EF1'),
		gradeName: chosen('5º ano'),
	};
	const node = {
		id: 'plan',
		name: 'Plan Changes',
		type: 'n8n-nodes-school-partner.schoolPartnerRoster',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { operation: 'plan', mapping: { grades: { grade: [grade] } }, options: { firstRun: true } },
		credentials: credentialReference(editor.stage.credential),
	};
	const workflow = await createWorkflow(editor.stage.session, {
		name: 'Roster',
		nodes: [node],
		connections: {},
	});
	await openWorkflow(editor.page, editor.stage.n8n.baseUrl, workflow.id);
	await openNode(editor.page, 'Plan Changes');
	// n8n draws the rows of a table after the rest.
	await until(async () => (await shownFields(editor.page)).at(-1)?.label === 'First Run');
	const fields = await shownFields(editor.page);
	expect(fields.map(({ label }) => label)).toEqual([
		...['Roster Comes From', 'Format'],
		...['Mapping', 'Grades', 'Grade Code', 'School External ID', 'Educational Stage', 'Grade of the Service'],
		...['Options', 'First Run'],
	]);
	expect(fields.filter(({ clipped }) => clipped)).toEqual([]);
	expect((await shownNotices(editor.page)).join(' ')).toContain('Nothing is sent by this operation');
	if (PICTURES !== undefined) await panelPicture(editor.page, `${PICTURES}/roster-plan.png`);
});
