/**
 * Takes requests over real HTTP with a built trigger in n8n-core's own webhook context, in the order of n8n 2.40:
 * body, `webhook()`, recording of the run, reading of the answer, saving of static data, answer. Unlike in n8n, a
 * test decides how long the recording takes and whether it fails: that is what this host is for.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';

import express, { type Request, type Response } from 'express';
import { WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWebhookData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CredentialStore, loadedPackage } from '../support/engine.mts';
import { KEY } from './trigger-sender.mts';

const PACKAGE = 'n8n-nodes-school-partner';

/** A trigger of the package, as a user sets it up first. */
export interface TriggerUnderTest {
	node: 'schoolPartnerTrigger' | 'schoolPartnerLogoutTrigger';
	parameters: INodeParameters;
}

const EVENTS: TriggerUnderTest = {
	node: 'schoolPartnerTrigger',
	parameters: { events: ['userAccess', 'userAccessRevocation'], options: {} },
};

export interface HostOptions {
	/** Default: the trigger of access events. */
	trigger?: TriggerUnderTest;
	/** Undefined: the node has no credential. */
	credentials?: CredentialStore;
	parameters?: INodeParameters;
	mode?: WorkflowExecuteMode;
	/** What was saved with the workflow by an n8n that ran before. */
	staticData?: string;
	/** Takes every line that the node logs. Without it, n8n's logger does, which writes nothing in tests. */
	log?: (line: string) => void;
	/** Makes a function of n8n fail that the node relies on: nothing that is sent can do that. */
	failing?: 'getMode';
	/** Records a run. The answer waits for it; when it rejects, n8n answers 500. */
	record?: (run: INodeExecutionData[][]) => Promise<void>;
}

export interface Host {
	url: string;
	/** Runs that were recorded, each with its items by output. */
	runs: INodeExecutionData[][][];
	/** Deliveries that the node was given, whatever has become of them. */
	given: () => number;
	/** Senders who hung up before they were answered, as far as it has been noticed here. */
	hungUp: () => number;
	/** Static data as it stands in the database. */
	staticData: () => string;
	stop(): Promise<void>;
}

/** The credential of the trigger. */
export async function keys(apiKey: unknown = KEY, previousApiKey: unknown = ''): Promise<CredentialStore> {
	return await CredentialStore.of('schoolPartnerWebhookApi', { apiKey, previousApiKey } as never);
}

/** Starts hosts for the tests of a file, with the right key unless told otherwise; each is stopped after its test. */
export function useHosts(): (options?: HostOptions) => Promise<Host> {
	const hosts: Host[] = [];
	afterEach(async () => {
		await Promise.all(hosts.splice(0).map(async (host) => await host.stop()));
	});
	return async (options = {}) => {
		const host = await startHost({ credentials: await keys(), ...options });
		hosts.push(host);
		return host;
	};
}

export async function startHost(options: HostOptions): Promise<Host> {
	const { node } = options.trigger ?? EVENTS;
	const nodeType = (await loadedPackage()).getNode(node).type as INodeType;
	const workflowId = randomUUID();
	const credentialId = randomUUID();
	const runs: INodeExecutionData[][][] = [];
	let stored = options.staticData ?? '{}';
	let given = 0;
	let hungUp = 0;

	async function deliver(request: Request, response: Response): Promise<void> {
		await readBody(request);
		given++;
		response.once('close', () => {
			if (!response.writableFinished) hungUp++;
		});
		const workflow = workflowOf(nodeType, workflowId, credentialId, options, stored);
		const context = contextOf(workflow, request, response, options);
		const result = (await nodeType.webhook?.call(context as IWebhookFunctions)) as IWebhookResponseData;
		if (result.noWebhookResponse === true) return;
		if (result.workflowData !== undefined) {
			await options.record?.(result.workflowData);
			runs.push(result.workflowData);
			// Trap that n8n sets: the run wraps static data anew, and changes made before are no longer noticed.
			resetChanges(workflow);
		}
		// n8n reads the answer twice.
		const answer: unknown = result.webhookResponse !== undefined ? result.webhookResponse : {};
		if (hasChanges(workflow)) stored = JSON.stringify(workflow.staticData);
		if (typeof answer === 'string') response.status(200).send(answer);
		else response.status(200).json(answer);
	}

	const app = express().disable('x-powered-by');
	app.all('/', (request, response) => {
		deliver(request, response).catch(() => response.status(500).json({ message: 'n8n failed' }));
	});
	const server = await listening(createServer(app));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		runs,
		given: () => given,
		hungUp: () => hungUp,
		staticData: () => stored,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function listening(server: Server): Promise<Server> {
	return await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** As n8n does for nodes of a version above 1: types it knows are read, others are left on the wire. */
async function readBody(request: IncomingMessage & { rawBody?: Buffer; body?: unknown }): Promise<void> {
	const type = request.headers['content-type'] ?? '';
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	if (!isForm && !/^(application\/json|text\/plain)/.test(type)) return;
	const parts: Buffer[] = [];
	request.on('data', (part: Buffer) => parts.push(part));
	await once(request, 'end');
	request.rawBody = Buffer.concat(parts);
	request.body = isForm ? { ...parse(request.rawBody.toString('utf8')) } : {};
}

function workflowOf(
	nodeType: INodeType,
	id: string,
	credentialId: string,
	{ credentials, parameters = {}, trigger = EVENTS }: HostOptions,
	stored: string,
): Workflow {
	const node = {
		id: 'trigger',
		name: 'Trigger',
		type: `${PACKAGE}.${trigger.node}`,
		typeVersion: 2,
		position: [0, 0] as [number, number],
		parameters: { ...trigger.parameters, ...parameters },
		...(credentials && { credentials: { [credentials.type]: { id: credentialId, name: 'Key' } } }),
	};
	const byName = () => nodeType;
	return new Workflow({
		id,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) },
		staticData: JSON.parse(stored) as IDataObject,
	});
}

function contextOf(
	workflow: Workflow,
	request: Request,
	response: Response,
	options: HostOptions,
): WebhookContext {
	const node = Object.values(workflow.nodes)[0];
	if (node === undefined) throw new Error('The workflow has no node');
	const additionalData = {
		httpRequest: request,
		httpResponse: response,
		credentialsHelper: options.credentials,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const webhookData = {} as unknown as IWebhookData;
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		options.mode ?? 'webhook',
		webhookData,
		[],
		null,
	);
	const { log, failing } = options;
	if (failing !== undefined) {
		const fail = () => {
			throw new Error('secret');
		};
		Object.defineProperty(context, failing, { value: fail });
	}
	if (log !== undefined) {
		const write = (...words: unknown[]) => log(JSON.stringify(words));
		Object.defineProperty(context, 'logger', {
			value: { debug: write, info: write, warn: write, error: write },
		});
	}
	return context;
}

function hasChanges(workflow: Workflow): boolean {
	return (workflow.staticData as { __dataChanged?: boolean }).__dataChanged === true;
}

function resetChanges(workflow: Workflow): void {
	(workflow.staticData as { __dataChanged?: boolean }).__dataChanged = false;
}

export function sha256(text: string | Buffer): string {
	return createHash('sha256').update(text).digest('hex');
}
