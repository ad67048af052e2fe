/** How a delivery is answered. */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Refused } from '../shared/deliveries/verdict';

/**
 * A refusal. The node writes it itself, for n8n gives every answer of its own the same status. Nothing is
 * recorded and nothing starts.
 */
export function refuse(
	context: IWebhookFunctions,
	{ status, message, issues }: Refused,
): IWebhookResponseData {
	// Not `json()`: it would hash every refusal for an ETag, and refusals come in floods.
	context
		.getResponseObject()
		.status(status)
		.set('Content-Type', 'application/json; charset=utf-8')
		.end(JSON.stringify({ status: 'rejected', message, issues }));
	return { noWebhookResponse: true };
}

/** Success without a run: n8n writes the answer. */
export function acknowledge(answer: object): IWebhookResponseData {
	return { webhookResponse: answer };
}

/** The delivery can not be taken now, for a reason that does not lie in it: the sender is asked to try again. */
export function tryAgainLater(context: IWebhookFunctions): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) {
		const message = 'The event cannot be taken at the moment. Send it again later.';
		response.status(503).set('Retry-After', '5').json({ status: 'rejected', message });
	}
	return { noWebhookResponse: true };
}

/** Nobody is there any more to be answered. */
export const NO_ONE_LISTENS: IWebhookResponseData = { noWebhookResponse: true };
