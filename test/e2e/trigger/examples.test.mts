/** The examples that start with an access event, imported as they stand: with their samples, and with real deliveries. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import {
	activateWorkflow,
	callWebhook,
	createCredential,
	createWorkflow,
	errorOf,
	getExecution,
	itemsOf,
	waitForExecutions,
	withCredential,
	type Execution,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { AdminClient } from '../../../sandbox/admin-client.mts';
import { deliver } from '../../engine/trigger-sender.mts';
import { runOnce, setStage, type Stage } from '../../support/stage.mts';
import { userAccess, guid } from '../../unit/trigger/sample-events.mts';
import { allExecutions, KEY, LAZY } from './support.mts';

const BY_HAND = 'When Clicking Execute';

let stage: Stage;
let key: StoredCredential;
let admin: AdminClient;

beforeAll(async () => {
	stage = await setStage({ env: LAZY });
	({ admin } = stage.sandbox);
	key = await createCredential(stage.session, {
		name: 'School Partner Webhook',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
});
afterAll(async () => await stage?.end());

function example(name: string): WorkflowInput {
	const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	return withCredential(withCredential(file, stage.credential), key);
}

/** Executes the workflow by hand, with the pinned samples. */
async function withSamples(name: string): Promise<Execution> {
	const execution = await runOnce(stage, example(name), BY_HAND);
	expect(errorOf(execution)).toBeUndefined();
	return execution;
}

/** Publishes the workflow and registers it with the sandbox. */
async function published(name: string): Promise<StoredWorkflow> {
	const workflow = await createWorkflow(stage.session, example(name));
	await activateWorkflow(stage.session, workflow.id);
	const path = `${name}/events`;
	await callWebhook(stage.n8n.baseUrl, path);
	await admin.registerWebhook({ url: `${stage.n8n.baseUrl}/webhook/${path}`, apiKey: KEY });
	return workflow;
}

/** Waits for the next run of a workflow and gives it. */
async function nextRun(workflow: StoredWorkflow, send: () => Promise<unknown>): Promise<Execution> {
	const before = (await allExecutions(stage.session, workflow.id)).length;
	await send();
	const [newest] = await waitForExecutions(stage.session, workflow.id, before + 1);
	const execution = await getExecution(stage.session, newest?.id ?? '');
	expect(errorOf(execution)).toBeUndefined();
	return execution;
}

const jsonOf = (execution: Execution, node: string, output = 0): IDataObject[] =>
	itemsOf(execution, node, output).map(({ json }) => json);

/** Reads a data table as a workflow does. */
async function rowsOf(table: string): Promise<IDataObject[]> {
	const read = {
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: table },
		matchType: 'anyCondition',
		filters: { conditions: [] },
		returnAll: true,
	};
	const node = { typeVersion: 1, position: [0, 0] as [number, number] };
	const workflow: WorkflowInput = {
		name: 'Read',
		nodes: [
			{ ...node, id: 'a', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ ...node, id: 'b', name: 'Rows', type: 'n8n-nodes-base.dataTable', parameters: read },
		],
		connections: { Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] } },
	};
	return jsonOf(await runOnce(stage, workflow), 'Rows');
}

describe('Upsert users on access', () => {
	test('with its samples: the users have a row each, and the one of the revocation is marked', async () => {
		await withSamples('upsert-users-on-access');
		const rows = await rowsOf('School users');
		expect(
			rows.map(({ name, access, profiles, class: schoolClass }) => [name, access, profiles, schoolClass]),
		).toEqual([
			['Nina Torres', 'revoked', 'student', '5th grade A'],
			['Marina Torres', 'granted', 'responsible', '5th grade A'],
		]);
	});

	test('with deliveries of the sandbox: access is granted, revoked, and an older event changes nothing', async () => {
		const workflow = await published('upsert-users-on-access');
		const student = (await admin.facts()).students[0];
		if (student === undefined) throw new Error('The sandbox has no student');
		const rowOfStudent = async () =>
			(await rowsOf('School users')).find(({ user_id }) => user_id === student.userId);

		let granted: { payload: string } | undefined;
		await nextRun(workflow, async () => (granted = await admin.grantAccess({ userId: student.userId })));
		expect(await rowOfStudent()).toMatchObject({ name: student.name, access: 'granted' });

		// A second later, so that the revocation is newer: events carry whole seconds.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		await nextRun(workflow, async () => await admin.revokeAccess({ userId: student.userId }));
		expect(await rowOfStudent()).toMatchObject({ name: student.name, access: 'revoked' });

		const late = JSON.parse(granted?.payload ?? '{}') as { header: { request_id: string } };
		late.header.request_id = guid(77);
		await nextRun(workflow, async () => await admin.sendDelivery({ body: late, requestId: guid(77) }));
		expect(await rowOfStudent()).toMatchObject({ access: 'revoked' });
	});
});

describe('Audit every delivery', () => {
	test('stores the body as it was sent, with its hash; later actions too', async () => {
		await withSamples('audit-every-delivery');
		const workflow = await published('audit-every-delivery');
		const text = JSON.stringify(userAccess(guid(78)), null, 1);
		await nextRun(workflow, async () => await admin.sendDelivery({ body: text, requestId: guid(78) }));
		const later = JSON.stringify({
			header: { ...userAccess(guid(79)).header, action: 'USER_PROMOTED' },
			payload: { level: 2 },
		});
		await nextRun(workflow, async () => await admin.sendDelivery({ body: later, requestId: guid(79) }));

		const rows = await rowsOf('School deliveries');
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
			stage,
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
		const student = (await admin.facts()).students[1];
		const execution = await nextRun(
			workflow,
			async () => await admin.grantAccess({ userId: student?.userId }),
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
		const url = `${stage.n8n.baseUrl}/webhook/confirm-a-delivery/events`;
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
