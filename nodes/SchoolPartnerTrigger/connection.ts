/** The connection to the sender of a delivery: whether it is still there, and when it has been answered. */
import type { IWebhookFunctions } from 'n8n-workflow';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** True once the sender has hung up. */
export function isGone(response: Response): boolean {
	return response.closed || response.destroyed;
}

/** Resolves when the sender hangs up before it was answered, or was answered and hung up. */
export async function gone(response: Response): Promise<'gone'> {
	return await new Promise((resolve) => {
		response.once('close', () => resolve('gone'));
	});
}

/** Calls back once: when the answer has been handed over, whatever it says, or the sender has hung up. */
export function whenOver(response: Response, callBack: () => void): void {
	response.once('finish', callBack);
	response.once('close', callBack);
}
