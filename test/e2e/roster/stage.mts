/**
 * What the tests of the roster in a real n8n stand on: a service that has schools and nobody in them, the export that the school system's server gives, and
 * the night as people build it: start, export, one node.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	createWorkflow,
	credentialReference,
	errorOf,
	itemsOf,
	runAndWait,
	runManually,
	waitForExecution,
	type Execution,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { setStage, type Stage } from '../../support/stage.mts';
import { wired, type Step } from '../../support/wired.mts';

export const ROSTER = 'School Partner Roster';
const START = 'Start';
export const ROSTER_NODE = 'n8n-nodes-school-partner.schoolPartnerRoster';

/** What came out of Sync, Preview or Take Over. */
export interface Night {
	execution: Execution;
	summary: IDataObject;
	attention: IDataObject[];
	changes: IDataObject[];
	/** What the person reads when it failed; '' when it did not. */
	said: string;
}

export const SIZE = { students: 60, schools: 3 };

/** The school system's own server: files by their path. */
export class FileServer {
	private constructor(
		private readonly server: Server,
		private readonly served: Map<string, Uint8Array>,
	) {}

	static async start(): Promise<FileServer> {
		const served = new Map<string, Uint8Array>();
		const server = createServer(({ url = '' }, answer) => {
			const bytes = served.get(url);
			answer.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
			answer.end(bytes);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new FileServer(server, served);
	}

	/** Puts a file there; gives its address. */
	serve(name: string, bytes: Uint8Array): string {
		this.served.set(`/${name}`, bytes);
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
	}

	stop(): void {
		this.server.close();
	}
}

export interface NightWorkflow {
	credential: StoredCredential;
	/** Address of the export. */
	url: string;
	mapping: INodeParameters;
	/** Of the roster node, beside its mapping. */
	parameters?: INodeParameters;
	node?: Partial<INode>;
	settings?: WorkflowInput['settings'];
}

/** Start, export, one node. */
export function nightWorkflow(night: NightWorkflow): WorkflowInput {
	const { credential, url, mapping, parameters = {}, node = {}, settings } = night;
	const options = { response: { response: { responseFormat: 'file' } } };
	const steps: Step[] = [
		{ name: START, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			...{ name: 'Export', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, from: [START] },
			parameters: { url, options },
		},
		{
			...{ name: ROSTER, type: ROSTER_NODE, from: ['Export'] },
			parameters: { operation: 'sync', mapping, options: {}, ...parameters },
			credentials: credentialReference(credential),
			...node,
		},
	];
	return { name: 'Night', ...wired(steps), settings: { executionOrder: 'v1', ...settings } };
}

/** Items straight into the roster node, as after a form or a table. */
export function decisionWorkflow(
	items: readonly IDataObject[],
	parameters: INodeParameters,
	node: Partial<INode> = {},
): WorkflowInput {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	const steps: Step[] = [
		{ name: START, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{ name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode }, from: [START] },
		{ name: ROSTER, type: ROSTER_NODE, parameters, from: ['Items'], ...node },
	];
	return { name: 'Decision', ...wired(steps), settings: { executionOrder: 'v1' } };
}

export function nightOf(execution: Execution): Night {
	const [summaries, attention, changes] = [0, 1, 2].map((output) =>
		itemsOf(execution, ROSTER, output).map(({ json }) => json),
	);
	const error = errorOf(execution);
	const said = error === undefined ? '' : `${error.message}\n${String(error.description ?? '')}`;
	return { execution, summary: summaries[0] ?? {}, attention, changes, said };
}

/** Saves a workflow, starts it as the editor does; gives its execution's id. */
export async function begin(session: Session, workflow: WorkflowInput): Promise<string> {
	const { id } = await createWorkflow(session, workflow);
	return await runManually(session, id, { trigger: START });
}

export async function run(
	session: Session,
	workflow: WorkflowInput,
	timeoutMs = 560_000,
): Promise<Execution> {
	const { id } = await createWorkflow(session, workflow);
	return await runAndWait(session, id, { trigger: START }, timeoutMs);
}

export class RosterStage {
	private constructor(
		readonly stage: Stage,
		/** The network whose exports come. The service of the stage has its schools. */
		readonly network: Sandbox,
		readonly mapping: INodeParameters,
		readonly files: FileServer,
	) {}

	static async set(size = SIZE, env: Record<string, string> = {}): Promise<RosterStage> {
		const network = await startSandbox(size);
		const files = await FileServer.start();
		try {
			const stage = await setStage({ sandbox: { ...size, empty: true }, env });
			const mapping = (await network.admin.rosterMapping()) as unknown as INodeParameters;
			return new RosterStage(stage, network, mapping, files);
		} catch (error) {
			// Trap: what is left behind keeps the test runner from ending.
			files.stop();
			await network.stop();
			throw error;
		}
	}

	async end(): Promise<void> {
		this.files.stop();
		await this.stage.end();
		await this.network.stop();
	}

	workflow(zip: Uint8Array, night: Partial<NightWorkflow> = {}): WorkflowInput {
		const url = this.files.serve('export.zip', zip);
		return nightWorkflow({ credential: this.stage.credential, url, mapping: this.mapping, ...night });
	}

	async night(zip: Uint8Array, night: Partial<NightWorkflow> = {}): Promise<Night> {
		return nightOf(await run(this.stage.session, this.workflow(zip, night)));
	}

	/** A night that is begun and not waited for; gives the execution's id. */
	async begin(zip: Uint8Array, night: Partial<NightWorkflow> = {}): Promise<string> {
		return await begin(this.stage.session, this.workflow(zip, night));
	}

	async endOf(id: string): Promise<Night> {
		return nightOf(await waitForExecution(this.stage.session, id, 560_000));
	}

	/** Approves the holds of a night, as a person who has looked at them; gives what the node answered. */
	async approve(
		{ summary }: Night,
		parameters: INodeParameters = {},
		node: Partial<INode> = {},
	): Promise<IDataObject[]> {
		const holds = summary.holds as IDataObject[];
		const items = holds.map(({ hold_id }) => ({ hold_id, approve: true, by: 'Ana' }));
		return await this.decide(items, { operation: 'approve', ...parameters }, node);
	}

	async decide(
		items: readonly IDataObject[],
		parameters: INodeParameters,
		node: Partial<INode> = {},
	): Promise<IDataObject[]> {
		const execution = await run(this.stage.session, decisionWorkflow(items, parameters, node));
		expect(errorOf(execution)).toBeUndefined();
		return itemsOf(execution, ROSTER).map(({ json }) => json);
	}
}
