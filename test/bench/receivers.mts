/** Who takes deliveries: workflows that begin with the trigger or with n8n's Webhook node, and how fast they are. */
import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	waitForWebhook,
	type CredentialInput,
	type StoredCredential,
} from '../../playground/n8n-client.mts';

import type { Place } from './places.mts';

const KEY = 'the-key-of-the-bench';
const AT_ONCE = 10;

export interface Receiver {
	workflowId: string;
	url: string;
}

/** The trigger with repeats ignored, the trigger that takes every delivery, n8n's Webhook node with header auth. */
export type Side = 'once' | 'everyTime' | 'plain';

/** One workflow for each side, published. */
export async function receiversAt(place: Place): Promise<Record<Side, Receiver>> {
	const { session } = place;
	const key = await createCredential(session, {
		name: 'Key of the bench',
		type: 'schoolPartnerWebhookApi',
		data: { apiKey: KEY, previousApiKey: '' },
	});
	return {
		once: await receiver(place, ourTrigger(key, {})),
		everyTime: await receiver(place, ourTrigger(key, { ignoreRepeatedDeliveries: false })),
		plain: await receiver(place, webhookNode(await createCredential(session, HEADER_AUTH))),
	};
}

/** Answers per second, ten deliveries on their way at a time; begins and ends with nothing else running in n8n. */
export async function rateOf(
	place: Place,
	{ workflowId, url }: Receiver,
	count: number,
	wrongKeyShare: number,
): Promise<number> {
	await place.admin.registerWebhook({ url, apiKey: KEY });
	const { perSecond, statuses } = await place.admin.runLoad({ count, concurrency: AT_ONCE, wrongKeyShare });
	const [right, wrong] = [
		statuses.valid[200] ?? 0,
		(statuses.wrongKey[401] ?? 0) + (statuses.wrongKey[403] ?? 0),
	];
	if (right + wrong !== count) throw new Error(`Unexpected answers: ${JSON.stringify(statuses)}`);
	await place.settle(workflowId);
	await place.admin.clearDeliveries();
	return perSecond;
}

const HEADER_AUTH: CredentialInput = {
	name: 'Header',
	type: 'httpHeaderAuth',
	data: { name: 'x-api-key', value: KEY },
};

function ourTrigger(credential: StoredCredential, options: INodeParameters): INode {
	return {
		...trigger('n8n-nodes-school-partner.schoolPartnerTrigger', 2, { events: ['userAccess'], options }),
		credentials: credentialReference(credential),
	};
}

/** n8n's own, as it comes: it answers at once. */
function webhookNode(credential: StoredCredential): INode {
	const parameters = { httpMethod: 'POST', path: randomUUID(), authentication: 'headerAuth', options: {} };
	return {
		...trigger('n8n-nodes-base.webhook', 2, parameters),
		credentials: credentialReference(credential),
	};
}

function trigger(type: string, typeVersion: number, parameters: INodeParameters): INode {
	return {
		id: 'trigger',
		name: 'Trigger',
		type,
		typeVersion,
		position: [0, 0],
		webhookId: randomUUID(),
		parameters,
	};
}

/** Publishes a workflow of the trigger and one node behind it. */
async function receiver({ session, receiver: baseUrl }: Place, first: INode): Promise<Receiver> {
	const second: INode = {
		id: 'after',
		name: 'After',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
	};
	const { id } = await createWorkflow(session, {
		name: first.type,
		nodes: [first, second],
		connections: { Trigger: { main: [[{ node: 'After', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await activateWorkflow(session, id);
	const { path } = first.parameters;
	const address = typeof path === 'string' ? path : `${first.webhookId}/events`;
	await waitForWebhook(baseUrl, address);
	return { workflowId: id, url: `${baseUrl}/webhook/${address}` };
}
