/** The examples that start with an access event, imported as they stand: with their samples, and with real deliveries; and those that say why one person is not there. */
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import {
	callWebhook,
	createCredential,
	errorOf,
	getExecution,
	waitForExecutions,
	waitForNextExecution,
	type Execution,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { until } from '../../../playground/eventually.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { runOnce } from '../../support/stage.mts';
import { guid, userAccess, userAccessRevocation } from '../../unit/trigger/sample-events.mts';
import { startScriptedModel, type ScriptedModel } from '../agent/scripted-model.mts';
import { fetching, LEDGER, withParameters } from '../examples/nights.mts';
import { jsonOf, useExamples } from '../examples/support.mts';
import { allExecutions, KEY, LAZY } from './support.mts';

const SMALL = { students: 60 };

const workroom = useExamples({ sandbox: SMALL, env: LAZY });

let key: StoredCredential;

beforeAll(async () => {
	key = await createCredential(workroom.stage.session, {
		name: 'School Partner Webhook',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
});

const example = (name: string): WorkflowInput => workroom.example(name, key);

/** Executes the workflow by hand, with the pinned samples. */
const withSamples = async (name: string): Promise<Execution> => await workroom.run(example(name));

/** Publishes the workflow and registers it with the sandbox. */
async function published(name: string): Promise<StoredWorkflow> {
	const workflow = await workroom.publish(example(name));
	const path = `${name}/events`;
	const { baseUrl } = workroom.stage.n8n;
	await callWebhook(baseUrl, path);
	await workroom.admin.registerWebhook({ url: `${baseUrl}/webhook/${path}`, apiKey: KEY });
	return workflow;
}

/** Waits for the next run of a workflow and gives it. */
async function nextRun(workflow: StoredWorkflow, send: () => Promise<unknown>): Promise<Execution> {
	const { session } = workroom.stage;
	const before = (await allExecutions(session, workflow.id)).length;
	await send();
	const [newest] = await waitForExecutions(session, workflow.id, before + 1);
	const execution = await getExecution(session, newest?.id ?? '');
	expect(errorOf(execution)).toBeUndefined();
	return execution;
}

describe('Upsert users on access', () => {
	test('with its samples: the users have a row each, and the one of the revocation is marked', async () => {
		await withSamples('upsert-users-on-access');
		const rows = await workroom.rowsOf('School users');
		expect(
			rows.map(({ name, access, profiles, class: schoolClass }) => [name, access, profiles, schoolClass]),
		).toEqual([['Nina Torres', 'revoked', 'student', '5th grade A']]);
	});

	test('with deliveries of the sandbox: access is granted, revoked, an older event changes nothing, and one whose time cannot be read does not hide a later one', async () => {
		const workflow = await published('upsert-users-on-access');
		const student = workroom.facts.students[0];
		if (student === undefined) throw new Error('The sandbox has no student');
		const rowOfStudent = async () =>
			(await workroom.rowsOf('School users')).find(({ user_id }) => user_id === student.userId);

		let granted: { payload: string } | undefined;
		await nextRun(
			workflow,
			async () => (granted = await workroom.admin.grantAccess({ userId: student.userId })),
		);
		expect(await rowOfStudent()).toMatchObject({ name: student.name, access: 'granted' });

		// A second later, so that the revocation is newer: events carry whole seconds.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		await nextRun(workflow, async () => await workroom.admin.revokeAccess({ userId: student.userId }));
		expect(await rowOfStudent()).toMatchObject({ name: student.name, access: 'revoked' });

		const late = JSON.parse(granted?.payload ?? '{}') as { header: { request_id: string } };
		late.header.request_id = guid(77);
		await nextRun(
			workflow,
			async () => await workroom.admin.sendDelivery({ body: late, requestId: guid(77) }),
		);
		expect(await rowOfStudent()).toMatchObject({ access: 'revoked' });

		const [first, then] = [userAccess(guid(81)), userAccessRevocation(guid(82))];
		const unreadable = { ...first, header: { ...first.header, created_at: 'soon' } };
		const newer = { ...then, header: { ...then.header, created_at: '2099-01-01T00:00:00Z' } };
		for (const body of [unreadable, newer])
			await nextRun(
				workflow,
				async () => await workroom.admin.sendDelivery({ body, requestId: body.header.request_id }),
			);
		const ofFirst = (await workroom.rowsOf('School users')).find(({ user_id }) => user_id === guid(20));
		expect(ofFirst).toMatchObject({ name: 'Lia Exemplar', access: 'revoked' });
	});
});

describe('Audit every delivery', () => {
	test('stores the body as it was sent, with its hash; later actions too', async () => {
		await withSamples('audit-every-delivery');
		const workflow = await published('audit-every-delivery');
		const text = JSON.stringify(userAccess(guid(78)), null, 1);
		await nextRun(
			workflow,
			async () => await workroom.admin.sendDelivery({ body: text, requestId: guid(78) }),
		);
		const later = JSON.stringify({
			header: { ...userAccess(guid(79)).header, action: 'USER_PROMOTED' },
			payload: { level: 2 },
		});
		await nextRun(
			workflow,
			async () => await workroom.admin.sendDelivery({ body: later, requestId: guid(79) }),
		);

		const rows = await workroom.rowsOf('School deliveries');
		expect(rows).toHaveLength(4);
		for (const { raw, sha256 } of rows) {
			expect(createHash('sha256').update(String(raw)).digest('hex')).toBe(sha256);
		}
		expect(rows.slice(2).map(({ action, raw, key: used }) => [action, raw, used])).toEqual([
			['USER_ACCESS', text, 'current'],
			['USER_PROMOTED', later, 'current'],
		]);
	});

	test('its daily check shows a row that was changed', async () => {
		const { nodes, connections, ...rest } = example('audit-every-delivery');
		const spoiled = nodes.map((node) =>
			node.name === 'Hash of the Body'
				? {
						...node,
						parameters: { ...node.parameters, value: '={{ $json.raw + ($itemIndex === 1 ? " " : "") }}' },
					}
				: node,
		);
		const startByHand = spoiled.map((node) =>
			node.name === 'When Checking the Store'
				? { ...node, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }
				: node,
		);
		const execution = await runOnce(
			workroom.stage,
			{ ...rest, nodes: startByHand, connections },
			'When Checking the Store',
		);
		expect(jsonOf(execution, 'Stored Rows')).toHaveLength(4);
		expect(jsonOf(execution, 'Changed Rows').map(({ action }) => action)).toEqual(['USER_ACCESS_REVOCATION']);
	});
});

describe('Confirm a delivery with the service', () => {
	test('confirms what the service has sent', async () => {
		const workflow = await published('confirm-a-delivery');
		const student = workroom.facts.students[1];
		const execution = await nextRun(
			workflow,
			async () => await workroom.admin.grantAccess({ userId: student?.userId }),
		);
		expect(jsonOf(execution, 'Confirmed')).toEqual([
			{
				request_id: expect.any(String) as string,
				action: 'USER_ACCESS',
				same_bytes: true,
				same_content: true,
			},
		]);

		// Somebody else who has the key: the service knows nothing of it, or something else.
		const url = `${workroom.stage.n8n.baseUrl}/webhook/confirm-a-delivery/events`;
		const forged = await nextRun(workflow, async () => await deliver(url, { body: userAccess(guid(80)) }));
		expect(jsonOf(forged, 'Confirmed')).toEqual([]);
		expect(jsonOf(forged, 'Not Confirmed')).toEqual([
			expect.objectContaining({ request_id: guid(80), reason: expect.any(String) as string }) as IDataObject,
		]);
	});

	test('with its samples: the service does not know them', async () => {
		const execution = await withSamples('confirm-a-delivery');
		expect(jsonOf(execution, 'Not Confirmed')).toHaveLength(2);
	});
});

describe('With a ledger that has everybody', () => {
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
			const { id, granted } = await grantTo(example(NAME));
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
			const file = example(NAME);
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
});
