/** A person's first minutes in n8n's editor: find the node, connect it, pick from its lists, run it. */
import type { Browser, Page } from 'playwright-core';

import { createWorkflow, PLAYGROUND_ACCOUNT } from '../../../playground/n8n-client.mts';
import { newPage, screenshot, startBrowser } from '../../support/browser.mts';
import {
	addNode,
	closeNode,
	executeStep,
	fillCredential,
	fillParameter,
	openNewCredential,
	openResourceList,
	openWorkflow,
	outputShows,
	pickFromResourceList,
	saveAndTestCredential,
	searchAgain,
	searchNodes,
	signInToEditor,
} from '../../support/n8n-editor.mts';
import { machineAccess, setStage, type Stage } from '../../support/stage.mts';

/** Pictures of the README come from here; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	stage = await setStage({ withoutCredential: true });
	browser = await startBrowser();
	page = await newPage(browser);
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
	const workflow = await createWorkflow(stage.session, {
		name: 'First steps',
		nodes: [
			{
				id: 'a',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	await openWorkflow(page, stage.n8n.baseUrl, workflow.id);
}, 240_000);

afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

async function picture(name: string): Promise<void> {
	if (PICTURES !== undefined) await screenshot(page, `${PICTURES}/${name}.png`);
}

test('who searches "school" finds the node', async () => {
	expect(await searchNodes(page, 'school')).toContain('School Partner');
});

const SEARCH_WORDS = [
	'student',
	'class',
	'guardian',
	'enrollment',
	'SIS',
	'OneRoster',
	'school sync',
	'roster',
];

test.each(SEARCH_WORDS)('who searches "%s" finds the node', async (word) => {
	expect(await searchAgain(page, word, 'School Partner')).toContain('School Partner');
});

test('without a credential a list says that one is needed', async () => {
	await addNode(page, 'School Partner', 'Create class');
	await fillParameter(page, 'schoolExternalId', 'school-001');
	await expect(openResourceList(page, 'educationalStage')).rejects.toThrow('Add your credential');
	await fillParameter(page, 'schoolExternalId', '');
});

test('the credential of a new node is saved and tested green', async () => {
	await openNewCredential(page);
	// Two of them stand where the dialog has to be scrolled.
	const whatIsNeeded = page.getByText("'Base URL' and 'Issuer URL' further down");
	await whatIsNeeded.waitFor();
	const { baseUrl, issuerUrl, clientId, clientSecret } = machineAccess(stage.sandbox);
	await fillCredential(page, { baseUrl, issuerUrl, clientId, clientSecret });
	await whatIsNeeded.scrollIntoViewIfNeeded();
	await picture('credential');
	expect(await saveAndTestCredential(page)).toEqual({ ok: true, message: 'Connection successful!' });
});

test('the lists of stages and grades load while the node is being edited', async () => {
	await fillParameter(page, 'schoolExternalId', 'school-001');
	const stages = await openResourceList(page, 'educationalStage');
	expect(stages.join(' ')).toContain('EF1');
	await picture('stages-list');
	await pickFromResourceList(page, 'EF1');
	const grades = await openResourceList(page, 'grade');
	expect(grades.join(' ')).toContain('5º ano');
	await pickFromResourceList(page, '5º ano');
});

test('the run shows the class that was created', async () => {
	await fillParameter(page, 'externalId', 'class-from-the-editor');
	await fillParameter(page, 'year', '2026');
	await fillParameter(page, 'code', '5A');
	await fillParameter(page, 'name', 'Grade 5 A');
	expect(await executeStep(page)).toContain('1 item');
	await outputShows(page, 'class-from-the-editor');
	await picture('create-class');
	expect((await stage.sandbox.admin.classes({ externalId: 'class-from-the-editor' })).count).toBe(1);
});

test('a value that cannot be sent is named with what to do', async () => {
	await fillParameter(page, 'year', '20.5');
	await executeStep(page);
	await outputShows(page, 'Year must be a whole number of at most four digits, for example 2026');
	await outputShows(page, 'Nothing was sent for this item. Correct its values and run it again.');
	expect((await stage.sandbox.admin.classes({ externalId: 'class-from-the-editor' })).count).toBe(1);
	await picture('year-refused');
	await closeNode(page);
});
