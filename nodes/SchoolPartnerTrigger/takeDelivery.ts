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
import { answer, nodeInLog } from '../shared/webhooks/webhook';
import { NOTE_WIDTH } from '../shared/webhooks/seenIds';

import type { SentBody } from './deliveries/body';
import { KeyMemory } from './deliveries/keyMemory';
import { keyDigests, keysSent, type KeyDigests, type KeyUsed } from './deliveries/keys';
import { outputsOf, readDelivery, type DeliveryItem, type TakenDelivery } from './deliveries/readDelivery';
import { KEY_REFUSED, type DeliveryRefusal } from './deliveries/refusal';
import { triggerSettings, type TriggerSettings } from './properties';

/** What the log quotes of an action: its size in the service's document. */
const LONGEST_ACTION = 100;

const WEBHOOK_CREDENTIAL = 'schoolPartnerWebhookApi';

/** Digests of the keys of this process, for all triggers. */
const keyMemory = new KeyMemory(() => Date.now());

/** Answers a delivery, and starts a run where it is accepted. */
export async function takeDelivery(
	context: IWebhookFunctions,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	const key = await acceptedKey(context);
	if (key === undefined) return refuseDelivery(context, KEY_REFUSED);

	const settings = triggerSettings(context);
	const read = readDelivery(bodyOf(context), key, settings, receivedAt);
	if (!read.ok) return refuseAndLog(context, read.failure);
	if (read.value.output === undefined) return ignore(context, read.value);

	const { item, output } = read.value;
	const run = runThrough(output, item, settings);
	if (!settings.ignoreRepeatedDeliveries) return run;
	const note = bodyNote(item);
	return await takeOnce(context, {
		id: item.header.request_id,
		note,
		run,
		repeated: (first) => answerRepeat(context, item, first === note),
	});
}

/**
 * Which key the delivery carries, by the credential of the node; undefined for none of them.
 * @throws when the credential cannot be read: then it is not the key that is wrong
 */
async function acceptedKey(context: IWebhookFunctions): Promise<KeyUsed | undefined> {
	const credentialId = context.getNode().credentials?.[WEBHOOK_CREDENTIAL]?.id;
	if (typeof credentialId !== 'string' || credentialId === '') return undefined;
	const sent = keysSent(context.getRequestObject().rawHeaders);
	return await keyMemory.keyUsed(credentialId, sent, async () => await digestsFrom(context));
}

async function digestsFrom(context: IWebhookFunctions): Promise<KeyDigests | undefined> {
	try {
		return keyDigests(await context.getCredentials(WEBHOOK_CREDENTIAL));
	} catch {
		// Not what was thrown: it may quote what could not be read.
		const message = 'The credential of a School Partner Trigger could not be read';
		context.logger.error(message, nodeInLog(context));
		throw new NodeOperationError(context.getNode(), message);
	}
}

/** Of the body as much as answers "was it the same?". */
function bodyNote({ delivery }: DeliveryItem): string {
	return Buffer.from(delivery.sha256, 'hex').toString('base64url').slice(0, NOTE_WIDTH);
}

function answerRepeat(
	context: IWebhookFunctions,
	item: DeliveryItem,
	sameBody: boolean,
): IWebhookResponseData {
	if (!sameBody) {
		context.logger.warn('A delivery was repeated with another body, and was ignored like any repeat', {
			...nodeInLog(context),
			// Not the id, which is text that the sender chose.
			bodySha256: item.delivery.sha256,
		});
	}
	const { request_id } = item.header;
	return { webhookResponse: { status: 'duplicate', request_id, same_body: sameBody } };
}

/** Logs an unknown action: otherwise an event that the service introduces would be lost in silence. */
function ignore(
	context: IWebhookFunctions,
	{ unknown }: Extract<TakenDelivery, { output: undefined }>,
): IWebhookResponseData {
	if (unknown !== undefined) {
		context.logger.warn('A delivery with an unknown action was acknowledged, and started nothing', {
			...nodeInLog(context),
			action: quoted(unknown.action, LONGEST_ACTION),
			requestIdSha256: hash('sha256', unknown.requestId, 'hex'),
		});
	}
	return { webhookResponse: { status: 'ignored' } };
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
function refuseAndLog(context: IWebhookFunctions, refusal: DeliveryRefusal): IWebhookResponseData {
	context.logger.warn('A delivery with a valid key was refused', {
		...nodeInLog(context),
		status: refusal.status,
		issues: refusal.issues,
	});
	return refuseDelivery(context, refusal);
}

function runThrough(output: number, item: DeliveryItem, settings: TriggerSettings): IWebhookResponseData {
	const workflowData = outputsOf(settings).map((): INodeExecutionData[] => []);
	workflowData[output]?.push({ json: item as unknown as INodeExecutionData['json'] });
	return { workflowData, webhookResponse: { status: 'accepted', request_id: item.header.request_id } };
}

/** Nothing is recorded and nothing starts. */
function refuseDelivery(
	context: IWebhookFunctions,
	{ status, message, issues }: DeliveryRefusal,
): IWebhookResponseData {
	return answer(context, status, { status: 'rejected', message, issues });
}

/** For a reason that does not lie in the delivery. */
export function tryAgainLater(context: IWebhookFunctions): IWebhookResponseData {
	const message = 'The event cannot be taken at the moment. Send it again later.';
	return answer(context, 503, { status: 'rejected', message }, { 'Retry-After': '5' });
}
