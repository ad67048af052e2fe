/** The examples that record access, and that say why one person is not there, imported into a real n8n as they stand. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import {
	callWebhook,
	createCredential,
	waitForNextExecution,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { until } from '../../../playground/eventually.mts';
import { startScriptedModel, type ScriptedModel } from '../agent/scripted-model.mts';
import { KEY, LAZY } from '../trigger/support.mts';
import { fetching, LEDGER, withParameters } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const SMALL = { students: 60 };

const workroom = useExamples({ sandbox: SMALL, env: LAZY });
let webhookKey: StoredCredential;

beforeAll(async () => {
	webhookKey = await createCredential(workroom.stage.session, {
		name: 'School Partner Webhook',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
});

/** Each begins with a ledger that has everybody, and no events. */
beforeEach(async () => {
	await workroom.deleteTable(LEDGER);
	await workroom.run(fetching(workroom.example('take-over-a-network'), workroom.exportOf(SMALL)));
});

const student = () => workroom.facts.students[0];
const key = () => `u:${student().schoolExternalId}|${student().externalId}`;

async function accessRows(): Promise<IDataObject[]> {
	return (await workroom.rowsOf(LEDGER)).filter(({ kind }) => kind === 'access');
}

describe('Who has access', () => {
	const NAME = 'who-has-access';

	/** Published and registered with the service; gives what waits for the run of a grant. */
	async function grantTo(workflow: WorkflowInput, webhookId = NAME) {
		const path = `${webhookId}/events`;
		const { session, n8n } = workroom.stage;
		const { id } = await workroom.publish(workflow);
		await callWebhook(n8n.baseUrl, path);
		await workroom.admin.registerWebhook({ url: `${n8n.baseUrl}/webhook/${path}`, apiKey: KEY });
		await workroom.admin.grantAccess({ userId: student().userId });
		return { id, granted: await waitForNextExecution(session, id, undefined) };
	}

	test('a grant and its revocation are in the ledger, and nothing was asked of the service', async () => {
		const { id, granted } = await grantTo(workroom.example(NAME, webhookKey));
		await workroom.admin.revokeAccess({ userId: student().userId });
		await waitForNextExecution(workroom.stage.session, id, granted.id);
		const rows = await accessRows();
		expect(rows.map(({ state, service_id }) => [state, service_id])).toEqual([
			['granted', student().userId],
			['revoked', student().userId],
		]);
		expect(rows[0].key).toBe(key());
		expect(await workroom.received('/webhook/v1/webhooks/callback/')).toEqual([]);
	});

	test('a delivery that could not be recorded is read again from the service, and recorded', async () => {
		const away = { ledgerName: 'A ledger that is not there' };
		const file = workroom.example(NAME, webhookKey);
		const workflow = withParameters(file, ({ name }) => name === 'Record Access', away);
		// Two published workflows cannot have one address.
		const webhookId = `${NAME}-again`;
		const nodes = workflow.nodes.map((node) => (node.webhookId ? { ...node, webhookId } : node));
		const { granted } = await grantTo({ ...workflow, nodes }, webhookId);
		expect(granted.status).toBe('success');
		expect(await workroom.received('/webhook/v1/webhooks/callback/')).toHaveLength(1);
		expect(await accessRows()).toMatchObject([{ key: key(), state: 'granted' }]);
	});
});

describe('Why is this student not there?', () => {
	const form = () => `${workroom.stage.n8n.baseUrl}/form/por-que-nao-esta`;
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await startBrowser();
		page = await newPage(browser, { width: 1000, height: 700 });
		await workroom.publish(workroom.example('why-is-this-student-not-there'));
		// n8n answers 404 for a fraction of a second after a workflow was published.
		await until(async () => (await page.goto(form()))?.status() === 200);
	});
	afterAll(async () => await browser?.close());

	/** What the office reads: the reason, and what to do. */
	async function ask(id: string): Promise<[reason: string, step: string]> {
		await page.goto(form());
		await page.getByLabel('Código do aluno').fill(id);
		await page.getByRole('button', { name: 'Perguntar' }).click();
		await page.locator('main').waitFor();
		return [await page.locator('h1').innerText(), await page.locator('.step').innerText()];
	}

	test('the office reads in Portuguese what stands in the way and what to do, of who is there and of who is not', async () => {
		const [reason, step] = await ask(student().externalId);
		expect(reason).toMatch(/^A pessoa está na turma \S+/);
		expect(step).toMatch(/^Tudo em ordem com o cadastro/);
		expect(await ask('<b>nobody</b>')).toEqual([
			'Ninguém tem este código: nenhuma noite tentou cadastrar esta pessoa',
			expect.stringMatching(/^Confira o código no sistema escolar/) as string,
		]);
		expect(await page.locator('.about').innerText()).toBe('Código <b>nobody</b>');
	});
});

describe('Ask why a student is not there', () => {
	let model: ScriptedModel;
	beforeAll(async () => void (model = await startScriptedModel()));
	afterAll(async () => await model.stop());

	test('the model asks by the id, nothing but the ids is left to it, and it is told the verdict', async () => {
		const modelKey = await createCredential(workroom.stage.session, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.baseUrl },
		});
		const asked = { ID_of_the_Person: student().externalId, ID_of_the_School: '' };
		model.say({ Explain: asked }, 'Nothing stands in the way.');
		const execution = await workroom.run(workroom.example('ask-why-a-student-is-not-there', modelKey));
		expect(model.offered().map(({ parameters }) => Object.keys(parameters.properties))).toEqual([
			Object.keys(asked),
		]);
		const [told] = JSON.parse(model.results().Explain) as IDataObject[];
		expect(told).toMatchObject({ code: 'inPlace', external_id: student().externalId });
		expect(told.verdict).toMatch(/^The person is in /);
		expect(jsonOf(execution, 'Answer')).toEqual([{ answer: 'Nothing stands in the way.' }]);
	});
});
