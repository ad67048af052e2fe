/**
 * Runs one node of the built package in n8n-core's own engine, in this process: real expressions, real OAuth2
 * helpers, real failure routing, real HTTP. Only n8n's database and queue are not there: credentials are kept in
 * memory, and their expressions resolved with the same functions of n8n; so are Data Tables (dataTables.mts).
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

import { KNOWN_NODES, type DataTables } from './dataTables.mts';

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
	/** Items by output. */
	outputs: INodeExecutionData[][];
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
	/** Run as n8n runs a node that an agent uses as a tool. */
	isTool?: boolean;
	/** Of the workflow; default: n8n's own. */
	timezone?: string;
	/** What the node finds of n8n's Data Tables. */
	dataTables?: DataTables;
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
		isTool = false,
		timezone,
		dataTables,
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
				type: `${PACKAGE}.${node}${isTool ? 'Tool' : ''}`,
				typeVersion: 1,
				position: [200, 0],
				parameters,
				onError,
				...settings,
				...(credentials && { credentials: { [credentials.type]: { id: '7', name: 'School Partner' } } }),
			},
		],
		connections: { [SOURCE]: { main: [[{ node: TESTED, type: 'main', index: 0 }]] } },
		active: false,
		settings: { timezone },
		nodeTypes: nodeTypesOf(source, tested),
	});
	const started = workflow.getNode(alone ? TESTED : SOURCE);
	if (started === null) throw new Error('The workflow has no source');
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: started, data: { main: [alone ? inputs : [{ json: {} }]] }, source: null },
			],
		},
	});
	const helper = credentials ?? (await CredentialStore.of('none', {}));
	const additionalData = additionalDataOf(workflow, helper);
	if (dataTables !== undefined) additionalData.executeWorkflow = dataTables.executeWorkflow;
	const execution = new WorkflowExecute(additionalData, mode, data);
	await workflow.expression.acquireIsolate();
	try {
		const running = execution.processRunExecutionData(workflow);
		whenStarted?.(() => running.cancel());
		const run = await running;
		const outputs = (run.data.resultData.runData[TESTED]?.[0]?.data?.main ?? []).map(
			(output) => output ?? [],
		);
		return {
			outputs,
			items: (outputs[0] ?? []).map(({ json }) => json),
			error: run.data.resultData.error,
			run,
		};
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const NO_NODE_TYPES = nodeTypesOf(itemSource([]), itemSource([]));

function nodeTypesOf(source: INodeType, tested: INodeType): INodeTypes {
	const byName = (type: string) => (type === 'test.items' ? source : tested);
	return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => KNOWN_NODES };
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
