/** What a person sees of the trigger in n8n's editor. */
import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	createWorkflow,
	PLAYGROUND_ACCOUNT,
	testCredential,
	type StoredCredential,
	type StoredWorkflow,
} from '../../../playground/n8n-client.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { openNode, openWorkflow, signInToEditor } from '../../support/n8n-editor.mts';
import { setStage, type Stage } from '../../support/stage.mts';
import { userAccess } from '../../unit/trigger/sample-events.mts';
import { KEY, TRIGGER, triggerWorkflow } from './support.mts';
import { listenForTestEvent, outputSays, showProductionUrl } from './trigger-panel.mts';

let stage: Stage;
let browser: Browser;
let page: Page;
let credential: StoredCredential;
let workflow: StoredWorkflow;
let path: string;

beforeAll(async () => {
	stage = await setStage();
	credential = await createCredential(stage.session, {
		name: 'Key',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
	workflow = await createWorkflow(stage.session, triggerWorkflow(credential));
	path = `${workflow.nodes[0]?.webhookId}/events`;
	browser = await startBrowser();
	page = await newPage(browser);
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
	await openWorkflow(page, stage.n8n.baseUrl, workflow.id);
});
afterAll(async () => {
	await browser?.close();
	await stage?.end();
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
