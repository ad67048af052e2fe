/** The two ways of doing the same work: with this package, and with what a user would pick instead. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	credentialReference,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { ACTION_NODE } from '../support/stage.mts';

const START = 'Start';
const ROWS = 'Rows';

/** The node that is measured in a workflow of {@link ourWorkflow}. */
export const OURS = 'School Partner';

/** Start, rows, and a chain of nodes behind them. `makeRows` is the code that gives the rows. */
function chain(name: string, makeRows: string, nodes: INode[]): WorkflowInput {
	const all: INode[] = [
		node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
		node(ROWS, 'n8n-nodes-base.code', 2, { jsCode: `${makeRows}.map((json) => ({ json }));` }),
		...nodes,
	];
	const links = all
		.slice(1)
		.map(({ name: next }, index) => [
			all[index]?.name ?? '',
			{ main: [[{ node: next, type: 'main' as const, index: 0 }]] },
		]);
	return { name, nodes: all, connections: Object.fromEntries(links), settings: { executionOrder: 'v1' } };
}

function node(name: string, type: string, typeVersion: number, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters };
}

/** The rows as code that holds them. */
export function rowsAsCode(rows: readonly IDataObject[]): string {
	return `return ${JSON.stringify(rows)}`;
}

export function ourWorkflow(
	makeRows: string,
	parameters: INodeParameters,
	credential: StoredCredential,
): WorkflowInput {
	return chain('Ours', makeRows, [
		{ ...node(OURS, ACTION_NODE, 1, parameters), credentials: credentialReference(credential) },
	]);
}

/** One request of n8n's HTTP Request node for each item; all else as the node comes. */
export interface PlainRequest {
	name: string;
	method: 'GET' | 'POST' | 'PUT';
	/** An expression, or an address as it is. */
	url: string;
	/** An expression for the whole body. */
	body?: string;
	/** One item for each request even when the answer is a list, so that the next node asks once for each row. */
	fullResponse?: boolean;
}

export function plainWorkflow(
	makeRows: string,
	requests: PlainRequest[],
	credential: StoredCredential,
): WorkflowInput {
	return chain(
		'HTTP Request',
		makeRows,
		requests.map(({ name, method, url, body, fullResponse }) => ({
			...node(name, 'n8n-nodes-base.httpRequest', 4.2, {
				method,
				url,
				authentication: 'genericCredentialType',
				genericAuthType: 'oAuth2Api',
				// What has no body names its type as well: so the service's document wants it of its lookups.
				...(body !== undefined
					? { sendBody: true, specifyBody: 'json', jsonBody: body }
					: {
							sendHeaders: true,
							headerParameters: { parameters: [{ name: 'Content-Type', value: 'application/json' }] },
						}),
				options: fullResponse ? { response: { response: { fullResponse: true } } } : {},
			}),
			credentials: credentialReference(credential),
		})),
	);
}

/** n8n's own credential for client credentials, as a user would fill it in for the HTTP Request node. */
export function plainCredential(issuerUrl: string, clientId: string, clientSecret: string) {
	return {
		name: 'Client credentials',
		type: 'oAuth2Api',
		data: {
			grantType: 'clientCredentials',
			accessTokenUrl: `${issuerUrl}/connect/token`,
			clientId,
			clientSecret,
			scope: '',
			authentication: 'body',
		},
	};
}
