/** Loads a list as n8n's editor does while a person has the node open. */
import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type ILoadOptionsFunctions,
	type INode,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type ResourceMapperField,
} from 'n8n-workflow';

import { additionalDataOf, CredentialStore, loadedPackage } from '../support/engine.mts';

export interface OpenNode {
	/** What is filled in at the moment, saved or not. */
	parameters: INodeParameters;
	credentials: CredentialStore;
	/** The node of the package; default: the action node. */
	node?: string;
	/** Where the list stands, as the editor says it: `parameters.mapping.grades.grade[0].gradeName`; default: at the top. */
	path?: string;
}

/** A list: a search of a resource locator, or the options of a multi-select. */
export type List = 'searchEducationalStages' | 'searchGrades' | 'searchProfiles' | 'getProfiles';

/** Names and values of a list. Rejects with what the editor shows in the place of the list. */
export async function choicesOf(
	list: List,
	open: OpenNode,
	filter?: string,
): Promise<INodePropertyOptions[]> {
	const { node = 'schoolPartner' } = open;
	const type = (await loadedPackage()).getNode(node).type as INodeType;
	const context = contextOf(type, open);
	if (list === 'getProfiles') return (await type.methods?.loadOptions?.[list].call(context)) ?? [];
	const found: INodeListSearchResult | undefined = await type.methods?.listSearch?.[list].call(
		context,
		filter,
	);
	return found?.results ?? [];
}

/** The fields that the columns of a sheet can be mapped to, as the editor fetches them. */
export async function columnsOf(): Promise<ResourceMapperField[]> {
	const type = (await loadedPackage()).getNode('schoolPartnerRoster').type as INodeType;
	const context = contextOf(type, {
		parameters: {},
		credentials: await CredentialStore.of('none', {}),
		node: 'schoolPartnerRoster',
	});
	return (await type.methods?.resourceMapping?.getRosterColumns.call(context))?.fields ?? [];
}

function contextOf(
	type: INodeType,
	{ parameters, credentials, node: name = 'schoolPartner', path = 'parameters' }: OpenNode,
): ILoadOptionsFunctions {
	const node: INode = {
		id: '2',
		name: 'School Partner',
		type: `n8n-nodes-school-partner.${name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [credentials.type]: { id: '7', name: 'School Partner' } },
	};
	const byName = () => type;
	const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf(workflow, credentials);
	additionalData.currentNodeParameters = parameters;
	return new LoadOptionsContext(workflow, node, additionalData, path);
}
