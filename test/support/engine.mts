/**
 * Runs one node of the built package in n8n-core's own engine, in this process: real expressions, real OAuth2
 * helpers, real failure routing, real HTTP. Only n8n's database and queue are not there: credentials are kept in
 * memory, and their expressions resolved with the same functions of n8n.
 */
import { ExecutionLifecycleHooks, PackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	type ExecutionError,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type NodeParameterValueType,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { isBuildStale } from '../../playground/package-under-test.mts';

// n8n logs every failed run; the tests look at what the run gives instead.
process.env.N8N_LOG_LEVEL ??= 'silent';

const PACKAGE = 'n8n-nodes-school-partner';
const SOURCE = 'Items';
const TESTED = 'School Partner';

/** Gives the items of the test to the node under test, as any node before it would. */
function itemSource(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: SOURCE,
			name: 'items',
			group: ['input'],
			version: 1,
			description: 'Gives the items of a test',
			defaults: { name: SOURCE },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [items],
	};
}

/** The package as n8n loads it. Rejects when its sources have changed since: what is tested is not what would be published. */
let loading: Promise<PackageDirectoryLoader> | undefined;
export async function loadedPackage(): Promise<PackageDirectoryLoader> {
	loading ??= (async () => {
		if (isBuildStale()) throw new Error('dist/ is missing or older than its sources: npm run build');
		const loader = new PackageDirectoryLoader(process.cwd());
		await loader.loadAll();
		return loader;
	})();
	return await loading;
}

/** Credentials in memory, shared by all runs that are given the same store. */
export class CredentialStore extends ICredentialsHelper {
	/** How often the node read its credential. */
	reads = 0;

	private constructor(
		private readonly loader: PackageDirectoryLoader,
		readonly type: string,
		public data: ICredentialDataDecryptedObject,
	) {
		super();
	}

	static async of(type: string, data: ICredentialDataDecryptedObject): Promise<CredentialStore> {
		return new CredentialStore(await loadedPackage(), type, data);
	}

