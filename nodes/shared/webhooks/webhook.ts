/** What both triggers need around the work that is theirs. */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** n8n asks for this. The service's document shows no way to register an address: people do that with its operator. */
export const registeredByHand = {
	default: { checkExists: nothingToDo, create: nothingToDo, delete: nothingToDo },
};

async function nothingToDo(): Promise<boolean> {
	return true;
}

/** How a line of the log names the node that writes it. */
export function nodeInLog(context: IWebhookFunctions) {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}

/**
 * Takes a request. Trap: a webhook that throws is answered 500 and leaves a failed execution.
 * @param take given the time in milliseconds since 1970
 * @param answerTrouble answers a request that could not be looked at
 */
export async function takeOrAnswer(
	context: IWebhookFunctions,
	take: (context: IWebhookFunctions, now: number) => Promise<IWebhookResponseData>,
	answerTrouble: (context: IWebhookFunctions) => IWebhookResponseData,
): Promise<IWebhookResponseData> {
	try {
		return await take(context, Date.now());
	} catch (thrown) {
		context.logger.error('A request could not be looked at, and its sender was told so', {
			...nodeInLog(context),
			// Only the kind of trouble: a message may quote what was being read.
			kind: thrown instanceof Error ? thrown.name : typeof thrown,
		});
		return answerTrouble(context);
	}
}

/** What n8n is told when nothing is left to be answered: nothing is recorded and nothing starts. */
export const ALREADY_ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/** Nobody on the way may keep an answer, nor guess that it is of another type. */
export const NOT_KEPT = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Answers a request with JSON, unless it was answered already: n8n gives every answer of its own the same status. */
export function answer(
	context: IWebhookFunctions,
	status: number,
	body: object,
	headers: Readonly<Record<string, string>> = {},
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (response.headersSent) return ALREADY_ANSWERED;
	// Not `json()`: it would hash every refusal for an ETag, and refusals come in floods.
	response
		.status(status)
		.set({ ...NOT_KEPT, 'Content-Type': 'application/json; charset=utf-8', ...headers })
		.end(JSON.stringify(body));
	return ALREADY_ANSWERED;
}
