/**
 * What the tests of the roster in a real n8n stand on: a service that has schools and nobody in them, the export that the school system's server gives, a
 * workflow that plans, and one that does a whole night.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialReference, errorOf, nodeRun, type Execution } from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { runOnce, setStage, type Stage } from '../../support/stage.mts';
import { wired, type Step } from '../../support/wired.mts';

export const PLAN = 'Plan Changes';
export const APPLY = 'Apply Changes';
const OUTPUTS = ['changes', 'ledgerRows', 'held', 'findings', 'summary'] as const;

export type Planned = Record<(typeof OUTPUTS)[number], IDataObject[]>;

/** Where a workflow reads and writes its ledger: the nodes and what they need. */
export interface Store {
	read: Omit<Step, 'name' | 'from'>;
	write: Omit<Step, 'name' | 'from'>;
}

export interface Night {
	options?: INodeParameters;
	mapping?: INodeParameters;
	/** A table; or the rows themselves, as another node might give them. */
	ledger: Store | readonly IDataObject[];
}

const SIZE = { students: 60, schools: 3 };

export class RosterStage {
	private constructor(
		readonly stage: Stage,
		/** The network whose exports come. The service of the stage has its schools. */
		readonly network: Sandbox,
		readonly mapping: INodeParameters,
		private readonly server: Server,
		/** What the school system's server gives, by its path. */
		private readonly served: Map<string, Uint8Array>,
	) {}

	static async set(): Promise<RosterStage> {
		const network = await startSandbox(SIZE);
		const served = new Map<string, Uint8Array>();
		const server = createServer(({ url = '' }, answer) => {
			const bytes = served.get(url);
			answer.writeHead(bytes === undefined ? 404 : 200, {
				'content-type': /json$/.test(url) ? 'application/json' : 'application/octet-stream',
			});
			answer.end(bytes);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		try {
			const stage = await setStage({ sandbox: { ...SIZE, empty: true } });
			const mapping = (await network.admin.rosterMapping()) as unknown as INodeParameters;
			return new RosterStage(stage, network, mapping, server, served);
		} catch (error) {
			// Trap: what is left behind keeps the test runner from ending.
			server.close();
			await network.stop();
			throw error;
		}
	}

	async end(): Promise<void> {
		this.server.close();
		await this.stage.end();
		await this.network.stop();
	}

	/** Puts a file on the school system's server; gives its address. */
	serve(name: string, bytes: Uint8Array): string {
		this.served.set(`/${name}`, bytes);
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
	}

	private downloadOf(name: string, bytes: Uint8Array): Step {
		const options = { response: { response: { responseFormat: 'file' } } };
		return {
			name: 'Export',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: this.serve(name, bytes), options },
			from: ['Start'],
		};
	}

	private ledgerOf(ledger: Night['ledger']): Step {
		if ('read' in ledger) return { name: 'Ledger', ...ledger.read, from: ['Start'] };
		const url = this.serve('ledger.json', Buffer.from(JSON.stringify(ledger)));
		return {
			name: 'Ledger',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url, options: {} },
			from: ['Start'],
		};
	}

	private planOf({ options = {}, mapping = this.mapping }: Night): Step {
		return {
			...{ name: PLAN, type: 'n8n-nodes-school-partner.schoolPartnerRoster', from: ['Export', 'Ledger'] },
			parameters: { operation: 'plan', mapping, options },
			credentials: credentialReference(this.stage.credential),
		};
	}

	private async runOf(steps: readonly Step[]): Promise<Execution> {
		const start: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
		return await runOnce(this.stage, {
			name: 'Night',
			...wired([start, ...steps]),
			settings: { executionOrder: 'v1' },
		});
	}

	/** Runs some nodes one after another, as a person does once to prepare something. */
	async prepare(...steps: Array<Omit<Step, 'from'>>): Promise<void> {
		const execution = await this.runOf(
			steps.map((step, place) => ({ ...step, from: [place === 0 ? 'Start' : steps[place - 1].name] })),
		);
		expect(errorOf(execution)).toBeUndefined();
	}

	/** Plans, and applies nothing. */
	async plan(name: string, bytes: Uint8Array, night: Night): Promise<Execution> {
		return await this.runOf([this.downloadOf(name, bytes), this.ledgerOf(night.ledger), this.planOf(night)]);
	}

	/** A whole night: the plan, its rows into the table, and batch after batch applied, each with its rows into the table. */
	async night(
		name: string,
		bytes: Uint8Array,
		{ batchSize, store, options }: { batchSize: number; store: Store; options?: INodeParameters },
	): Promise<Execution> {
		return await this.runOf([
			this.downloadOf(name, bytes),
			this.ledgerOf(store),
			this.planOf({ ledger: store, options: { ...options, batchSize } }),
			{ name: 'Write Plan', ...store.write, from: [`${PLAN}:1`] },
			{
				name: 'Batches',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { batchSize, options: {} },
				from: [[PLAN, 'Write Outcomes']],
			},
			{
				...{
					name: APPLY,
					type: 'n8n-nodes-school-partner.schoolPartnerRoster',
					parameters: { operation: 'apply', options: {} },
					from: ['Batches:1'],
				},
				credentials: credentialReference(this.stage.credential),
			},
			{ name: 'Write Outcomes', ...store.write, from: [APPLY] },
		]);
	}
}

/** What came out of the plan, by the names of its outputs. */
export function plannedBy(execution: Execution): Planned {
	const main = nodeRun(execution, PLAN)?.data?.main ?? [];
	return Object.fromEntries(
		OUTPUTS.map((name, output) => [name, (main[output] ?? []).map(({ json }) => json)]),
	) as Planned;
}

/** A run that must have come to its end. */
export function succeeded(execution: Execution): Execution {
	expect(errorOf(execution)).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}
