/** First loads that run side by side in one n8n, each with a service, a ledger and a workflow of its own: what is done to n8n is done to all of them. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	createWorkflow,
	runManually,
	tableRows,
	waitForExecution,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { AdminClient } from '../../../sandbox/admin-client.mts';
import { startSandbox, type Sandbox, type StartOptions } from '../../../sandbox/start.mts';
import { readStoredRow, type StoredRow } from '../../../nodes/SchoolPartnerRoster/ledger/row';
import { until } from '../../../playground/eventually.mts';
import { heldBy } from '../../support/held.mts';
import type { LedgerDatabase } from '../../support/ledger-database.mts';
import { machineAccess } from '../../support/stage.mts';

import { decisionWorkflow, FileServer, nightOf, nightWorkflow, run, type Night } from './stage.mts';

/** An n8n that may end and be started again: its session is another one then. */
export interface Home {
	readonly session: Session;
}

/** The school system: what its network has, and the exports that it gives. */
export class Network {
	private exports = 0;

	private constructor(
		private readonly sandbox: Sandbox,
		private readonly files: FileServer,
		readonly size: { students: number; schools: number },
		readonly mapping: INodeParameters,
		/** Keys of everything in it, in order. */
		readonly keys: readonly string[],
		/** By key of a record, those that have to be there before it. */
		readonly needs: ReadonlyMap<string, readonly string[]>,
	) {}

	static async start(size: { students: number; schools: number }): Promise<Network> {
		const sandbox = await startSandbox(size);
		const { admin } = sandbox;
		const mapping = (await admin.rosterMapping()) as unknown as INodeParameters;
		const keys = [...new Set(await heldBy(admin))];
		return new Network(sandbox, await FileServer.start(), size, mapping, keys, await needsIn(admin));
	}

	get admin(): AdminClient {
		return this.sandbox.admin;
	}

	/** Address of tonight's export. */
	async export(tonight: number): Promise<string> {
		const zip = await this.admin.roster('oneroster-1.1', { tonight });
		return this.files.serve(`${(this.exports += 1)}.zip`, zip);
	}

	/** Address of an export that is none. */
	garbage(): string {
		return this.files.serve('garbage.zip', Buffer.from('There is nothing in here'));
	}

	async stop(): Promise<void> {
		this.files.stop();
		await this.sandbox.stop();
	}
}

async function needsIn(admin: AdminClient): Promise<Map<string, string[]>> {
	const all = { limit: 1_000_000 };
	const needs = new Map<string, string[]>();
	for (const user of (await admin.users(all)).items) {
		const school = user.school_external_id;
		needs.set(
			`u:${school}|${user.external_id}`,
			user.responsible_external_id.map((id) => `u:${school}|${id}`),
		);
	}
	for (const bond of (await admin.bonds(all)).items) {
		const { school_external_id: school, class_external_id: ofClass, user_external_id: user } = bond;
		needs.set(`b:${school}|${ofClass}|${user}|${bond.profile_name}`, [
			`c:${school}|${ofClass}`,
			`u:${school}|${user}`,
		]);
	}
	return needs;
}

export interface LoadOptions {
	/** Of the ledger. */
	name: string;
	network: Network;
	/** Where the ledger lies; without it in a Data Table. */
	database?: LedgerDatabase;
	sandbox: StartOptions;
	/** Of the roster node. */
	options?: INodeParameters;
	node?: Partial<INode>;
}

/** What a service refuses that is there already, the node takes for its own. */
export const ADOPTS = { existsStatuses: '409', existing: 'adopt' };

/** A service that is far away, and does the work of every second request long before it answers: an end lands in the middle. */
const FAR = { latencyMs: 60 };
const ANSWERS_LATE = [
	{ pathPattern: '^/integration', every: 2 },
	{ afterwards: true, delayMs: 90 },
] as const;

const WRITES = { path: '/integration' };

export class Load {
	/** Id of the execution that was begun last. */
	running = '';

	private constructor(
		private readonly home: Home,
		readonly sandbox: Sandbox,
		private readonly credential: StoredCredential,
		private readonly postgres: StoredCredential | undefined,
		private readonly given: LoadOptions,
	) {}

	static async open(home: Home, given: LoadOptions): Promise<Load> {
		const sandbox = await startSandbox({ ...given.network.size, ...FAR, empty: true, ...given.sandbox });
		await sandbox.admin.addFault(...ANSWERS_LATE);
		const { session } = home;
		const input = { name: given.name, type: 'schoolPartnerOAuth2Api', data: machineAccess(sandbox) };
		const postgres = given.database && (await given.database.credential(session, given.name));
		return new Load(home, sandbox, await createCredential(session, input), postgres, given);
	}

	get name(): string {
		return this.given.name;
	}

	get network(): Network {
		return this.given.network;
	}

	get database(): LedgerDatabase | undefined {
		return this.given.database;
	}

	/** The node's parameters that name the ledger. */
	private get place(): INodeParameters {
		return { ledger: this.postgres === undefined ? 'dataTable' : 'postgres', ledgerName: this.given.name };
	}

	private get node(): Partial<INode> {
		const references = [this.credential, ...(this.postgres === undefined ? [] : [this.postgres])];
		const credentials = Object.fromEntries(references.map(({ id, name, type }) => [type, { id, name }]));
		return { ...this.given.node, credentials };
	}

