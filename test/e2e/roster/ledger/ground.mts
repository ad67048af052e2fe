/** What the tests of the ledger's stores stand on: a real n8n with the probe in it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import {
	createWorkflow,
	credentialReference,
	errorOf,
	itemsOf,
	runAndWait,
	signIn,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../../../playground/n8n.mts';
import { wired } from '../../../support/wired.mts';
import { PROBE, type Answer, type Call } from './probe.mts';

/** Where a ledger is, as a person chooses it in the node. */
export interface Place {
	ledger: 'dataTable' | 'postgres';
	ledgerName: string;
	credential?: StoredCredential;
}

export class Ground {
	/** Ids of all runs that were started. */
	readonly runs: string[] = [];

	private constructor(
		readonly n8n: RunningN8n,
		readonly session: Session,
	) {}

	static async start(env: Record<string, string> = {}): Promise<Ground> {
		const n8n = await startN8n({ editor: false, env, prepare: installProbe });
		return new Ground(n8n, await signIn(n8n.baseUrl));
	}

	/** What the calls came to, one after another in one execution. */
	async ask(place: Place, ...calls: Call[]): Promise<Answer[]> {
		const { id } = await createWorkflow(this.session, probeWorkflow(place, calls));
		const execution = await runAndWait(this.session, id, { trigger: 'Start' });
		this.runs.push(execution.id);
		expect(errorOf(execution)).toBeUndefined();
		return itemsOf(execution, 'Probe').map(({ json }) => json as object as Answer);
	}

	/** Ids of all executions that n8n keeps. */
	async keptRuns(): Promise<string[]> {
		const path = '/executions?limit=100';
		const { results } = await this.session.request<{ results: Array<{ id: string }> }>('GET', path);
		return results.map(({ id }) => id);
	}

	/** Lines of n8n's log that tell of something that went wrong while this ran. n8n's own calls of its maker's server are left out. */
	async complaintsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const log = join(this.n8n.userFolder, 'n8n.log');
		const before = readFileSync(log, 'utf8').length;
		await work();
		const lines = readFileSync(log, 'utf8').slice(before).split('\n');
		return lines.filter(
			(line) => /error|fail|denied|unhandled|exception|warn/i.test(line) && !/^\s+at |n8n\.io/.test(line),
		);
	}

	/** A Data Table as a person makes it. */
	async makeDataTable(name: string, columns: Array<{ name: string; type: string }>): Promise<void> {
		const { id } = await this.session.request<{ id: string }>('GET', '/projects/personal');
		await this.session.request('POST', `/projects/${id}/data-tables`, { name, columns });
	}
}

export function probeWorkflow({ ledger, ledgerName, credential }: Place, calls: Call[]): WorkflowInput {
	const probe = { ledger, ledgerName, calls: JSON.stringify(calls) };
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const credentials = credential && credentialReference(credential);
	return {
		name: 'Ledger',
		...wired([
			start,
			{ name: 'Probe', type: `${PROBE}.ledgerProbe`, parameters: probe, from: ['Start'], credentials },
		]),
		settings: { executionOrder: 'v1' },
	};
}

/** As n8n's installer leaves a package. */
export async function installProbe(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', PROBE);
	mkdirSync(folder, { recursive: true });
	await build({
		entryPoints: [join(__dirname, 'probe.mts')],
		outfile: join(folder, 'LedgerProbe.node.js'),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
		logLevel: 'silent',
	});
	const n8n = { n8nNodesApiVersion: 1, nodes: ['LedgerProbe.node.js'], credentials: [] };
	const manifest = { name: PROBE, version: '0.0.0', keywords: ['n8n-community-node-package'], n8n };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}
