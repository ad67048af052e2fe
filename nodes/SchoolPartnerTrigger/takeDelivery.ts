/** From a delivery to its answer: key first, then the body, then whether it was taken before. */
import { hash } from 'node:crypto';

import {
	NodeOperationError,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { quoted } from '../shared/contract/quoted';
import { takeOnce } from '../shared/webhooks/once';
import { NOTE_WIDTH } from '../shared/webhooks/taken';
import type { SentBody } from './deliveries/body';
import { digestsOf, keysSent, type KeyDigests, type KeyUsed } from './deliveries/keyCheck';
import { KeyMemory } from './deliveries/keyMemory';
import { outputsOf, readDelivery, type DeliveryItem, type UnknownAction } from './deliveries/readDelivery';
import { KEY_REFUSED, type Refused } from './deliveries/verdict';
import { acknowledge, refuse } from './answers';
import { settingsOf, type TriggerSettings } from './settings';

/** What the log quotes of an action: its size in the service's document. */
const LONGEST_ACTION = 100;

const CREDENTIAL = 'schoolPartnerWebhookApi';

/** Digests of the keys of this process, for all triggers. */
const keyMemory = new KeyMemory(() => Date.now());

/** Answers a delivery, and starts a run where it is accepted. */
export async function takeDelivery(
	context: IWebhookFunctions,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	const key = await keyOf(context);
	if (key === undefined) return refuse(context, KEY_REFUSED);

	const settings = settingsOf(context);
	const verdict = readDelivery(bodyOf(context), key, settings, receivedAt);
	if (!verdict.ok) return refuseAndLog(context, verdict.failure);
	if (verdict.value.output === undefined) return ignored(context, verdict.value.unknown);

	const { item, output } = verdict.value;
	const run = runOf(item, output, settings);
	if (!settings.ignoreRepeatedDeliveries) return run;
	const note = bodyNote(item);
	return await takeOnce(context, {
		id: item.header.request_id,
		note,
		run,
		repeated: (first) => repeated(context, item, first === note),
	});
}

/**
 * Which key the delivery carries, by the credential of the node; undefined for none of them.
 * @throws when the credential cannot be read: then it is not the key that is wrong
 */
async function keyOf(context: IWebhookFunctions): Promise<KeyUsed | undefined> {
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id;
	if (typeof credentialId !== 'string' || credentialId === '') return undefined;
	const sent = keysSent(context.getRequestObject().rawHeaders);
	return await keyMemory.keyUsed(credentialId, sent, async () => await digestsFrom(context));
}

async function digestsFrom(context: IWebhookFunctions): Promise<KeyDigests | undefined> {
	try {
		return digestsOf(await context.getCredentials(CREDENTIAL));
	} catch {
		// Not what was thrown: it may quote what could not be read.
		const message = 'The credential of a School Partner Trigger could not be read';
		context.logger.error(message, {
			workflowId: context.getWorkflow().id,
			nodeName: context.getNode().name,
		});
		throw new NodeOperationError(context.getNode(), message);
	}
}

/** Of the body as much as answers "was it the same?". */
function bodyNote({ delivery }: DeliveryItem): string {
	return Buffer.from(delivery.sha256, 'hex').toString('base64url').slice(0, NOTE_WIDTH);
}

function repeated(context: IWebhookFunctions, item: DeliveryItem, sameBody: boolean): IWebhookResponseData {
	if (!sameBody) {
		context.logger.warn('A delivery was repeated with another body, and was ignored like any repeat', {
			workflowId: context.getWorkflow().id,
			nodeName: context.getNode().name,
			// Not the id, which is text that the sender chose.
			bodySha256: item.delivery.sha256,
		});
	}
	return acknowledge({ status: 'duplicate', request_id: item.header.request_id, same_body: sameBody });
}

/** What nobody expects and starts nothing must leave a trace: an event that the service introduces would be lost in silence. */
function ignored(context: IWebhookFunctions, unknown: UnknownAction | undefined): IWebhookResponseData {
	if (unknown !== undefined) {
		context.logger.warn('A delivery with an unknown action was acknowledged, and started nothing', {
			workflowId: context.getWorkflow().id,
			nodeName: context.getNode().name,
			action: quoted(unknown.action, LONGEST_ACTION),
			requestIdSha256: hash('sha256', unknown.requestId, 'hex'),
		});
	}
	return acknowledge({ status: 'ignored' });
}

function bodyOf(context: IWebhookFunctions): SentBody {
	const request = context.getRequestObject();
	const declaredBytes = Number(request.headers['content-length'] ?? NaN);
	return {
		contentType: request.headers['content-type'],
		declaredBytes: Number.isFinite(declaredBytes) ? declaredBytes : undefined,
		// Trap: n8n sets it only for the types it parses; its own typing says that it is always there.
		bytes: request.rawBody as Buffer | undefined,
	};
}

/** Whoever has the key and is refused sends something that nobody expects: the operator should see it. */
function refuseAndLog(context: IWebhookFunctions, refused: Refused): IWebhookResponseData {
	context.logger.warn('A delivery with a valid key was refused', {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
		status: refused.status,
		issues: refused.issues,
	});
	return refuse(context, refused);
}

function runOf(item: DeliveryItem, output: number, settings: TriggerSettings): IWebhookResponseData {
	const workflowData = outputsOf(settings).map((): INodeExecutionData[] => []);
	workflowData[output]?.push({ json: item as unknown as INodeExecutionData['json'] });
	return { workflowData, webhookResponse: { status: 'accepted', request_id: item.header.request_id } };
}
