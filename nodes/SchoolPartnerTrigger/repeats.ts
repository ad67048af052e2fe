/**
 * "Once": a repeated `request_id` starts nothing, over restarts and for simultaneous deliveries in one process.
 *
 * An id counts as seen only when n8n has recorded the run and is about to answer 2xx. That moment is when
 * n8n reads `webhookResponse`, which is why it is a getter here. Trap: what `webhook()` itself writes to static
 * data is lost, because n8n wraps the object anew when the run starts; written inside the getter it is saved.
 */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isFields } from '../shared/contract/tolerances';
import type { DeliveryItem } from '../shared/deliveries/readDelivery';
import { idDigest } from '../shared/deliveries/seen';
import type { Turn } from '../shared/deliveries/simultaneous';
import { acknowledge, NO_ONE_LISTENS } from './answers';
import { gone, isGone, whenOver } from './connection';
import { memoryOf, type TriggerMemory } from './memory';

/** Takes a delivery, unless it was taken before. */
export async function takeOnce(
	context: IWebhookFunctions,
	item: DeliveryItem,
	run: IWebhookResponseData,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	if (isGone(response)) return NO_ONE_LISTENS;
	const memory = memoryOf(context.getWorkflow().id ?? '', context.getNode().id);
	memory.seen.merge(kept(context));
	const id = idDigest(item.header.request_id);
	const turn = await memory.simultaneous.turn(id, () => memory.seen.has(id), gone(response));
	if (turn === 'seen') return repeated(context, memory, id, item);
	if (turn === 'gone') return NO_ONE_LISTENS;
	return take(context, memory, id, item, run, turn);
}

function take(
	context: IWebhookFunctions,
	{ seen, keeping }: TriggerMemory,
	id: string,
	item: DeliveryItem,
	run: IWebhookResponseData,
	turn: Turn,
): IWebhookResponseData {
	const response = context.getResponseObject();
	const passage = keeping.begin();
	whenOver(response, () => {
		passage.ended();
		turn.end();
	});
	const remember = once(() => {
		// A sender who has hung up is not answered 2xx: it will send the event again, and that has to count.
		if (!isGone(response)) seen.add(id, item.delivery.sha256, Date.now());
		if (passage.taken()) keep(context, seen.toText());
	});
	return {
		workflowData: run.workflowData,
		get webhookResponse(): unknown {
			remember();
			return run.webhookResponse;
		},
	};
}

/** What n8n keeps with the workflow for this node. */
function kept(context: IWebhookFunctions): unknown {
	const data: unknown = context.getWorkflowStaticData('node');
	return isFields(data) ? data.deliveries : undefined;
}

/** Asks n8n for the object anew: see the trap above. */
function keep(context: IWebhookFunctions, deliveries: string): void {
	const data: unknown = context.getWorkflowStaticData('node');
	// By now the run is recorded: whatever is wrong with this object must not become the sender's trouble.
	if (isFields(data)) data.deliveries = deliveries;
}

/** n8n reads the answer more than once. */
function once(effect: () => void): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		effect();
	};
}

function repeated(
	context: IWebhookFunctions,
	{ seen }: TriggerMemory,
	id: string,
	item: DeliveryItem,
): IWebhookResponseData {
	const sameBody = seen.hadBody(id, item.delivery.sha256);
	if (!sameBody) {
		context.logger.warn('A delivery was repeated with another body, and was ignored like any repeat', {
			workflowId: context.getWorkflow().id,
			nodeName: context.getNode().name,
			// The id itself is text that the sender chose: its digest says as much and can hold no personal data.
			requestIdDigest: id,
			bodySha256: item.delivery.sha256,
		});
	}
	return acknowledge({ status: 'duplicate', request_id: item.header.request_id, same_body: sameBody });
}