	getParentTypes(name: string): string[] {
		return this.loader.credentialTypes[name]?.type.extends ?? [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		_data: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return options;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Not needed: credentials are in memory');
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
		_mode: string,
		_executeData: unknown,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		if (raw) return structuredClone(this.data);
		const properties = this.getCredentialsProperties(type);
		const filled = NodeHelpers.getNodeParameters(
			properties,
			this.data as INodeParameters,
			true,
			false,
			null,
			null,
		);
		const { oauthTokenData } = this.data;
		const whole = { ...filled, ...(oauthTokenData !== undefined && { oauthTokenData }) } as INodeParameters;
		return structuredClone(resolved(whole, values)) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(
		_details: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.data = { ...this.data, oauthTokenData: structuredClone(data.oauthTokenData) };
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.loader.credentialTypes[type].type.properties;
	}
}

/** The expressions of a credential (its token address) are evaluated as n8n does it. Without a run: on their own. */
function resolved(
	whole: INodeParameters,
	values?: ICredentialsExpressionResolveValues,
): NodeParameterValueType {
	const { workflow, node, runExecutionData, runIndex, itemIndex, connectionInputData } = values ?? {
		workflow: new Workflow({ nodes: [], connections: {}, active: false, nodeTypes: NO_NODE_TYPES }),
		node: undefined,
		runExecutionData: null,
		runIndex: 0,
		itemIndex: 0,
		connectionInputData: [],
	};
	return workflow.expression.getParameterValue(
		whole,
		runExecutionData,
		runIndex,
		itemIndex,
		node?.name ?? '',
		connectionInputData,
		'manual',
		{},
		undefined,
		false,
		whole,
	);
}

export type OnError = NonNullable<INode['onError']>;

export interface NodeRun {
	/** Items by output; where the node ran several times, of the first time. */
	outputs: INodeExecutionData[][];
	/** Items by output, for each time the node ran. */
	allOutputs: INodeExecutionData[][][];
	/** The data of the items of the first output. */
	items: IDataObject[];
	error: ExecutionError | undefined;
	run: IRun;
}

export interface NodeRunOptions {
	parameters: INodeParameters;
	items?: IDataObject[];
	/** Items with more than data, such as files; in the place of `items`. */
	inputs?: INodeExecutionData[];
	credentials?: CredentialStore;
	onError?: OnError;
	/** What else stands in the settings of the node. */
	settings?: Pick<INode, 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>;
	/** The node of the package; default: the action node. */
	node?: string;
	/** Stands in the place of the node of the package: a probe that looks at what n8n gives a node. */
	probe?: INodeType;
	/** Executed alone, with the items as its own: n8n knows of no node that they come from. */
	alone?: boolean;
	/** Further nodes that give items, each wired to an input of the node (0: the first, as a loop would run it again). */
	more?: Array<{ input: number; inputs: INodeExecutionData[] }>;
	/** Default: started by hand. */
	mode?: WorkflowExecuteMode;
	/** Called with a way to cancel the run once it has begun. */
	whenStarted?: (cancel: () => void) => void;
}

/** Runs a node behind a node that gives the items. */
export async function runNode(options: NodeRunOptions): Promise<NodeRun> {
	const loader = await loadedPackage();
	const {
		parameters,
		items = [{}],
		inputs = items.map((json) => ({ json })),
		credentials,
		onError = 'stopWorkflow',
		settings,
		node = 'schoolPartner',
		probe,
		alone = false,
		more = [],
		mode = 'manual',
		whenStarted,
	} = options;
	const source = itemSource(inputs.map((input, item) => ({ ...input, pairedItem: { item } })));
	const tested = probe ?? (loader.getNode(node).type as INodeType);
	const workflow = new Workflow({
		id: 'engine-test',
		nodes: [
			{ id: '1', name: SOURCE, type: 'test.items', typeVersion: 1, position: [0, 0], parameters: {} },
			{
				id: '2',
				name: TESTED,
				type: `${PACKAGE}.${node}`,
				typeVersion: 1,
				position: [200, 0],
				parameters,
				onError,
				...settings,
				...(credentials && { credentials: { [credentials.type]: { id: '7', name: 'School Partner' } } }),
			},
			...more.map((_, index) => sourceNode(index)),
		],
		connections: {
			[SOURCE]: { main: [[{ node: TESTED, type: 'main', index: 0 }]] },
			...Object.fromEntries(
				more.map(({ input }, index) => [
					sourceNode(index).name,
					{ main: [[{ node: TESTED, type: 'main' as const, index: input }]] },
				]),
			),
		},
		active: false,
		nodeTypes: nodeTypesOf(
			source,
			tested,
			more.map(({ inputs: given }) => itemSource(given)),
		),
		// As every workflow that is made today. Where a node has several inputs, it decides when the node runs.
		...(more.length > 0 && { settings: { executionOrder: 'v1' as const } }),
	});
	const started = workflow.getNode(alone ? TESTED : SOURCE);
	if (started === null) throw new Error('The workflow has no source');
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: started, data: { main: [alone ? inputs : [{ json: {} }]] }, source: null },
				...more.map((_, index) => ({
					node: workflow.nodes[sourceNode(index).name],
					data: { main: [[{ json: {} }]] },
					source: null,
				})),
			],
		},
	});
	const helper = credentials ?? (await CredentialStore.of('none', {}));
	const execution = new WorkflowExecute(additionalDataOf(workflow, helper), mode, data);
	await workflow.expression.acquireIsolate();
	try {
		const running = execution.processRunExecutionData(workflow);
		whenStarted?.(() => running.cancel());
		const run = await running;
		const allOutputs = (run.data.resultData.runData[TESTED] ?? []).map(({ data: given }) =>
			(given?.main ?? []).map((output) => output ?? []),
		);
		const [outputs = []] = allOutputs;
		return {
			outputs,
			allOutputs,
			items: (outputs[0] ?? []).map(({ json }) => json),
			error: run.data.resultData.error,
			run,
		};
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** A node that gives further items. */
function sourceNode(index: number): INode {
	return {
		id: `more-${index}`,
		name: `More ${index}`,
		type: `test.more.${index}`,
		typeVersion: 1,
		position: [0, 100 * (index + 1)],
		parameters: {},
	};
}

const NO_NODE_TYPES = nodeTypesOf(itemSource([]), itemSource([]));

function nodeTypesOf(source: INodeType, tested: INodeType, more: INodeType[] = []): INodeTypes {
	const byName = (type: string) => {
		if (type === 'test.items') return source;
		return type.startsWith('test.more.') ? more[Number(type.slice('test.more.'.length))] : tested;
	};
	return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
}

export function additionalDataOf(
	workflow: Workflow,
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks('manual', '1', {
		id: 'engine-test',
		name: 'Engine test',
		active: false,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
		activeVersionId: null,
	});
	const anyUrl = 'http://127.0.0.1/';
	return {
		hooks,
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		restApiUrl: anyUrl,
		instanceBaseUrl: anyUrl,
		formBaseUrl: anyUrl,
		formWaitingBaseUrl: anyUrl,
		formTestBaseUrl: anyUrl,
		webhookBaseUrl: anyUrl,
		webhookWaitingBaseUrl: anyUrl,
		webhookTestBaseUrl: anyUrl,
		variables: {},
		executionId: '1',
		setExecutionStatus: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}
