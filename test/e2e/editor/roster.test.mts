/** The roster node in n8n's editor: what a person who plans a night sees. */
import type { Browser, Page } from 'playwright-core';

import { createWorkflow, credentialReference, PLAYGROUND_ACCOUNT } from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { openNode, openWorkflow, signInToEditor } from '../../support/n8n-editor.mts';
import { panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { until } from '../../support/eventually.mts';
import { setStage, type Stage } from '../../support/stage.mts';

/** Where the picture of docs/roster.md goes; set SCREENSHOTS=1 to take it anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const chosen = (value: string) => ({ __rl: true, mode: 'name', value });

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	stage = await setStage();
	browser = await startBrowser();
	page = await newPage(browser, { width: 1440, height: 1400 });
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
}, 240_000);
afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

test('Plan Changes says what has to stand around it, and has its grades in a table', async () => {
	const grade = { gradeCode: '05', schoolExternalId: '', educationalStage: chosen('EF1'), gradeName: chosen('5º ano') };
	const node = {
		id: 'plan',
		name: 'Plan Changes',
		type: 'n8n-nodes-school-partner.schoolPartnerRoster',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { operation: 'plan', mapping: { grades: { grade: [grade] } }, options: { firstRun: true } },
		credentials: credentialReference(stage.credential),
	};
	const workflow = await createWorkflow(stage.session, { name: 'Roster', nodes: [node], connections: {} });
	await openWorkflow(page, stage.n8n.baseUrl, workflow.id);
	await openNode(page, 'Plan Changes');
	// n8n draws the rows of a table after the rest.
	await until(async () => (await shownFields(page)).at(-1)?.label === 'First Run');
	const fields = await shownFields(page);
	expect(fields.map(({ label }) => label)).toEqual([
		...['Roster Comes From', 'Format'],
		...['Mapping', 'Grades', 'Grade Code', 'School External ID', 'Educational Stage', 'Grade of the Service'],
		...['Options', 'First Run'],
	]);
	expect(fields.filter(({ clipped }) => clipped)).toEqual([]);
	expect((await shownNotices(page)).join(' ')).toContain('Nothing is sent by this operation');
	if (PICTURES !== undefined) await panelPicture(page, `${PICTURES}/roster-plan.png`);
});
