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
} from 'n8n-workflow';

import { additionalDataOf, loadedPackage, type CredentialStore } from '../support/engine.mts';

export interface OpenNode {
	/** What is filled in at the moment, saved or not. */
	parameters: INodeParameters;
	credentials: CredentialStore;
}

/** A list of the action node: a search of a resource locator, or the options of a multi-select. */
export type List = 'searchEducationalStages' | 'searchGrades' | 'searchProfiles' | 'getProfiles';

/** Names and values of a list. Rejects with what the editor shows in the place of the list. */
export async function choicesOf(
	list: List,
	open: OpenNode,
	filter?: string,
): Promise<INodePropertyOptions[]> {
	const type = (await loadedPackage()).getNode('schoolPartner').type as INodeType;
	const context = contextOf(type, open);
	if (list === 'getProfiles') return (await type.methods?.loadOptions?.[list].call(context)) ?? [];
	const found: INodeListSearchResult | undefined = await type.methods?.listSearch?.[list].call(
		context,
		filter,
	);
	return found?.results ?? [];
}

function contextOf(type: INodeType, { parameters, credentials }: OpenNode): ILoadOptionsFunctions {
	const node: INode = {
		id: '2',
		name: 'School Partner',
		type: 'n8n-nodes-school-partner.schoolPartner',
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
	return new LoadOptionsContext(workflow, node, additionalData, 'parameters');
}
