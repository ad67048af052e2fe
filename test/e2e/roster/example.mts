/** The example of every night, or one that is wired like it, in a real n8n, with a ledger of its own: its wiring can be changed, and it can be run as people run it, and as they should not. */
import { readFileSync } from 'node:fs';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	createWorkflow,
	errorOf,
	itemsOf,
	listExecutions,
	runManually,
	tablePath,
	tableRows,
	updateWorkflow,
	waitForExecution,
	withCredential,
	withExport,
	type Execution,
	type Session,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { COLUMNS } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { AdminClient } from '../../../sandbox/admin-client.mts';
import type { Sandbox } from '../../../sandbox/start.mts';
import { eventually } from '../../support/eventually.mts';
import { machineAccess } from '../../support/stage.mts';
import { BY_HAND, withLedger, withOptions } from '../examples/nights.mts';

export const PLAN = 'Plan Changes';
export const APPLY = 'Apply Changes';
export const LOOP = 'Each Batch';
/** The nodes that write into the ledger. */
export const WRITES_PLAN = 'Rows of the Plan';
export const WRITES_BATCH = 'Rows of the Batch';
export const READS_LEDGER = 'Rows of the Ledger';

export type Wiring = (workflow: WorkflowInput) => WorkflowInput;

export interface ExampleOptions {
	/** Its file; default: that with its ledger in a Data Table. */
	name?: string;
	/** Another wiring than that of the example. */
	wiring?: Wiring;
	/** Of the plan and of the loop; small, so that a small school has many batches. */
	batchSize?: number;
	/** Of the loop, where it is to be another one. */
	loopSize?: number;
}

/** A night that has ended. */
export interface Night {
	execution: Execution;
	changes: IDataObject[];
	held: IDataObject[];
	findings: IDataObject[];
	/** What Apply Changes gave for the ledger, of all batches. */
	rows: IDataObject[];
	/** Empty when the plan stopped. */
	summary: IDataObject;
	/** What n8n shows of a run that failed: message and what to do; '' of one that did not. */
	said: string;
}

/** Whoever has a session of an n8n: it is another one after n8n was started again. */
export interface HasSession {
	readonly session: Session;
}

export class NightlyExample {
	static #count = 0;

	private constructor(
		private readonly n8n: HasSession,
		readonly sandbox: Sandbox,
		/** The name of the ledger. */
		readonly table: string,
		readonly workflowId: string,
		private readonly workflow: WorkflowInput,
	) {}

	/** Imports it for this sandbox. */
	static async open(
		n8n: HasSession,
		sandbox: Sandbox,
		options: ExampleOptions = {},
	): Promise<NightlyExample> {
		const {
			name = 'sync-the-roster-every-night',
			wiring = (workflow) => workflow,
			batchSize = 25,
			loopSize = batchSize,
		} = options;
		const data = machineAccess(sandbox);
		const credential = await createCredential(n8n.session, {
			name: 'School Partner',
			type: 'schoolPartnerOAuth2Api',
			data,
		});
		// Trap: n8n does not create a table, and does not find it, where the name of another holds its name: "Ledger 1" beside "Ledger 10".
		const table = `Ledger ${String(++NightlyExample.#count).padStart(4, '0')}`;
		const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
		const filled = withExport(
			withLedger(withCredential(file, credential), table),
			`${sandbox.adminUrl}roster?format=oneroster-1.2`,
		);
		const looping = withNode(filled, LOOP, ({ parameters }) => ({
			parameters: { ...parameters, batchSize: loopSize },
		}));
		const workflow = wiring(withOptions(looping, PLAN, { batchSize }));
		const { id } = await createWorkflow(n8n.session, workflow);
		return new NightlyExample(n8n, sandbox, table, id, workflow);
	}

	get admin(): AdminClient {
		return this.sandbox.admin;
	}

	/** Begins a night, as a person does who clicks Execute, up to the node that is named; gives the id of the execution. */
	async begin(options: INodeParameters = {}, destination?: string): Promise<string> {
		await updateWorkflow(
			this.n8n.session,
			this.workflowId,
			withOptions(this.workflow, PLAN, options as IDataObject),
		);
		return await runManually(this.n8n.session, this.workflowId, { trigger: BY_HAND, destination });
	}

