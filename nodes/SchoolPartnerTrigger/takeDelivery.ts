/** From a delivery to its answer: key first, then the body, then whether it was taken before. */
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { digestsOf, keysSent, type KeyDigests, type KeyUsed } from '../shared/deliveries/keyCheck';
import { chosenEvents, readDelivery, type DeliveryItem } from '../shared/deliveries/readDelivery';
import type { SentBody } from '../shared/deliveries/body';
import { KEY_REFUSED, type Refused } from '../shared/deliveries/verdict';
import { acknowledge, refuse } from './answers';
import { keyMemory } from './memory';
import { takeOnce } from './repeats';
import { settingsOf, type TriggerSettings } from './settings';

const CREDENTIAL = 'schoolPartnerWebhookApi';

/** Answers a delivery, and starts a run where it is accepted. */
export async function takeDelivery(
	context: IWebhookFunctions,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	const key = await keyOf(context);
	if (key === undefined) return refuse(context, KEY_REFUSED);

	const settings = settingsOf(context);
	const verdict = readDelivery(bodyOf(context), key, settings, receivedAt);
	if (!verdict.accepted) return refuseAndLog(context, verdict);
	if (verdict.output === undefined) return acknowledge({ status: 'ignored' });

	const run = runOf(verdict.item, verdict.output, settings);
	// While a person listens for a test event, the same sample may well be sent twice.
	const ignoresRepeats = settings.ignoreRepeatedDeliveries && context.getMode() !== 'manual';
	return ignoresRepeats ? await takeOnce(context, verdict.item, run) : run;
}

async function keyOf(context: IWebhookFunctions): Promise<KeyUsed | undefined> {
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id;
	if (typeof credentialId !== 'string' || credentialId === '') return undefined;
	const sent = keysSent(context.getRequestObject().rawHeaders);
	return await keyMemory.keyUsed(credentialId, sent, async () => await digestsFrom(context));
}

async function digestsFrom(context: IWebhookFunctions): Promise<KeyDigests | undefined> {
	try {
		return digestsOf(await context.getCredentials(CREDENTIAL));
	} catch (error) {
		// Only the kind of trouble is logged: a message may quote what could not be read.
		context.logger.error(
			'The credential of a School Partner Trigger could not be read: deliveries are refused',
			{
				workflowId: context.getWorkflow().id,
				nodeName: context.getNode().name,
				kind: error instanceof Error ? error.name : typeof error,
			},
		);
		return undefined;
	}
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
	const outputs = chosenEvents(settings.events).length + (settings.otherActions === 'passOn' ? 1 : 0);
	const workflowData = Array.from({ length: outputs }, (): INodeExecutionData[] => []);
	workflowData[output]?.push({ json: item as unknown as INodeExecutionData['json'] });
	return { workflowData, webhookResponse: { status: 'accepted', request_id: item.header.request_id } };
}
