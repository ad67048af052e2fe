/**
 * Every operation of the action node in the real n8n with the packed package; and each as the tool of an AI agent: what the model is told of it,
 * that what it answers arrives at the service, and that the answer of the service comes back to it.
 */
import type { IDataObject, INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import { capabilities } from '../../playground/capabilities.mts';
import {
	createCredential,
	credentialReference,
	errorOf,
	itemsOf,
	loadedNodeTypes,
	type Execution,
	type StoredCredential,
} from '../../playground/n8n-client.mts';
import { allOperations, operations } from '../support/operations/index.mts';
import {
	argumentsOf,
	expectRun,
	knownOf,
	parametersOf,
	received,
	type Known,
	type OperationRow,
} from '../support/operations/row.mts';
import { ACTION_NODE, nodeWorkflow, runOnce, setStage, TESTED, type Stage } from '../support/stage.mts';
import { AGENT, agentWorkflow, TOOL_NODE, toolName, type AgentTool } from './agent/agent-workflow.mts';
import { startScriptedModel, type OfferedTool, type ScriptedModel } from './agent/scripted-model.mts';

let stage: Stage;
let known: Known;

beforeAll(async () => {
	stage = await setStage({ editor: true });
	known = await knownOf(stage.sandbox.admin);
});
afterAll(async () => await stage?.end());

interface Seen {
	items: IDataObject[];
	requests: LoggedRequest[];
}

async function run(parameters: INodeParameters): Promise<Seen> {
	await stage.sandbox.admin.clearRequests();
	const execution = await runOnce(stage, nodeWorkflow(stage, { parameters, rows: [{}] }));
	expect(errorOf(execution)).toBeUndefined();
	const requests = (await stage.sandbox.admin.requests()).filter(({ path }) => !path.startsWith('/identity'));
	return { items: itemsOf(execution, TESTED).map(({ json }) => json), requests };
}

test.each(operations)(
	'$title sends what the document says, with the token, and gives the fields of its table',
	async (row) => {
		const { items, requests } = await run(parametersOf(row, known));
		expectRun(row.run(known), requests, items);
		for (const { method, headers } of requests) {
			expect(headers.authorization).toMatch(/^Bearer /);
			if (method !== 'GET') expect(headers['content-type']).toContain('application/json');
		}
	},
);

describe('as n8n loads it', () => {
	test('n8n offers the nodes, their triggers, and two of them as tools of AI agents', async () => {
		const names = (await loadedNodeTypes(stage.session)).map(({ name }) => name);
		expect(names.filter((name) => name.startsWith('n8n-nodes-school-partner.')).sort()).toEqual([
			ACTION_NODE,
			'n8n-nodes-school-partner.schoolPartnerLogoutTrigger',
			'n8n-nodes-school-partner.schoolPartnerRoster',
			'n8n-nodes-school-partner.schoolPartnerRosterTool',
			`${ACTION_NODE}Tool`,
			'n8n-nodes-school-partner.schoolPartnerTrigger',
		]);
	});

	test('every operation shows what it gives before the first run', async () => {
		const description = (await loadedNodeTypes(stage.session)).find(({ name }) => name === ACTION_NODE);
		const operations = (description?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options ?? []).map((option) => [
					String(displayOptions?.show?.resource?.[0]),
					'value' in option ? String(option.value) : '',
				]),
			)
			// n8n's own entry in every node that has a credential.
			.filter(([, operation]) => operation !== '__CUSTOM_API_CALL__');
		expect(operations.length).toBeGreaterThanOrEqual(20);
		for (const [resource, operation] of operations) {
			const schema = await stage.session.read(`/schemas/${ACTION_NODE}/1.0.0/${resource}/${operation}.json`);
			expect([resource, operation, schema]).toEqual([
				resource,
				operation,
				expect.objectContaining({ type: 'object', version: 1 }),
			]);
		}
	});
});