	/** What came of a night; waits for its end, so many milliseconds. */
	async endOf(id: string, timeoutMs?: number): Promise<Night> {
		const execution = await waitForExecution(this.n8n.session, id, timeoutMs);
		const [changes, , held, findings, summary] = [0, 1, 2, 3, 4].map((output) =>
			itemsOf(execution, PLAN, output).map(({ json }) => json),
		);
		const batches = execution.data.resultData.runData[APPLY] ?? [];
		const rows = batches.flatMap(({ data }) => (data?.main[0] ?? []).map(({ json }) => json));
		const error = errorOf(execution);
		const said = error === undefined ? '' : `${error.message}\n${String(error.description ?? '')}`;
		return { execution, changes, held, findings, rows, summary: summary[0] ?? {}, said };
	}

	async night(options: INodeParameters = {}): Promise<Night> {
		return await this.endOf(await this.begin(options));
	}

	/** What a night would do: nothing is written, and nothing sent. */
	async planned(options: INodeParameters = {}): Promise<Night> {
		return await this.endOf(await this.begin(options, PLAN));
	}

	/** *Execute step* on a node, with what the nodes before it gave in another execution. */
	async stepAgain(node: string, { data }: Execution): Promise<string> {
		return await runManually(this.n8n.session, this.workflowId, {
			trigger: BY_HAND,
			destination: node,
			runData: data.resultData.runData,
		});
	}

	/** *Retry* of the list of executions; gives the id of the new execution. */
	async retry(execution: string): Promise<string> {
		const before = (await listExecutions(this.n8n.session, this.workflowId)).map(({ id }) => id);
		// Trap: n8n (2.40.7) runs it, and then answers 500: its HTTP Request node leaves a connection in the execution, which is no JSON.
		await this.n8n.session
			.request('POST', `/executions/${execution}/retry`, { loadWorkflow: false })
			.catch(() => undefined);
		return await eventually(
			async () =>
				(await listExecutions(this.n8n.session, this.workflowId)).find(({ id }) => !before.includes(id))?.id,
		);
	}

	/** The rows of the ledger, in the order in which they were written. */
	async ledger(): Promise<IDataObject[]> {
		return await tableRows(this.n8n.session, this.table);
	}

	/** Writes rows into the ledger, as a person does who copies them. */
	async add(rows: readonly IDataObject[]): Promise<void> {
		const data = rows.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...row }) => row);
		await this.n8n.session.request('POST', `${await this.#tablePath()}/insert`, {
			data,
			returnType: 'count',
		});
	}

	/** As a person does in the table's editor; rows cannot be written then. */
	async renameColumn(from: string, to: string): Promise<void> {
		const path = `${await this.#tablePath()}/columns`;
		const columns = await this.n8n.session.request<Array<{ id: string; name: string }>>('GET', path);
		const column = columns.find(({ name }) => name === from);
		await this.n8n.session.request('PATCH', `${path}/${column?.id}/rename`, { name: to });
	}

	/** Another table like the ledger, as a person makes who keeps a copy. */
	async addTable(name: string): Promise<void> {
		const path = await this.#tablePath();
		const columns = COLUMNS.map((column) => ({ name: column, type: 'string' }));
		await this.n8n.session.request('POST', path.slice(0, path.lastIndexOf('/')), { name, columns });
	}

	async #tablePath(): Promise<string> {
		const path = await tablePath(this.n8n.session, this.table);
		if (path === undefined) throw new Error(`There is no table "${this.table}"`);
		return path;
	}
}

/** The same workflow with something else said of one node. */
export function withNode(
	workflow: WorkflowInput,
	name: string,
	change: (node: INode) => Partial<INode>,
): WorkflowInput {
	const nodes = workflow.nodes.map((node) => (node.name === name ? { ...node, ...change(node) } : node));
	return { ...workflow, nodes };
}

/** What stands there more than once. */
export function doublesIn(keys: readonly string[]): string[] {
	return [...new Set(keys.filter((key, place) => keys.indexOf(key) !== place))];
}

/** Keys of records by the state that their newest row says. */
export function keysByState(rows: readonly IDataObject[]): Record<string, string[]> {
	const states = new Map<string, string>();
	const ofRecords = rows.filter(({ kind }) => ['class', 'user', 'bond'].includes(String(kind)));
	const inOrder = ofRecords.toSorted((one, other) => (String(one.run_id) < String(other.run_id) ? -1 : 1));
	for (const { key, state } of inOrder) states.set(String(key), String(state));
	const byState: Record<string, string[]> = {};
	for (const [key, state] of states) (byState[state] ??= []).push(key);
	return byState;
}
