/** A person's first minutes in n8n's editor: find the node, connect it, pick from its lists, run it; and what the trigger shows. */
import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	createWorkflow,
	PLAYGROUND_ACCOUNT,
	testCredential,
	type StoredCredential,
} from '../../../playground/n8n-client.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { newPage, screenshot, startBrowser } from '../../support/browser.mts';
import {
	addNode,
	closeNode,
	executeStep,
	fillCredential,
	fillParameter,
	openNewCredential,
	openNode,
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
import { userAccess } from '../../unit/trigger/sample-events.mts';
import { KEY, TRIGGER, triggerWorkflow } from '../trigger/support.mts';
import { listenForTestEvent, outputSays, showProductionUrl } from '../trigger/trigger-panel.mts';

/** Pictures of the README come from here; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	stage = await setStage({ editor: true, withoutCredential: true });
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

describe('The trigger', () => {
	let credential: StoredCredential;
	let path: string;

	beforeAll(async () => {
		credential = await createCredential(stage.session, {
			name: 'Key',
			type: 'schoolPartnerWebhookApi',
			data: { apiKey: KEY, previousApiKey: '' },
		});
		const workflow = await createWorkflow(stage.session, triggerWorkflow(credential));
		path = `${workflow.nodes[0]?.webhookId}/events`;
		await openWorkflow(page, stage.n8n.baseUrl, workflow.id);
	});

	test('the outputs carry the names of the events', async () => {
		const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${TRIGGER}"]`);
		await node.waitFor();
		const labels = await page.locator('.vue-flow__node', { has: node }).innerText();
		expect(labels).toContain('User Access');
		expect(labels).toContain('Revocation');
	});

	test('the panel says which address to register with the service, and where the key goes', async () => {
		await openNode(page, TRIGGER);
		const text = await showProductionUrl(page);
		expect(text).toContain(`${stage.n8n.baseUrl}/webhook/${path}`);
		expect(text).toMatch(/register the production URL with the service/);
		expect(text).toMatch(/x-api-key in the credential/);
	});

	test('listening for a test event shows the event that is delivered to the test URL, again and again', async () => {
		for (const name of ['Lia Exemplar', 'Lia Exemplar', 'Ana Exemplar']) {
			await listenForTestEvent(page);
			const body = JSON.stringify(userAccess()).replace('Lia Exemplar', name);
			const answer = await deliver(`${stage.n8n.baseUrl}/webhook-test/${path}`, { body });
			expect(answer).toMatchObject({ status: 200, body: { status: 'accepted' } });
			await outputSays(page, name);
		}
		await outputSays(page, 'received_at');
	});

	test.each<[string, string, RegExp]>([
		['a key with a space behind it', `${KEY} `, /spaces before or after/],
		['a key that is too long', 'k'.repeat(1025), /1025 characters/],
		['a key that no header can carry', 'clé', /a header cannot carry/],
		['an empty key', '', /is empty/],
	])('the Test of the credential is red for %s', async (_what, apiKey, reason) => {
		const verdict = await testCredential(stage.session, credential, { apiKey });
		expect(verdict).toMatchObject({ status: 'Error', message: expect.stringMatching(reason) as string });
		expect(
			await testCredential(stage.session, credential, { apiKey: KEY, previousApiKey: apiKey }),
		).toMatchObject({
			status: apiKey === '' ? 'OK' : 'Error',
		});
	});

	test('the Test of the credential is green for a right key', async () => {
		expect(await testCredential(stage.session, credential)).toMatchObject({ status: 'OK' });
	});
});
