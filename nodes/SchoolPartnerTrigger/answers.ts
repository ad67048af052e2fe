/** How a delivery is answered. */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { answer } from '../shared/webhooks/answers';
import type { Refused } from './deliveries/verdict';

/** A refusal. Nothing is recorded and nothing starts. */
export function refuse(
	context: IWebhookFunctions,
	{ status, message, issues }: Refused,
): IWebhookResponseData {
	return answer(context, status, { status: 'rejected', message, issues });
}

/** Success without a run: n8n writes the answer. */
export function acknowledge(body: object): IWebhookResponseData {
	return { webhookResponse: body };
}

/** The delivery can not be taken now, for a reason that does not lie in it: the sender is asked to try again. */
export function tryAgainLater(context: IWebhookFunctions): IWebhookResponseData {
	const message = 'The event cannot be taken at the moment. Send it again later.';
	return answer(context, 503, { status: 'rejected', message }, { 'Retry-After': '5' });
}
