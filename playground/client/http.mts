/** How the playground's clients send: each request on a connection of its own, any status is an answer. */
import axios from 'axios';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { Agent } from 'node:http';

// Trap: a connection that is kept breaks (ECONNRESET) when n8n, busy for seconds, closes it as idle in the instant it is used again.
export const httpAgent = new Agent({ keepAlive: false });

/** Rejects only where nothing answers. */
export async function send(request: AxiosRequestConfig & { url: string }): Promise<AxiosResponse<unknown>> {
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
