/** n8n's public API, for what its editor does not offer. */
import { randomUUID } from 'node:crypto';
import { send } from './http.mts';
import { N8nRequestError, type Method, type Session } from './session.mts';

/**
 * What calls it with a new key, as a person makes one under Settings > n8n API: method, and path below `/api/v1`. Rejects
 * with N8nRequestError on any status over 299.
 * @param scopes of the key, e.g. `execution:retry`
 */
export async function publicApi(session: Session, scopes: string[]) {
	const label = `Key ${randomUUID()}`;
	const { rawApiKey } = await session.request<{ rawApiKey: string }>('POST', '/api-keys', {
		label,
		scopes,
		expiresAt: null,
	});
	const headers = { 'x-n8n-api-key': rawApiKey };
	return async <T,>(method: Method, path: string): Promise<T> => {
		const { status, data } = await send({
			method,
			url: `${session.baseUrl}/api/v1${path}`,
			headers,
			data: {},
		});
		if (status > 299) throw new N8nRequestError(`${method} ${path}`, status, data);
		return data as T;
	};
}
