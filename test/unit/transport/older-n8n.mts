/** What older n8n make of what their OAuth2 helper throws when it signs a request. */
import { NodeApiError, OperationalError, type INode, type JsonObject } from 'n8n-workflow';

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

/** n8n-core 2.22.6 and 2.33.7: the text goes into an error of n8n's, which is wrapped as above; code, status and cause are gone. */
export function wrappedAsText(thrown: unknown): NodeApiError {
	return wrappedWithoutCause(
		new OperationalError(`Failed to acquire OAuth2 access token: ${(thrown as Error).message}`),
	);
}
