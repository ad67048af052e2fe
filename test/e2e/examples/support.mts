/** What the tests of the examples stand on: one n8n for a file of tests, the examples as a user imports them, and their runs. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import {
	activateWorkflow,
	createWorkflow,
	deleteDataTable,
	errorOf,
	itemsOf,
	tablePath,
	tableRows,
	withCredential,
	withExport,
	type Execution,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { AdminClient } from '../../../sandbox/admin-client.mts';
import type { Facts, LoggedRequest } from '../../../sandbox/admin-types.mts';
import type { RosterQuery } from '../../../sandbox/roster-types.mts';
import { runOnce, setStage, type Stage, type StageOptions } from '../../support/stage.mts';

/** The trigger for trying out, in the examples that have one. */
const BY_HAND = 'When Clicking Execute';

const isTrigger = (type: string) => /(trigger|\.webhook)$/i.test(type);

/** The trigger by which a person tries a workflow out: the one for that, or the only one. */
function startOf({ name, nodes }: WorkflowInput): string {
	const triggers = nodes.filter(({ type }) => isTrigger(type)).map((node) => node.name);
	const start = triggers.length === 1 ? triggers[0] : triggers.find((trigger) => trigger === BY_HAND);
	if (start === undefined) throw new Error(`"${name}" has nothing to try it out with`);
	return start;
}

export class ExampleWorkroom {
	#stage: Stage | undefined;

	#facts: Facts | undefined;

	async start(options: StageOptions): Promise<void> {
		this.#stage = await setStage(options);
		this.#facts = await this.admin.facts();
	}

	async stop(): Promise<void> {
		await this.#stage?.end();
	}

	get stage(): Stage {
		if (this.#stage === undefined) throw new Error('The stage has not been set');
		return this.#stage;
	}

	get admin(): AdminClient {
		return this.stage.sandbox.admin;
	}

	/** The sandbox's invented people. */
	get facts(): Facts {
		if (this.#facts === undefined) throw new Error('The stage has not been set');
		return this.#facts;
	}

	/**
	 * The file `examples/<name>.json`, with the machine's credential and others picked where it names their types, and the
	 * sandbox in the place of the school system.
	 */
	example(name: string, ...credentials: StoredCredential[]): WorkflowInput {
		const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
		return [this.stage.credential, ...credentials].reduce(
			withCredential,
			withExport(file, this.exportOf({})),
		);
	}

	/** The address of the sandbox's export of a night. */
	exportOf(query: RosterQuery): string {
		const wanted = Object.entries(query).map(([name, value]) => `&${name}=${value}`);
		return `${this.stage.sandbox.adminUrl}roster?format=oneroster-1.2${wanted.join('')}`;
	}

	/** Executes a workflow as a person tries it out; it has to succeed. */
	async run(workflow: WorkflowInput): Promise<Execution> {
		const execution = await runOnce(this.stage, workflow, startOf(workflow));
		expect(errorOf(execution)).toBeUndefined();
		expect(execution.status).toBe('success');
		return execution;
	}

	async publish(workflow: WorkflowInput): Promise<StoredWorkflow> {
		const stored = await createWorkflow(this.stage.session, workflow);
		return await activateWorkflow(this.stage.session, stored.id);
	}

	/** The requests below a path that the service has received, oldest first. */
	async received(path: string): Promise<LoggedRequest[]> {
		return await this.admin.requests({ path });
	}

	/** Whether n8n has a data table of exactly this name. */
	async hasTable(name: string): Promise<boolean> {
		return (await tablePath(this.stage.session, name)) !== undefined;
	}

	/** The rows of one of n8n's data tables, oldest first. */
	async rowsOf(table: string): Promise<IDataObject[]> {
		return await tableRows(this.stage.session, table);
	}

	/** Takes one of n8n's data tables away, with its rows; the examples make theirs anew. */
	async deleteTable(table: string): Promise<void> {
		await deleteDataTable(this.stage.session, table);
	}
}

/** A workroom for all tests of a file. The sandbox is as it was after its start before each of them. */
export function useExamples(options: StageOptions = {}): ExampleWorkroom {
	const workroom = new ExampleWorkroom();
	beforeAll(async () => await workroom.start(options));
	beforeEach(async () => void (await workroom.admin.reset()));
	afterAll(async () => await workroom.stop());
	return workroom;
}

/** What left a node. */
export const jsonOf = (execution: Execution, node: string, output = 0): IDataObject[] =>
	itemsOf(execution, node, output).map(({ json }) => json);
