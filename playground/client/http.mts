/** How the playground's clients send: each request on a connection of its own, any status is an answer. */
import axios from 'axios';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// Trap: a connection that is kept breaks (ECONNRESET) when n8n, busy for seconds, closes it as idle in the instant it is used again.
export const httpAgent = new Agent({ keepAlive: false });

/** So long it is tried again, and so often. Milliseconds. */
const [NOT_READY_MS, AGAIN_MS] = [60_000, 500];

/** n8n has heard nothing of its database for a while, since the machine is busy. It says so before it looks at a request. */
function isNotReady({ status, data }: AxiosResponse<unknown>): boolean {
	const said = typeof data === 'string' ? data : (data as { message?: unknown } | null)?.message;
	return status === 503 && typeof said === 'string' && said.includes('Database is not ready!');
}

/** Rejects only where nothing answers. */
export async function send(request: AxiosRequestConfig & { url: string }): Promise<AxiosResponse<unknown>> {
	const until = Date.now() + NOT_READY_MS;
	for (;;) {
		const response = await sendOnce(request);
		if (!isNotReady(response) || Date.now() > until) return response;
		await sleep(AGAIN_MS);
	}
}

async function sendOnce(request: AxiosRequestConfig & { url: string }): Promise<AxiosResponse<unknown>> {
	const sent = axios.request<unknown>({
		...request,
		validateStatus: () => true,
		maxBodyLength: Infinity,
		httpAgent,
		proxy: false,
	});
	// Trap: axios's own error holds the socket, a circle that ends the test runner when it writes its results as JSON.
	return await sent.catch(({ message }: Error) => {
		throw new Error(`${request.method ?? 'GET'} ${request.url}: ${message}`);
	});
}