describe('As the tool of an AI agent', () => {
	let model: ScriptedModel;
	let modelKey: StoredCredential;
	let signOn: StoredCredential;
	let description: INodeTypeDescription;

	beforeAll(async () => {
		// The operations before have written to it.
		await stage.sandbox.admin.reset();
		known = await knownOf(stage.sandbox.admin);
		model = await startScriptedModel();
		modelKey = await createCredential(stage.session, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.baseUrl },
		});
		const { issuerUrl, clientId, clientSecret } = stage.sandbox;
		signOn = await createCredential(stage.session, {
			name: 'School Partner OIDC',
			type: 'schoolPartnerOidcApi',
			data: { issuerUrl, clientId, clientSecret, scope: 'openid profile offline_access' },
		});
		const found = (await loadedNodeTypes(stage.session)).find(({ name }) => name === TOOL_NODE);
		if (found === undefined) throw new Error('n8n does not offer the node as a tool');
		description = found;
	}, 180_000);
	afterAll(async () => await model?.stop());

	interface Seen {
		offered: OfferedTool[];
		results: Record<string, string>;
		requests: LoggedRequest[];
		output: unknown;
	}

	/**
	 * Where n8n ends the agent at the first tool that fails, this lets it go on. n8n's editor shows no On Error for tools; a
	 * workflow that is imported or pasted can carry it.
	 */
	const GO_ON: INode['onError'] = capabilities.tellsTheModelWhatFailed ? undefined : 'continueRegularOutput';

	/** The agent with these tools: the model calls each of them once, and then says its last words. */
	async function runTheAgent<Tool extends AgentTool>(
		called: readonly Tool[],
		argsOf: (tool: Tool) => IDataObject,
		onError: INode['onError'],
	): Promise<Execution> {
		await stage.sandbox.admin.clearRequests();
		const script = Object.fromEntries(called.map((tool) => [toolName(tool), argsOf(tool)]));
		model.say(script, 'All done.', capabilities.runsToolsInOrder ? Infinity : 1);
		const workflow = agentWorkflow(called, description, {
			credentials: {
				tools: { ...credentialReference(stage.credential), ...credentialReference(signOn) },
				model: credentialReference(modelKey),
			},
			onError,
		});
		return await runOnce(stage, workflow);
	}

	async function letTheModelCall(called: readonly OperationRow[]): Promise<Seen> {
		const execution = await runTheAgent(called, (row) => argumentsOf(row, known), GO_ON);
		expect(errorOf(execution)).toBeUndefined();
		return {
			offered: model.offered(),
			results: model.results(),
			requests: await stage.sandbox.admin.requests(),
			output: itemsOf(execution, AGENT)[0]?.json.output,
		};
	}

	/** What gives tokens or secrets is no tool. */
	const NO_TOOLS = ['exchangeCode', 'refreshToken', 'getMachineToken', 'getAuthorizationUrl', 'getLogoutUrl'];
	const tools = allOperations.filter(
		({ resource, operation }) => resource !== 'signOn' || !NO_TOOLS.includes(operation),
	);

	/** A model sets no options: a token that does not hold fails its item. */
	const saidToModels = ({ operation }: OperationRow, says = /\S/) =>
		operation === 'validateToken' ? /not a complete signed JSON Web Token/ : says;

	describe.each([...new Set(tools.map(({ resource }) => resource))])('%s', (resource) => {
		const ofResource = tools.filter((row) => row.resource === resource);
		let seen: Seen;
		beforeAll(async () => {
			seen = await letTheModelCall(ofResource);
		}, 600_000);

		test.each(ofResource)('$operation: the model is told what it does and what each argument is', (tool) => {
			const offered = seen.offered.find(({ name }) => name === toolName(tool));
			const args = argumentsOf(tool, known);
			expect(offered?.description).toMatch(/^[A-Z][a-z]+ .* in School Partner$/);
			expect(Object.keys(offered?.parameters.properties ?? {}).sort()).toEqual(Object.keys(args).sort());
			for (const [name, schema] of Object.entries(offered?.parameters.properties ?? {})) {
				expect([name, schema.type]).toEqual([name, typeof args[name]]);
				expect([name, schema.description]).toEqual([name, expect.stringMatching(/\w+/)]);
			}
		});

		test.each(ofResource)('$operation: what the model answers arrives, and the answer comes back', (tool) => {
			const { sends, says } = tool.run(known);
			for (const [target, expected] of sends) {
				const candidates = received(seen.requests).filter((request) => request[0] === target);
				const carried = candidates.map((request) => request[1]);
				expect([target, carried]).toEqual([target, expect.arrayContaining([expected])]);
			}
			expect(seen.results[toolName(tool)]).toMatch(saidToModels(tool, says));
		});

		test('the agent ends with the last words of the model', () => {
			expect(seen.output).toBe('All done.');
		});
	});

	test('every operation is told in words of its own, so that a model can tell them apart', async () => {
		const { offered } = await letTheModelCall(tools);
		const told = offered.map(({ description: text }) => text);
		expect(told).toHaveLength(tools.length);
		expect([...new Set(told)]).toHaveLength(tools.length);
	}, 600_000);

	describe('What a tool cannot do', () => {
		const tool: AgentTool = { resource: 'account', operation: 'get' };
		const args = { Account_ID: '..', Tenant_ID: 'no GUID' };
		const told = 'Account ID must not be "." or ".."';

		test.each([
			['is told to the model, which goes on, when the workflow says so', 'continueRegularOutput' as const],
			['is told to the model where n8n does that by itself, and ends the agent elsewhere', undefined],
		])('%s', async (_what, onError) => {
			const execution = await runTheAgent([tool], () => args, onError);
			if (onError === undefined && !capabilities.tellsTheModelWhatFailed) {
				expect(errorOf(execution)?.message).toContain(told);
				expect(model.results()).toEqual({});
				return;
			}
			expect(errorOf(execution)).toBeUndefined();
			expect(model.results()[toolName(tool)]).toContain(told.replaceAll('"', '\\"'));
			expect(itemsOf(execution, AGENT)[0]?.json.output).toBe('All done.');
		});
	});
});
