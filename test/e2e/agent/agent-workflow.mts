/** A workflow with an AI agent of n8n whose tools are operations of the node, each parameter left to the model. */
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';

import type { WorkflowInput } from '../../../playground/n8n-client.mts';

export const TOOL_NODE = 'n8n-nodes-school-partner.schoolPartnerTool';
export const AGENT = 'AI Agent';
const MODEL = 'Model';
const START = 'Start';

/** One operation as a tool. */
export interface AgentTool {
	resource: string;
	operation: string;
}

/** n8n's name for the argument: the label, with an underscore for everything that is no letter, digit or hyphen. */
function argumentName(label: string): string {
	return label.replace(/[^a-zA-Z0-9-]/g, '_');
}

/** What the button "Let the model define this parameter" writes, with the parameter's own text as description. */
function fromModel(
	{ displayName, description = '', placeholder = '', type }: INodeProperties,
	before = '',
): string {
	const kind = type === 'number' || type === 'boolean' ? type : 'string';
	// A person describes the argument in their own words; here it is what the node says of the parameter. An example
	// that is an expression of n8n cannot stand within another one.
	const example = placeholder.includes('{{') ? '' : placeholder;
	const text = [description.replace(/<[^>]+>/g, ''), example].filter((part) => part !== '').join(' ');
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${before}${argumentName(displayName)}', \`${text}\`, '${kind}') }}`;
}

const groupsOf = ({ options = [] }: INodeProperties) =>
	options.filter((option): option is INodePropertyCollection => 'values' in option);
const membersOf = ({ options = [] }: INodeProperties) =>
	options.filter((option): option is INodeProperties => 'displayName' in option && 'type' in option);

/** The value of a parameter that is left to the model. */
function leftToModel(property: INodeProperties): INodeParameters[string] {
	if (property.type === 'resourceLocator') return { __rl: true, mode: 'name', value: fromModel(property) };
	if (property.type === 'collection')
		return Object.fromEntries(membersOf(property).map((member) => [member.name, fromModel(member)]));
	if (property.type !== 'fixedCollection') return fromModel(property);
	return Object.fromEntries(
		groupsOf(property).map(({ name, values }) => [
			name,
			[Object.fromEntries(values.map((value) => [value.name, fromModel(value, `${name}0_`)]))],
		]),
	);
}

/** Every parameter that the open node shows for an operation, left to the model; the general options stay as they are. */
function toolParameters(
	description: INodeTypeDescription,
	{ resource, operation }: AgentTool,
): INodeParameters {
	const chosen: INodeParameters = { resource, operation, descriptionType: 'auto', dataMode: 'defineBelow' };
	const node: INode = {
		id: '1',
		name: 'n',
		type: TOOL_NODE,
		typeVersion: 1,
		position: [0, 0],
		parameters: chosen,
	};
	const filled = NodeHelpers.getNodeParameters(
		description.properties,
		chosen,
		true,
		false,
		node,
		description,
	);
	const shown = description.properties.filter(
		(property) =>
			!(property.name in chosen) &&
			!property.noDataExpression &&
			!['notice', 'callout', 'hidden'].includes(property.type) &&
			!['options', 'simplify'].includes(property.name) &&
			NodeHelpers.displayParameter({ ...filled, ...chosen }, property, node, description),
	);
	return {
		...chosen,
		...Object.fromEntries(shown.map((property) => [property.name, leftToModel(property)])),
	};
}

/** The tool's name, which is the name of its node with underscores. */
export function toolName({ resource, operation }: AgentTool): string {
	return `${resource}_${operation}`;
}

interface AgentSettings {
	credentials: { tools: INode['credentials']; model: INode['credentials'] };
	/** Of the tools; what n8n has where it is left out. */
	onError?: INode['onError'];
}

/** Start, agent, model, and a node for each tool. */
export function agentWorkflow(
	tools: readonly AgentTool[],
	description: INodeTypeDescription,
	{ credentials, onError }: AgentSettings,
): WorkflowInput {
	const at = (x: number, y: number): [number, number] => [x, y];
	const toolNodes = tools.map((tool, index) => ({
		id: `tool-${index}`,
		name: toolName(tool),
		type: TOOL_NODE,
		typeVersion: 1,
		position: at(200 * index, 400),
		parameters: toolParameters(description, tool),
		credentials: credentials.tools,
		...(onError && { onError }),
	}));
	return {
		name: 'Agent',
		nodes: [
			{
				id: 'start',
				name: START,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: at(0, 0),
				parameters: {},
			},
			{
				id: 'agent',
				name: AGENT,
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 3.1,
				position: at(220, 0),
				parameters: {
					promptType: 'define',
					text: 'Do what there is to do.',
					// One answer for each tool, and the last words.
					options: { maxIterations: tools.length + 1 },
				},
			},
			{
				id: 'model',
				name: MODEL,
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.3,
				position: at(0, 220),
				parameters: {
					model: { __rl: true, mode: 'id', value: 'scripted' },
					responsesApiEnabled: false,
					options: {},
				},
				credentials: credentials.model,
			},
			...toolNodes,
		],
		connections: {
			[START]: { main: [[{ node: AGENT, type: 'main', index: 0 }]] },
			[MODEL]: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
			...Object.fromEntries(
				toolNodes.map(({ name }) => [
					name,
					{ ai_tool: [[{ node: AGENT, type: 'ai_tool' as const, index: 0 }]] },
				]),
			),
		},
		settings: { executionOrder: 'v1' },
	};
}
