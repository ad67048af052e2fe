/** Where first loads of rosters are measured: a service that has schools and nobody in them, and an n8n of its own for each load. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	createWorkflow,
	getExecution,
	type Session,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import {
	decisionWorkflow,
	nightOf,
	nightWorkflow,
	ROSTER,
	type NightWorkflow,
} from '../../e2e/roster/stage.mts';
import { eventually } from '../../support/eventually.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';
import { machineAccess } from '../../support/stage.mts';

import { forgetPeak, memoryMb, peakMemoryMb } from '../measuring/machine.mts';
import { stretchesOf, type Stretch } from '../measuring/node-events.mts';
import { runToItsEnd } from '../measuring/runs.mts';

import { creations, CREATING } from './creations.mts';

/** What one run took. */
export interface Run {
	/** Of the measured nodes, in milliseconds. */
	ms: number;
	/** The most memory during the run, above that of this n8n at rest. */
	peakMb: number;
	/** How late the event loop was while the measured nodes worked, in milliseconds. */
	delays: number[];
}

/** A first load, and the night after, in which nothing is different. */
export interface Nights {
	load: Run;
	second: Run;
	/** Requests that write which the second night has sent. */
	secondWrites: number;
}

const SCHOOL_SIZE = 500;

export class Ground {
	private constructor(
		readonly students: number,
		private readonly sandbox: Sandbox,
		/** Keys of everything that has to be there in the end. */
		private readonly network: readonly string[],
	) {}

	static async open(students: number): Promise<Ground> {
		const size = { students, schools: Math.ceil(students / SCHOOL_SIZE) };
		const sandbox = await startSandbox({ ...size, empty: true });
		return new Ground(students, sandbox, await networkOf(sandbox.admin));
	}

	/** How many classes, users and bonds there are. */
	get records(): number {
		return this.network.length;
	}

	async nights(latencyMs: number): Promise<Nights> {
		return await this.during(latencyMs, async (house) => {
			await house.begin();
			const workflow = nightWorkflow(await this.night(house));
			const first = nightOf(await house.execution(await house.store(workflow)));
			const approval = (first.summary.holds as Array<{ hold_id: string }>).map(({ hold_id }) => ({
				...{ hold_id, approve: true, by: 'Ana' },
			}));
			await house.execution(await house.store(decisionWorkflow(approval, { operation: 'approve' })));
			await house.startAgain();
			const load = await house.measured(await house.store(workflow), [ROSTER]);
			await this.holdIsThere();
			await house.startAgain();
			await this.sandbox.admin.clearRequests();
			const second = await house.measured(await house.store(workflow), [ROSTER]);
			return { load, second, secondWrites: await this.sandbox.admin.countRequests({ path: '/integration' }) };
		});
	}

	/** The same creations by nodes School Partner, records in, without a ledger. */
	async alone(latencyMs: number): Promise<Run> {
		return await this.during(latencyMs, async (house) => {
			await house.begin();
			const run = await house.measured(await house.store(creations(await this.night(house))), CREATING);
			await this.holdIsThere();
			return run;
		});
	}

	async end(): Promise<void> {
		await this.sandbox.stop();
	}

	private async night({ session }: House): Promise<NightWorkflow> {
		const credential = await createCredential(session, {
			name: 'Service',
			type: 'schoolPartnerOAuth2Api',
			data: machineAccess(this.sandbox),
		});
		const mapping = (await this.sandbox.admin.rosterMapping()) as unknown as INodeParameters;
		return { credential, mapping, url: `${this.sandbox.adminUrl}roster?format=oneroster-1.2` };
	}

	private async during<T>(latencyMs: number, work: (house: House) => Promise<T>): Promise<T> {
		await this.sandbox.admin.reset();
		await this.sandbox.admin.changeSettings({ latencyMs });
		const house = new House();
		try {
			return await work(house);
		} finally {
			await house.end();
		}
	}

	/** A fast load that did not do the work would be worth nothing. */
	private async holdIsThere(): Promise<void> {
		const held = await heldBy(this.sandbox.admin);
		if (held.join() !== this.network.join())
			throw new Error(`The service holds ${held.length} records instead of ${this.network.length}`);
	}
}

/** An n8n that says how late its event loop is, and can be started again: memory that a run took stays with its process. */
class House {
	private readonly folder = mkdtempSync(join(tmpdir(), 'school-partner-roster-'));

	private readonly delays = join(this.folder, 'delays.json');

	private n8n: LastingN8n | undefined;

	async begin(): Promise<void> {
		this.n8n = await LastingN8n.start(this.env);
	}

	async startAgain(): Promise<void> {
		await this.running.stop();
		await this.running.startAgain(this.env);
	}

	get session(): Session {
		return this.running.session;
	}

	async store(workflow: WorkflowInput): Promise<string> {
		return (await createWorkflow(this.session, workflow)).id;
	}

	/** Runs a workflow; gives its execution. */
	async execution(workflowId: string) {
		return await getExecution(this.session, await runToItsEnd(this.session, workflowId));
	}

	async measured(workflowId: string, nodes: readonly string[]): Promise<Run> {
		const { pid } = this.running.process;
		const rest = memoryMb(pid);
		forgetPeak(pid);
		const began = Date.now();
		await runToItsEnd(this.session, workflowId);
		const peakMb = peakMemoryMb(pid) - rest;
		const stretches = stretchesOf(this.running.userFolder, nodes, began);
		const ms = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
		return { ms, peakMb, delays: await this.delaysOf(pid, stretches) };
	}

	async end(): Promise<void> {
		await this.n8n?.end();
		rmSync(this.folder, { recursive: true, force: true });
	}

	private get running(): LastingN8n {
		if (this.n8n === undefined) throw new Error('n8n has not been started');
		return this.n8n;
	}

	private get env(): Record<string, string> {
		return {
			NODE_OPTIONS: `--require ${join(import.meta.dirname, '..', 'measuring', 'loop-delay.cjs')}`,
			LOOP_DELAY_FILE: this.delays,
			// The ledger of a large network does not fit into n8n's default for all tables together.
			N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 31),
		};
	}

	private async delaysOf(pid: number, stretches: readonly Stretch[]): Promise<number[]> {
		rmSync(this.delays, { force: true });
		process.kill(pid, 'SIGUSR2');
		const text = await eventually(() =>
			existsSync(this.delays) ? readFileSync(this.delays, 'utf8') : undefined,
		);
		// A look that was kept waiting comes after what kept it.
		const isWithin = ([at, delay]: [number, number]) =>
			stretches.some(({ from, to }) => at >= from && at - delay <= to);
		return (JSON.parse(text) as Array<[number, number]>).filter(isWithin).map(([, delay]) => delay);
	}
}
