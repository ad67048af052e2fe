/** What both triggers need around the work that is theirs. */
import type { IHookFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** n8n asks for this. The service's document shows no way to register an address: people do that with its operator. */
export const registeredByHand = {
	default: {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return true;
		},
		async create(this: IHookFunctions): Promise<boolean> {
			return true;
		},
		async delete(this: IHookFunctions): Promise<boolean> {
			return true;
		},
	},
};

/** How a line of the log names the node that writes it. */
export function nodeInLog(context: IWebhookFunctions) {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}

/**
 * Takes a request. Trap: a webhook that throws is answered 500 and leaves a failed execution.
 * @param take given the time in milliseconds since 1970
 * @param trouble answers a request that could not be looked at
 */
export async function takeOrAnswer(
	context: IWebhookFunctions,
	take: (context: IWebhookFunctions, now: number) => Promise<IWebhookResponseData>,
	trouble: (context: IWebhookFunctions) => IWebhookResponseData,
): Promise<IWebhookResponseData> {
	try {
		return await take(context, Date.now());
	} catch (thrown) {
		context.logger.error('A request could not be looked at, and its sender was told so', {
			...nodeInLog(context),
			// Only the kind of trouble: a message may quote what was being read.
			kind: thrown instanceof Error ? thrown.name : typeof thrown,
		});
		return trouble(context);
	}
}
