/** What the editor asks while a node's panel is open: node types and the lists of a parameter. */
import type {
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import type { Session } from './session.mts';

export interface ParameterRequest {
	/** e.g. `n8n-nodes-school-partner.schoolPartner` */
	nodeType: string;
	typeVersion: number;
	/** The parameter that is open, e.g. `educationalStage`. */
	parameter: string;
	/** The node's `methods.listSearch` or `methods.loadOptions` entry. */
	methodName: string;
	/** What the other fields of the panel hold. */
	currentNodeParameters: INodeParameters;
	/** e.g. `{ schoolPartnerOAuth2Api: { id, name } }` */
	credentials?: Record<string, { id: string; name: string }>;
}

function body(request: ParameterRequest) {
	const { nodeType, typeVersion, parameter, methodName, currentNodeParameters, credentials } = request;
	return {
		nodeTypeAndVersion: { name: nodeType, version: typeVersion },
		path: `parameters.${parameter}`,
		methodName,
		currentNodeParameters,
		credentials,
	};
}

/** The entries of a resource locator's "From List", optionally those that match what was typed. */
export async function listOfResourceLocator(
	session: Session,
	request: ParameterRequest,
	search: { filter?: string; paginationToken?: string } = {},
): Promise<INodeListSearchResult> {
	return await session.request('POST', '/dynamic-node-parameters/resource-locator-results', {
		...body(request),
		...search,
	});
}

/** The entries of a drop-down that is filled by the node (`loadOptionsMethod`). */
export async function optionsOfParameter(
	session: Session,
	request: ParameterRequest,
): Promise<INodePropertyOptions[]> {
	return await session.request('POST', '/dynamic-node-parameters/options', body(request));
}

/** Descriptions of all nodes this n8n has loaded, each version on its own. */
export async function loadedNodeTypes(session: Session): Promise<INodeTypeDescription[]> {
	return await session.read('/types/nodes.json');
}
