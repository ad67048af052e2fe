/** Each example as its user first sees it: imported, with the credentials picked, on the canvas of the editor. */
import { readdirSync, readFileSync } from 'node:fs';

import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	createWorkflow,
	PLAYGROUND_ACCOUNT,
	withCredential,
	type CredentialInput,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { openWorkflow, signInToEditor } from '../../support/n8n-editor.mts';
import { canvasPicture, nodesOnCanvas } from '../../support/n8n-canvas.mts';
import { setStage, type Stage } from '../../support/stage.mts';

/** The pictures of examples/README.md come from here; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images/examples' : undefined;

const NOTE = 'n8n-nodes-base.stickyNote';
const names = readdirSync('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace(/\.json$/, ''));

let stage: Stage;
let browser: Browser;
let page: Page;
let credentials: StoredCredential[];

beforeAll(async () => {
	stage = await setStage();
	const { issuerUrl, clientId, clientSecret } = stage.sandbox;
	const others: CredentialInput[] = [
		{ name: 'Key', type: 'schoolPartnerWebhookApi', data: { apiKey: 'the-key', previousApiKey: '' } },
		{ name: 'OIDC', type: 'schoolPartnerOidcOAuth2Api', data: { issuerUrl, clientId, clientSecret } },
		{ name: 'Chat model', type: 'openAiApi', data: { apiKey: 'none' } },
	];
	credentials = [stage.credential];
	for (const other of others) credentials.push(await createCredential(stage.session, other));
	browser = await startBrowser();
	page = await newPage(browser, { width: 1200, height: 680 });
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
}, 240_000);
afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

describe.each(names)('%s', (name) => {
	const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	const steps = file.nodes.filter(({ type }) => type !== NOTE);

	test('is drawn with all its nodes', async () => {
		const bound = credentials.reduce(withCredential, file);
		const { id } = await createWorkflow(stage.session, bound);
		await openWorkflow(page, stage.n8n.baseUrl, id);
		const drawn = await nodesOnCanvas(page);
		expect(drawn.filter((node) => steps.some((step) => step.name === node)).sort()).toEqual(
			steps.map((step) => step.name).sort(),
		);
		if (PICTURES !== undefined) await canvasPicture(page, `${PICTURES}/${name}.png`);
	});

	test('explains itself in notes, and names its nodes by what they do here', () => {
		const notes = file.nodes.filter(({ type }) => type === NOTE);
		expect(notes.length).toBeGreaterThanOrEqual(2);
		expect(notes.some(({ parameters }) => String(parameters.content).startsWith(`## ${file.name}\n`))).toBe(
			true,
		);
		// "Edit Fields1" is n8n's name for a second node that nobody has named.
		expect(steps.map((step) => step.name).filter((step) => /\d$/.test(step))).toEqual([]);
	});
});
