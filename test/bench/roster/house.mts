/** An n8n of its own in which loads and lookups of a roster are measured. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	createWorkflow,
	getExecution,
	type Session,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { eventually } from '../../../playground/eventually.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';

import { forgetPeak, memoryMb, peakMemoryMb } from '../measuring/machine.mts';
import { stretchesOf, type Stretch } from '../measuring/node-events.mts';
import { runToItsEnd } from '../measuring/runs.mts';

/** What one run took. */
export interface Run {
	/** Of the measured nodes, in milliseconds. */
	ms: number;
	/** The most memory during the run, above that of this n8n at rest. */
	peakMb: number;
	/** How late the event loop was while the measured nodes worked, in milliseconds. */
	delays: number[];
}

/** An n8n that says how late its event loop is, and can be started again: memory that a run took stays with its process. */
export class House {
	private readonly folder = mkdtempSync(join(tmpdir(), 'school-partner-roster-'));

	private readonly delays = join(this.folder, 'delays.json');

	private n8n: LastingN8n | undefined;

	/** @param heapMb of n8n at most; without it, as much as Node takes: it collects the sooner, the less there is */
	constructor(private readonly heapMb?: number) {}

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
			NODE_OPTIONS: [
				`--require ${join(import.meta.dirname, '..', 'measuring', 'loop-delay.cjs')}`,
				...(this.heapMb === undefined ? [] : [`--max-old-space-size=${this.heapMb}`]),
			].join(' '),
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
