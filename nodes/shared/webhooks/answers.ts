/** Answers that a trigger writes itself, for n8n gives every answer of its own the same status. */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** What n8n is told when nothing is left to be answered: nothing is recorded and nothing starts. */
export const NOTHING_TO_ANSWER: IWebhookResponseData = { noWebhookResponse: true };

/** Nobody on the way may keep an answer, nor guess that it is of another type. */
export const NOT_KEPT = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Answers a request with JSON, unless it was answered already. */
export function answer(
	context: IWebhookFunctions,
	status: number,
	body: object,
	headers: Readonly<Record<string, string>> = {},
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (response.headersSent) return NOTHING_TO_ANSWER;
	// Not `json()`: it would hash every refusal for an ETag, and refusals come in floods.
	response
		.status(status)
		.set({ ...NOT_KEPT, 'Content-Type': 'application/json; charset=utf-8', ...headers })
		.end(JSON.stringify(body));
	return NOTHING_TO_ANSWER;
}
