/**
 * Every operation of the action node in the real n8n with the packed package, and what a person does beyond filling in each field; and each as the tool of
 * an AI agent: what the model is told of it, that what it answers arrives at the service, and that the answer of the service comes back to it.
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
import { person, personParameters } from '../support/person.mts';
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

async function run(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<Seen> {
	await stage.sandbox.admin.clearRequests();
	const execution = await runOnce(stage, nodeWorkflow(stage, { parameters, rows }));
	expect(errorOf(execution)).toBeUndefined();
	const requests = (await stage.sandbox.admin.requests()).filter(({ path }) => !path.startsWith('/identity'));
	return { items: itemsOf(execution, TESTED).map(({ json }) => json), requests };
}

const sent = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

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

describe('The service holds', () => {
	const bond = () => ({
		schoolExternalId: known.bond.school,
		classExternalId: known.bond.class,
		userExternalId: known.bond.user,
		profileName: { __rl: true, mode: 'list', value: 'educator' },
	});
	const held = async () =>
		(await stage.sandbox.admin.bonds({ externalId: known.bond.user, profile: 'educator' })).count;

	test('a bond from its creation to its deletion', async () => {
		await run({ resource: 'bond', operation: 'create', ...bond() });
		expect(await held()).toBe(1);
		await run({ resource: 'bond', operation: 'delete', ...bond() });
		expect(await held()).toBe(0);
	});

	test('the status that an update has brought', async () => {
		const { accountId, schoolId, courseCode } = known;
		await run({
			resource: 'enrollment',
			operation: 'updateByAccount',
			accountId,
			schoolId,
			courseCode,
			status: 'paused',
		});
		const { items: courses } = await stage.sandbox.admin.courses({ accountId });
		expect(courses.find(({ code }) => code === courseCode)?.status).toBe('paused');
	});
});

describe('As a person fills it in', () => {
	test('class: Create sends the payload, with null and empty text where nothing is filled in', async () => {
		const { items, requests } = await run({
			resource: 'class',
			operation: 'create',
			schoolExternalId: 'school-001',
			externalId: 'class-e2e',
			educationalStage: { __rl: true, mode: 'list', value: 'EF1', cachedResultName: 'EF1' },
			grade: { __rl: true, mode: 'name', value: '5º ano' },
			year: '2026',
			code: '5A',
			name: 'Grade 5 A',
		});
		expect(requests.map(sent)).toEqual([
			{
				method: 'POST',
				path: '/integration/partner/v1/class',
				query: {},
				body: {
					school_external_id: 'school-001',
					external_id: 'class-e2e',
					educational_stage: 'EF1',
					grade: '5º ano',
					shift: null,
					year: 2026,
					code: '5A',
					name: 'Grade 5 A',
					description: '',
					course: null,
				},
			},
		]);
		expect(requests[0].headers['content-type']).toContain('application/json');
		expect(items).toEqual([
			expect.objectContaining({ external_id: 'class-e2e', name: 'Grade 5 A', status: 'active' }),
		]);
	});

	test('user: Create Responsible sends every field that was dragged in', async () => {
		const { requests } = await run(
			{ resource: 'user', operation: 'createResponsible', ...personParameters },
			[person],
		);
		expect(requests.map(sent)).toEqual([
			{
				method: 'POST',
				path: '/integration/partner/v1/user',
				query: {},
				body: { ...person, profiles: ['responsible'] },
			},
		]);
	});

	test('user: Create Student maps the fields of the item by itself and leaves unknown ones out', async () => {
		const row = {
			...person,
			external_id: 'student-e2e',
			first_name: 'Nina',
			email: '',
			responsible_external_id: 'responsible-e2e',
			shoe_size: 33,
		};
		const { requests } = await run(
			{ resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' },
			[row],
		);
		const {
			email: _,
			shoe_size: __,
			...expected
		} = { ...row, responsible_external_id: ['responsible-e2e'], profiles: ['student'] };
		expect(requests.map(({ body }) => body)).toEqual([expected]);
	});

	test('account: an id with characters of an address stays one segment of the path', async () => {
		const { items, requests } = await run({
			resource: 'account',
			operation: 'get',
			accountId: 'a b?c=ü',
			tenantId: known.tenantId,
		});
		expect(requests.map(({ path, query }) => [path, query])).toEqual([
			['/sync/v1/accounts/a%20b%3Fc%3D%C3%BC', { tenant_id: known.tenantId }],
		]);
		expect(items).toEqual([]);
	});

	test('account: Get Snapshot makes one item of six answers, with lists where several are meant', async () => {
		const { items } = await run({
			resource: 'account',
			operation: 'getSnapshot',
			accountId: known.accountId,
			tenantId: known.tenantId,
		});
		expect(items).toEqual([
			{
				tenant: expect.objectContaining({ id: known.tenantId }),
				account: expect.objectContaining({ account_id: known.accountId }),
				sponsors: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
				dependents: [],
				schools: [expect.objectContaining({ cnpj: expect.any(String) })],
				classes: expect.arrayContaining([expect.objectContaining({ school_id: expect.any(String) })]),
			},
		]);
	});

	test('enrollment: Update by User says when it was made, if nobody else does', async () => {
		const before = Date.now() - 1000;
		const { requests } = await run({
			resource: 'enrollment',
			operation: 'updateByUser',
			userId: known.userId,
			schoolId: known.schoolId,
			courseCode: known.courseCode,
			status: 'cancelled',
		});
		expect(requests.map(({ method, path }) => [method, path])).toEqual([
			['PUT', `/enrollment/v1/user/${known.userId}`],
		]);
		const [{ updated_at: updatedAt, ...rest }] = (requests[0].body as { data: IDataObject[] }).data;
		expect(rest).toEqual({ school_id: known.schoolId, course_code: known.courseCode, status: 'cancelled' });
		expect(String(updatedAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
		expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(before);
	});
});

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
