/** Nights of an example that keeps the service in step with an export: run one, approve what is held, and look at what it came to. */
import type { IDataObject, INode } from 'n8n-workflow';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	runAndWait,
	submitForm,
	updateWorkflow,
	waitForNextExecution,
	type Execution,
	type Session,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { BondState, LoggedRequest } from '../../../sandbox/admin-types.mts';
import type { RosterQuery } from '../../../sandbox/roster-types.mts';
import { bondKey } from '../../support/held.mts';
import { jsonOf, type ExampleWorkroom } from './support.mts';

export const EVERY_NIGHT = 'Every Night';
export const SYNC = 'Sync the Roster';
export const LEDGER = 'School Partner Roster';

/** The forms of the nightly examples. */
const FORMS = /approve-what-is-held|approve-the-sheet/g;
export const APPROVER = { username: 'office', password: 'the-password-of-the-office' };

/** What the examples that approve want beside the credential of the service. */
export async function loginOfApprovers(session: Session): Promise<StoredCredential> {
	return await createCredential(session, {
		name: 'Login of those who approve',
		type: 'httpBasicAuth',
		data: { user: APPROVER.username, password: APPROVER.password },
	});
}

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
	return `${path.endsWith('/class') ? 'c' : 'u'}:${fields.school_external_id}|${String(fields.external_id)}`;
}

/** The same workflow with other parameters in the nodes that are meant. */
export function withParameters(
	workflow: WorkflowInput,
	isMeant: (node: INode) => boolean,
	parameters: IDataObject,
): WorkflowInput {
	const nodes = workflow.nodes.map((node) =>
		isMeant(node) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
	);
	return { ...workflow, nodes } as WorkflowInput;
}

const isOfLedger = ({ parameters }: INode) => parameters.ledgerName !== undefined;

/** The same workflow with a ledger of its own, for a test that must not meet the nights of another. */
export const withLedger = (workflow: WorkflowInput, ledgerName: string): WorkflowInput =>
	withParameters(workflow, isOfLedger, { ledgerName });

/** The same workflow with other options in a node. */
export function withOptions(workflow: WorkflowInput, name: string, options: IDataObject): WorkflowInput {
	const before = workflow.nodes.find((node) => node.name === name)?.parameters.options as IDataObject;
	return withParameters(workflow, (node) => node.name === name, { options: { ...before, ...options } });
}

const EXPORTS = ['Export of Tonight', 'Export of That Day', 'Sheet of Tonight'];

/** The same workflow with the address of an export. */
export const fetching = (workflow: WorkflowInput, url: string): WorkflowInput =>
	withParameters(workflow, ({ name }) => EXPORTS.includes(name), { url });

/** Two published workflows cannot have one form. */
function withForm(workflow: WorkflowInput, path: string): WorkflowInput {
	return JSON.parse(JSON.stringify(workflow).replaceAll(FORMS, path)) as WorkflowInput;
}

export interface Hold {
	hold_id: string;
	reason: string;
	school_external_id: string;
	what_to_do: string;
}

export interface NightSummary extends IDataObject {
	outcome: string;
	counts: Record<'class' | 'user' | 'bond', Record<string, number | undefined>>;
}

export const summaryOf = (execution: Execution, node = SYNC): NightSummary =>
	jsonOf(execution, node)[0] as NightSummary;
export const holdsOf = (execution: Execution, node = SYNC): Hold[] =>
	summaryOf(execution, node).holds as unknown as Hold[];

export interface Night {
	execution: Execution;
	/** What the service was asked to change, in order. */
	writes: LoggedRequest[];
}

/** What the school system exports: a night of the sandbox, or what is at an address. */
type Exported = RosterQuery | string;

const addressOf = (workroom: ExampleWorkroom, exported: Exported): string =>
	typeof exported === 'string' ? exported : workroom.exportOf(exported);

/** A published workflow that runs night after night, with the export that each night has. */
export class Nights {
	private static forms = 0;

	private last: string | undefined;

	private constructor(
		private readonly workroom: ExampleWorkroom,
		readonly stored: StoredWorkflow,
		private readonly workflow: WorkflowInput,
		/** The path of its form. */
		readonly form: string,
	) {}

	/** Trap: where n8n starts the workflow itself, it may run what was published before for a moment (2.41.1). So the export of the first night is in what is published first. */
	static async of(workroom: ExampleWorkroom, file: WorkflowInput, first: Exported = {}): Promise<Nights> {
		const form = `approve-${++Nights.forms}`;
		const workflow = withForm(file, form);
		const stored = await createWorkflow(
			workroom.stage.session,
			fetching(workflow, addressOf(workroom, first)),
		);
		await activateWorkflow(workroom.stage.session, stored.id);
		return new Nights(workroom, stored, workflow, form);
	}

	/** Runs a night to its end. */
	async run(tonight: Exported = {}): Promise<Night> {
		await this.exports(tonight);
		return await this.received(async () => await this.beside());
	}

	/** Starts it once more, whatever is under way; gives that run at its end. */
	async beside(): Promise<Execution> {
		return await runAndWait(this.workroom.stage.session, this.stored.id, { trigger: EVERY_NIGHT });
	}

	/** A person decides in the form; gives the night that begins with it. */
	async decide({ hold_id: holdId }: Pick<Hold, 'hold_id'>, answer: 'Yes' | 'No' = 'Yes'): Promise<Night> {
		const { session, n8n } = this.workroom.stage;
		return await this.received(async () => {
			const { status } = await submitForm(n8n.baseUrl, this.form, [holdId, answer, 'Dana'], APPROVER);
			expect(status).toBe(200);
			return await waitForNextExecution(session, this.stored.id, this.last);
		});
	}

	/** A night from an empty ledger, of which a person approves that everything is new. */
	async first(tonight: Exported = {}): Promise<Night> {
		const { execution } = await this.run(tonight);
		const [hold] = holdsOf(execution);
		return await this.decide(hold);
	}

	/** From now on the school system exports this. */
	async exports(tonight: Exported): Promise<void> {
		const { session } = this.workroom.stage;
		const workflow = fetching(this.workflow, addressOf(this.workroom, tonight));
		await updateWorkflow(session, this.stored.id, workflow);
		await activateWorkflow(session, this.stored.id);
	}

	private async received(run: () => Promise<Execution>): Promise<Night> {
		await this.workroom.admin.clearRequests();
		const execution = await run();
		this.last = execution.id;
		return { execution, writes: writesIn(await this.workroom.admin.requests({ path: '/integration/' })) };
	}
}
