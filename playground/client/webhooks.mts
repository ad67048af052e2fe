/** Calls a workflow's webhook as the outside would. */
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from './http.mts';

/** n8n needs a fraction of a second, on a busy machine some more. */
const REGISTRATION_MS = 60_000;

/** The methods n8n listens to on a path, asked as a browser asks before a call (no run is started); empty: none yet. */
export async function webhookMethods(baseUrl: string, path: string): Promise<string[]> {
	const response = await send({
		method: 'OPTIONS',
		url: `${baseUrl}/webhook/${path}`,
		headers: { origin: baseUrl },
	});
	const allowed: unknown = response.headers['access-control-allow-methods'];
	return typeof allowed === 'string' ? allowed.split(', ').filter((method) => method !== 'OPTIONS') : [];
}

/** Waits until n8n listens on the path; rejects after a minute. */
export async function waitForWebhook(baseUrl: string, path: string): Promise<void> {
	const deadline = Date.now() + REGISTRATION_MS;
	while ((await webhookMethods(baseUrl, path)).length === 0) {
		if (Date.now() > deadline)
			throw new Error(`n8n does not listen on /webhook/${path} after ${REGISTRATION_MS} ms`);
		await wait(50);
	}
}

function isNotRegisteredYet(response: AxiosResponse<unknown>): boolean {
	return response.status === 404 && JSON.stringify(response.data).includes('not registered');
}

/**
 * Calls `<baseUrl>/webhook/<path>`. Any status is an answer, none rejects. n8n answers 404 for a fraction of a second
 * after a workflow was activated, so that 404 is asked again for up to a minute.
 */
export async function callWebhook(
	baseUrl: string,
	path: string,
	request: AxiosRequestConfig = { method: 'POST', data: {} },
): Promise<AxiosResponse<unknown>> {
	const deadline = Date.now() + REGISTRATION_MS;
	for (;;) {
		const response = await send({ ...request, url: `${baseUrl}/webhook/${path}` });
		if (!isNotRegisteredYet(response) || Date.now() > deadline) return response;
		await wait(50);
	}
}
