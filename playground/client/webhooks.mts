/** Calls a workflow's webhook as the outside would. */
import axios from 'axios';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { setTimeout as wait } from 'node:timers/promises';

const REGISTRATION_MS = 5000;

function isNotRegisteredYet(response: AxiosResponse<unknown>): boolean {
	return response.status === 404 && JSON.stringify(response.data).includes('not registered');
}

/**
 * Calls `<baseUrl>/webhook/<path>`. Any status is an answer, none rejects. n8n answers 404 for a fraction of a second
 * after a workflow was activated, so that 404 is asked again for up to 5 s.
 */
export async function callWebhook(
	baseUrl: string,
	path: string,
	request: AxiosRequestConfig = { method: 'POST', data: {} },
): Promise<AxiosResponse<unknown>> {
	const deadline = Date.now() + REGISTRATION_MS;
	for (;;) {
		const response = await axios.request<unknown>({
			...request,
			url: `${baseUrl}/webhook/${path}`,
			validateStatus: () => true,
			proxy: false,
		});
		if (!isNotRegisteredYet(response) || Date.now() > deadline) return response;
		await wait(50);
	}
}
