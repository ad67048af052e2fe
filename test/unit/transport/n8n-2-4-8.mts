/** What n8n 2.4.8 makes of what its OAuth2 helper throws when it signs a request. */
import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

const node: INode = { id: '1', name: 'n', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} };

/**
 * n8n-core 2.4.8, httpRequestWithAuthentication: everything is wrapped in a NodeApiError. n8n-workflow 2.4.8 takes the same
 * notes of it as today's (code, status and messages) and loses the cause.
 */
export function wrappedWithoutCause(thrown: unknown): NodeApiError {
	const wrapped = new NodeApiError(node, thrown as JsonObject);
	wrapped.cause = undefined;
	return wrapped;
}
