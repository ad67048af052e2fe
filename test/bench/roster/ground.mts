/** Where plans of rosters are measured: one n8n for each run, in a folder that stays. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';

import { COLUMNS, type LedgerRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { INSTALLED_NODE } from '../../../playground/installation.mjs';
import { activateWorkflow, createWorkflow, signIn, type Session } from '../../../playground/n8n-client.mts';
import { startN8n } from '../../../playground/n8n.mts';
import { installPackage } from '../../../playground/package-under-test.mts';
import { eventually } from '../../support/eventually.mts';

import { forgetPeak, memoryMb, peakMemoryMb } from '../measuring/machine.mts';
import { stretchesOf, type Stretch } from '../measuring/node-events.mts';
import { IN_MEMORY, untilNothingRuns } from '../places.mts';

import { ABSENT_RECORDS, ABSENT_STUDENTS, idsOf, ledgerOf } from './ledgers.mts';
import { networkFiles, networkZip } from './network.mts';
import { onlyLedger, ourPlan, sheetPlan, theirPlan, type Timed } from './workflows.mts';

export interface Run {
	/** Of the measured nodes. */
	ms: number;
	/** The most memory during the whole run, above that of an n8n at rest. */
	peakMb: number;
	/** How late the event loop was while the measured nodes worked, in ms. */
	delays: number[];
}

/** A network of some size: its export, its ledger, and the workflow that plans it. */
export interface Network {
	students: number;
	records: number;
	zip: string;
	ledger: string;
	ours: Timed;
	onlyLedger: Timed;
}

const ROWS_A_REQUEST = 10_000;

/** An n8n's folder that stays: each run has an n8n of its own in it, because memory that a run took stays with the process. */
export class Ground {
	private readonly folder = mkdtempSync(join(IN_MEMORY ?? tmpdir(), 'school-partner-roster-'));

	private readonly delays = join(this.folder, 'delays.json');

	private isInstalled = false;

	/** Writes the export, fills a table with the ledger of all but one class, and publishes the workflow that plans it. */
	async prepare(students: number): Promise<Network> {
		const [zip, ledger] = [this.file(students, 'zip'), this.file(students, 'json')];
		writeFileSync(zip, networkZip(students));
		const rows = await ledgerOf(students - ABSENT_STUDENTS);
		writeFileSync(ledger, JSON.stringify(rows));
		const name = `Ledger ${students}`;
		const alone = onlyLedger(`ledger-${students}`, name);
		const ours = await this.publish(name, rows, (table) => ourPlan(`ours-${students}`, zip, table), alone);
		const records = rows.filter(({ state }) => state === 'applied').length + ABSENT_RECORDS;
		return { students, records, zip, ledger, ours, onlyLedger: alone };
	}

	private file(students: number, ending: string): string {
		return join(this.folder, `network-${students}.${ending}`);
	}

	async theirs(students: number): Promise<Timed> {
		const files = Object.keys(networkFiles(0));
		const rows = idsOf(students - ABSENT_STUDENTS);
		return await this.publish(`Ids ${students}`, rows, (table) =>
			theirPlan(`theirs-${students}`, this.file(students, 'zip'), table, files),
		);
	}

	async sheet(rows: number): Promise<ReturnType<typeof sheetPlan>> {
		return await this.publish('Empty', [], (table) => sheetPlan('sheet', rows, table));
	}

	/** Makes a table of n8n with these rows, and publishes the workflow that reads it, and others. */
	private async publish<Kind extends Timed>(
		name: string,
		rows: readonly LedgerRow[],
		timedOf: (table: string) => Kind,
		...others: Timed[]
	): Promise<Kind> {
		return await this.during(async (session) => {
			const timed = timedOf(await tableOf(session, name, rows));
			for (const { workflow } of [timed, ...others]) {
				const { id } = await createWorkflow(session, workflow);
				await activateWorkflow(session, id);
			}
			return timed;
		});
	}

	/** An n8n for a while. */
	private async during<T>(work: (session: Session, pid: number) => Promise<T>): Promise<T> {
		const n8n = await startN8n({
			userFolder: this.folder,
			env: {
				N8N_RESTRICT_FILE_ACCESS_TO: this.folder,
				// The ledger of 200,000 students does not fit into n8n's default for all tables together.
				N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 31),
				NODE_OPTIONS: `--require ${join(import.meta.dirname, '..', 'measuring', 'loop-delay.cjs')}`,
				LOOP_DELAY_FILE: this.delays,
			},
			prepare: async (folder) => {
				if (!this.isInstalled) await installPackage(folder);
				this.isInstalled = true;
			},
		});
		try {
			return await work(await signIn(n8n.baseUrl), n8n.process.pid);
		} finally {
			await n8n.stop();
		}
	}

	/** @param items how many must come out; default: any number */
	async run({ path, nodes }: Timed, items?: number): Promise<Run> {
		return await this.during(async (session, pid) => {
			const rest = memoryMb(pid);
			forgetPeak(pid);
			const answer = await answerOf(`${session.baseUrl}/webhook/${path}`);
			await untilNothingRuns(session);
			const peakMb = peakMemoryMb(pid) - rest;
			if (items !== undefined && answer.length !== items)
				throw new Error(`${path}: ${answer.length} items for ${items}`);
			const stretches = stretchesOf(this.folder, nodes);
			const ms = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
			return { ms, peakMb, delays: await this.delaysOf(pid, stretches) };
		});
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

	bare({ zip, ledger }: Network): number {
		const script = join(import.meta.dirname, 'bare.mjs');
		return Number(execFileSync(INSTALLED_NODE, [script, zip, ledger], { encoding: 'utf8' }));
	}

	end(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** Makes a table of n8n with these rows, and gives its id. */
async function tableOf(session: Session, name: string, rows: readonly LedgerRow[]): Promise<string> {
	const { id: projectId } = await session.request<{ id: string }>('GET', '/projects/personal');
	const columns = COLUMNS.map((column) => ({ name: column, type: 'string' }));
	const { id } = await session.request<{ id: string }>('POST', `/projects/${projectId}/data-tables`, {
		name,
		columns,
	});
	for (let from = 0; from < rows.length; from += ROWS_A_REQUEST) {
		const data = rows.slice(from, from + ROWS_A_REQUEST);
		await session.request('POST', `/projects/${projectId}/data-tables/${id}/insert`, {
			data,
			returnType: 'count',
		});
	}
	return id;
}

/** What the run gives. After its start, n8n answers 404 for a moment. */
async function answerOf(url: string): Promise<unknown[]> {
	return await eventually(async () => {
		const { status, data } = await axios.get<unknown>(url, {
			validateStatus: () => true,
			maxContentLength: Infinity,
			proxy: false,
		});
		if (status === 404) return undefined;
		if (status !== 200 || !Array.isArray(data))
			throw new Error(`${url} answered ${status}: ${JSON.stringify(data).slice(0, 300)}`);
		return data as unknown[];
	});
}
