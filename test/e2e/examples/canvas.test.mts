/** Each example as its user first sees it: imported, with the credentials picked, on the canvas of the editor. */
import { readdirSync, readFileSync } from 'node:fs';

import type { INode } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { capabilities } from '../../../playground/capabilities.mts';
import {
	createCredential,
	createWorkflow,
	getWorkflow,
	PLAYGROUND_ACCOUNT,
	withCredential,
	type CredentialInput,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { inNewTab, newPage, startBrowser } from '../../support/browser.mts';
import { eventually } from '../../../playground/eventually.mts';
import { importFile, openNext, openWorkflow, signInToEditor } from '../../support/n8n-editor.mts';
import { canvasPicture, clickExecute, nodesOnCanvas } from '../../support/n8n-canvas.mts';
import { ACTION_NODE, machineAccess, setStage, type Stage } from '../../support/stage.mts';

/** The pictures of examples/README.md come from here; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images/examples' : undefined;

const NOTE = 'n8n-nodes-base.stickyNote';
const names = readdirSync('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace(/\.json$/, ''));

/** Those that a person cannot try out with a button: a visitor's browser has to come. */
const BY_VISITORS = ['log-a-user-in-and-sync'];
const BY_HAND = 'When Clicking Execute';
const EVERY_NIGHT = 'Every Night';
/** Those whose notes send a person to the button beside a trigger, because the large one waits for a real event or opens a form. */
const BESIDE: Readonly<Record<string, string>> = {
	'audit-every-delivery': BY_HAND,
	'confirm-a-delivery': BY_HAND,
	'sync-a-sheet-every-night': EVERY_NIGHT,
	'sync-every-part-side-by-side': EVERY_NIGHT,
	'sync-the-roster-every-night': EVERY_NIGHT,
	'upsert-users-on-access': BY_HAND,
	'verify-a-seventh-every-night': EVERY_NIGHT,
	'who-has-access': BY_HAND,
};
/** Those whose button opens a form, and waits until it is sent. */
const BY_FORM = ['from-an-uploaded-sheet', 'why-is-this-student-not-there'];

/** An empty canvas shows its questions in the place of nodes. */
const START: INode = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

let stage: Stage;
let browser: Browser;
let page: Page;
let credentials: StoredCredential[];

beforeAll(async () => {
	stage = await setStage({ editor: true });
	const { issuerUrl, clientId, clientSecret } = stage.sandbox;
	const others: CredentialInput[] = [
		{ name: 'Key', type: 'schoolPartnerWebhookApi', data: { apiKey: 'the-key', previousApiKey: '' } },
		{ name: 'OIDC', type: 'schoolPartnerOidcApi', data: { issuerUrl, clientId, clientSecret } },
		{ name: 'Chat model', type: 'openAiApi', data: { apiKey: 'none' } },
		{ name: 'Login', type: 'httpBasicAuth', data: { user: 'office', password: 'none' } },
	];
	credentials = [stage.credential];
	for (const other of others) credentials.push(await createCredential(stage.session, other));
	browser = await startBrowser();
	page = await newPage(browser, { width: 1200, height: 680 });
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
	const { id } = await createWorkflow(stage.session, { name: 'Open', nodes: [START], connections: {} });
	await openWorkflow(page, stage.n8n.baseUrl, id);
});
afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

describe.each(names)('%s', (name) => {
	const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	const steps = file.nodes.filter(({ type }) => type !== NOTE);

	beforeAll(async () => {
		// Once for all tests of the example: it is most of what they wait for.
		await openNext(page, await createWorkflow(stage.session, credentials.reduce(withCredential, file)));
	});

	test('is drawn with all its nodes', async () => {
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

	test('is started by the button that its notes name, without waiting for anything', async () => {
		const notes = file.nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
		if (BY_VISITORS.includes(name)) return expect(notes).not.toContain('Execute workflow');
		expect(notes).toContain('**Execute workflow**');
		if (BY_FORM.includes(name)) return expect(await clickExecute(page)).toBe('waits');
		const trigger = BESIDE[name];
		if (trigger === undefined) {
			const asked = page.waitForRequest(/\/rest\/workflows\/[^/]+\/run$/);
			expect(await clickExecute(page)).toBe('runs');
			const { triggerToStartFrom: from } = (await asked).postDataJSON() as {
				triggerToStartFrom?: { name: string };
			};
			// A schedule beside it is not what a person tries out.
			if (steps.some((step) => step.name === BY_HAND)) expect(from?.name).toBe(BY_HAND);
			return;
		}
		expect(notes).toContain(`point at **${trigger}** and click the **Execute workflow** beside it`);
		expect(await clickExecute(page, trigger)).toBe('runs');
	});
});

describe.each(['light', 'dark'] as const)('In an editor that is %s', (colorScheme) => {
	test('the nodes carry the icon that is drawn for it', async () => {
		page = await inNewTab(page);
		await page.emulateMedia({ colorScheme });
		const example = JSON.parse(
			readFileSync('examples/sync-the-roster-every-night.json', 'utf8'),
		) as WorkflowInput;
		const { id } = await createWorkflow(stage.session, credentials.reduce(withCredential, example));
		await openWorkflow(page, stage.n8n.baseUrl, id);
		const ours = page.locator('[data-test-id="canvas-node"] img[src*="school-partner"]');
		await ours.first().waitFor();
		const icons = await ours.evaluateAll((images: Array<{ src: string; naturalWidth: number }>) =>
			images.map(({ src, naturalWidth }) => ({ file: src.replace(/^.*\//, ''), isDrawn: naturalWidth > 0 })),
		);
		const file = colorScheme === 'dark' ? 'school-partner.dark.svg' : 'school-partner.svg';
		expect(icons).toEqual(icons.map(() => ({ file, isDrawn: true })));
	});
});

test('imported in the editor, an example has the credential that was changed last, or in older versions none', async () => {
	page = await inNewTab(page);
	const { session, n8n, sandbox, credential } = stage;
	const { id } = await createWorkflow(session, { name: 'Imported', nodes: [START], connections: {} });
	const other = await createCredential(session, {
		name: 'Another environment',
		type: credential.type,
		data: machineAccess(sandbox),
	});
	await openWorkflow(page, n8n.baseUrl, id);
	await importFile(page, 'examples/provision-a-school.json', 'Create Class');
	const { nodes } = await eventually(async () => {
		const stored = await getWorkflow(session, id);
		return stored.nodes.some(({ name }) => name === 'Create Class') ? stored : undefined;
	});
	const chosen = nodes
		.filter(({ type }) => type === ACTION_NODE)
		.map(({ credentials }) => credentials?.[credential.type]?.id);
	expect(chosen.length).toBeGreaterThan(5);
	expect([...new Set(chosen)]).toEqual([capabilities.choosesCredentialsOnImport ? other.id : undefined]);
});
