/** Calls the node as a tool the way n8n's older agents and its sub-agents do: without a run of its own. */
import { SupplyDataContext } from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	Workflow,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { additionalDataOf, loadedPackage, type CredentialStore } from '../support/engine.mts';

export interface ToolCall {
	parameters: INodeParameters;
	credentials: CredentialStore;
	/** The item that the agent works on: n8n's `$json`. */
	agentItem: IDataObject;
	/** What the model answers: the input of the node. */
	args: IDataObject;
}

/** The data of the items that the tool gives. */
export async function callTool(call: ToolCall): Promise<IDataObject[]> {
	const { parameters, credentials, agentItem, args } = call;
	const type = (await loadedPackage()).getNode('schoolPartner').type as INodeType;
	const node: INode = {
		...{
			id: '2',
			name: 'School Partner',
			type: 'n8n-nodes-school-partner.schoolPartnerTool',
			typeVersion: 1,
		},
		...{ position: [0, 0], parameters },
		credentials: { [credentials.type]: { id: '7', name: 'School Partner' } },
	};
	const byName = () => type;
	const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const ofAgent = [{ json: agentItem }];
	const context = new SupplyDataContext(
		workflow,
		node,
		additionalDataOf(workflow, credentials),
		'manual',
		createRunExecutionData({}),
		0,
		ofAgent,
		{ [NodeConnectionTypes.AiTool]: [[{ json: args }]] },
		NodeConnectionTypes.AiTool,
		{ node, data: { main: [ofAgent] }, source: null },
		[],
	);
	await workflow.expression.acquireIsolate();
	try {
		const outputs = await type.execute?.call(context as unknown as IExecuteFunctions);
		return Array.isArray(outputs) ? outputs[0].map(({ json }) => json) : [];
	} finally {
		await workflow.expression.releaseIsolate();
	}
}
