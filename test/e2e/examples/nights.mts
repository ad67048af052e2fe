/** Nights of an example that keeps the service in step with an export: run one, and look at what it came to. */
import type { IDataObject } from 'n8n-workflow';

import {
	activateWorkflow,
	createWorkflow,
	runManually,
	updateWorkflow,
	waitForExecution,
	type Execution,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { BondState, LoggedRequest } from '../../../sandbox/admin-types.mts';
import type { RosterQuery } from '../../../sandbox/roster-types.mts';
import { bondKey } from '../../support/held.mts';
import type { ExampleWorkroom } from './support.mts';

export const BY_HAND = 'When Clicking Execute';
export const EVERY_NIGHT = 'Every Night';

export const writesIn = (requests: readonly LoggedRequest[]): LoggedRequest[] =>
	requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/integration/'));

/** The records of the requests with a method, by the keys of the ledger. */
export function keysOf(writes: readonly LoggedRequest[], method: 'POST' | 'DELETE'): string[] {
	return writes
		.filter((each) => each.method === method)
		.map(keyOf)
		.sort();
}

function keyOf({ path, body }: LoggedRequest): string {
	const fields = body as IDataObject & BondState;
	if (path.endsWith('/bond-user-class')) return bondKey(fields);
	return path.endsWith('/class')
		? `c:${fields.school_external_id}|${String(fields.external_id)}`
		: `u:${String(fields.external_id)}`;
}

/** The same workflow with a ledger of its own, for a test that must not meet the nights of another. */
export function withLedger(workflow: WorkflowInput, name: string): WorkflowInput {
	return JSON.parse(
		JSON.stringify(workflow).replaceAll('"Roster ledger"', JSON.stringify(name)),
	) as WorkflowInput;
}

/** The same workflow with other options in a node. */
export function withOptions(workflow: WorkflowInput, name: string, options: IDataObject): WorkflowInput {
	const nodes = workflow.nodes.map((node) =>
		node.name === name
			? {
					...node,
					parameters: { ...node.parameters, options: { ...(node.parameters.options as object), ...options } },
				}
			: node,
	);
	return { ...workflow, nodes } as WorkflowInput;
}

/** The same workflow with the address of an export. */
function fetching(workflow: WorkflowInput, url: string): WorkflowInput {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Export of Tonight' ? { ...node, parameters: { ...node.parameters, url } } : node,
	);
	return { ...workflow, nodes };
}

/** A published workflow that runs night after night, with the export that each night has. */
export class Nights {
	private constructor(
		private readonly workroom: ExampleWorkroom,
		readonly stored: StoredWorkflow,
		private readonly workflow: WorkflowInput,
	) {}

	/** Trap: where n8n starts the workflow itself, it may run what was published before for a moment (2.41.1). So the export of the first night is in what is published first. */
	static async of(
		workroom: ExampleWorkroom,
		workflow: WorkflowInput,
		query: RosterQuery = {},
	): Promise<Nights> {
		const stored = await createWorkflow(workroom.stage.session, fetching(workflow, workroom.exportOf(query)));
		await activateWorkflow(workroom.stage.session, stored.id);
		return new Nights(workroom, stored, workflow);
	}

	/** Runs it to its end; what is left may go on by itself. Gives what the service received meanwhile. */
	async run(
		trigger: string,
		query: RosterQuery = {},
	): Promise<{ execution: Execution; writes: LoggedRequest[] }> {
		const id = await this.start(trigger, query);
		return {
			execution: await waitForExecution(this.workroom.stage.session, id),
			writes: await this.writes(),
		};
	}

	/** Starts it, with the service's log empty. Gives the id of the execution. */
	async start(trigger: string, query: RosterQuery = {}): Promise<string> {
		await this.exports(query);
		await this.workroom.admin.clearRequests();
		return await runManually(this.workroom.stage.session, this.stored.id, { trigger });
	}

	/** From now on the school system exports this. */
	async exports(query: RosterQuery): Promise<void> {
		const { session } = this.workroom.stage;
		await updateWorkflow(session, this.stored.id, fetching(this.workflow, this.workroom.exportOf(query)));
		await activateWorkflow(session, this.stored.id);
	}

	/** What the service was asked to change since the last start, in order. */
	async writes(): Promise<LoggedRequest[]> {
		return writesIn(await this.workroom.admin.requests({ path: '/integration/' }));
	}
}