	async workflow(tonight = 0, settings: WorkflowInput['settings'] = {}): Promise<WorkflowInput> {
		const { network, options = {} } = this.given;
		const workflow = nightWorkflow({
			...{ credential: this.credential, url: await network.export(tonight), mapping: network.mapping },
			...{ parameters: { ...this.place, options }, node: this.node, settings },
		});
		// As the editor saves it: n8n executes no single node of a workflow that has none.
		return { ...workflow, pinData: {} };
	}

	/** Saves the workflow of a night; gives its id. */
	async save(tonight = 0, settings?: WorkflowInput['settings']): Promise<string> {
		return (await createWorkflow(this.home.session, await this.workflow(tonight, settings))).id;
	}

	/** Starts it so many times in the same instant; gives the executions. */
	async startTogether(workflowId: string, times: number): Promise<string[]> {
		const starts = Array.from({ length: times }, async () => await this.start(workflowId));
		return await Promise.all(starts);
	}

	async begin(tonight = 0, settings?: WorkflowInput['settings']): Promise<void> {
		this.running = await this.start(await this.save(tonight, settings));
	}

	async end(id = this.running): Promise<Night> {
		return nightOf(await waitForExecution(this.home.session, id, 600_000));
	}

	async night(tonight = 0): Promise<Night> {
		await this.begin(tonight);
		return await this.end();
	}

	/** The first night, in which everything is held, and its approval. */
	async approveFirst(): Promise<void> {
		const first = await this.night();
		expect([first.said, first.summary.outcome]).toEqual(['', 'held']);
		await this.approve(first);
	}

	async approve({ summary }: Night): Promise<void> {
		const holds = summary.holds as Array<{ hold_id: string }>;
		const items = holds.map(({ hold_id }) => ({ hold_id, approve: true, by: 'Ana' }));
		await this.decide('approve', items);
	}

	/** As a person who has looked: what was refused is tried without waiting for its day. */
	async retryRefused({ attention }: Night): Promise<void> {
		const refused = attention.filter(({ code }) => code === 'refusedBefore');
		const items = refused.map(({ key }) => ({ key: String(key), is: 'notInService', by: 'Ana' }));
		if (items.length > 0) await this.decide('resolve', items);
	}

	private async decide(operation: 'approve' | 'resolve', items: IDataObject[]): Promise<void> {
		const workflow = decisionWorkflow(items, { operation, ...this.place }, this.node);
		expect(nightOf(await run(this.home.session, workflow)).said).toBe('');
	}

	/** Requests that write, as many as have come to the service. */
	async writes(): Promise<number> {
		return await this.sandbox.admin.countRequests(WRITES);
	}

	async held(): Promise<string[]> {
		return await heldBy(this.sandbox.admin);
	}

	/** The rows of the ledger, in the order of their ids. */
	async rows(): Promise<StoredRow[]> {
		const cells =
			this.database === undefined
				? await tableRows(this.home.session, this.name)
				: await this.database.rows(
						`select * from school_partner_roster where ledger = '${this.name}' order by id`,
					);
		return cells.map((row) => readStoredRow(row) as StoredRow);
	}

	/** Resolves when no run has the lease. */
	async isFree(): Promise<void> {
		await until(async () =>
			(await this.rows()).some(({ kind, run_id }) => kind === 'lease' && run_id === ''),
		);
	}

	async close(): Promise<void> {
		await this.sandbox.stop();
	}

	private async start(workflowId: string): Promise<string> {
		return await runManually(this.home.session, workflowId, { trigger: 'Start' });
	}
}

/** Keys of what nobody knows of: an intent names them last, or an outcome that says so. Told without the node's own reading of a ledger. */
export function uncertainIn(rows: readonly StoredRow[]): string[] {
	const last = new Map<string, string>();
	for (const { kind, key, state, detail } of [...rows].sort(byRunAndPlace)) {
		if (kind === 'batch') for (const named of intentOf(detail)) last.set(named, 'uncertain');
		else if (['class', 'user', 'bond'].includes(kind)) last.set(key, state);
	}
	return [...last].filter(([, state]) => state === 'uncertain').map(([key]) => key);
}

function byRunAndPlace(one: StoredRow, other: StoredRow): number {
	const beatOf = ({ run_id }: StoredRow) => Number(/^r(\d+)-/.exec(run_id)?.[1] ?? 0);
	return beatOf(one) - beatOf(other) || Number(one.sequence) - Number(other.sequence) || one.id - other.id;
}

function intentOf(detail: string): string[] {
	const { create = [], remove = [] } = JSON.parse(detail) as Record<string, string[]>;
	return [...create, ...remove];
}

/** Keys of all that was ever about to be sent. */
export function intentsIn(rows: readonly StoredRow[]): Set<string> {
	return new Set(rows.flatMap(({ kind, detail }) => (kind === 'batch' ? intentOf(detail) : [])));
}

/** Keys of everything that an outcome is known of. */
export function outcomesIn(rows: readonly StoredRow[]): Set<string> {
	const kinds = ['class', 'user', 'bond'];
	return new Set(rows.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key));
}

/** Keys that the last two intents in a ledger name: so many batches may be under way at once. */
export function lastIntents(rows: readonly StoredRow[]): Set<string> {
	const last = rows.filter(({ kind }) => kind === 'batch').slice(-2);
	return new Set(last.flatMap(({ detail }) => intentOf(detail)));
}

export function doublesIn(keys: readonly string[]): string[] {
	return keys.filter((key, place) => keys.indexOf(key) !== place);
}
