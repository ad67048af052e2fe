/**
 * A whole network through the nightly example as it stands, night after night without a hand, in an n8n with its default heap:
 * `npx tsx test/bench/nights.mts 5000 50000`; with `--postgres`, *Keep the ledger in PostgreSQL* in its place. Prints a table; not part of
 * `npm run bench`, which would take an hour longer.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	getExecution,
	listExecutions,
	runManually,
	withCredential,
	withExport,
	type ExecutionSummary,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { BY_HAND, EVERY_NIGHT } from '../e2e/examples/nights.mts';
import { keysByState, NightlyExample, PLAN } from '../e2e/roster/example.mts';
import { heldBy, networkOf } from '../support/held.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';
import { LedgerDatabase } from '../support/ledger-database.mts';
import { machineAccess } from '../support/stage.mts';

import { peakMemoryMb } from './measuring/machine.mts';
import { timesOf } from './measuring/runs.mts';

const STUDENTS_IN_A_SCHOOL = 1_000;
const ENDED = ['success', 'error', 'canceled', 'crashed'];

/** Waits until the workflow has come to rest: what is left goes on by itself, in executions of its own. Newest first. */
async function atRest(n8n: LastingN8n, workflowId: string): Promise<ExecutionSummary[]> {
	for (let quiet = 0; ; ) {
		await wait(1_000);
		// An n8n that is busy breaks off questions, or takes its own database for lost: the next look tells.
		const all = await listExecutions(n8n.session, workflowId).catch(() => []);
		quiet = all.length > 0 && all.every(({ status }) => ENDED.includes(status)) ? quiet + 1 : 0;
		if (quiet === 3) return all;
	}
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const lengthOf = ({ startedAt, stoppedAt }: ExecutionSummary) =>
	Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt);

/** What the node School Partner creates one after another, and how it knows the records of it. */
const WAVES = [
	{ name: 'Classes', resource: 'class', records: "{{ $json.kind === 'class' }}" },
	{
		name: 'Responsibles',
		resource: 'user',
		records: "{{ $json.kind === 'user' && $json.profiles.includes('responsible') }}",
	},
	{
		name: 'Other Users',
		resource: 'user',
		records: "{{ $json.kind === 'user' && !$json.profiles.includes('responsible') }}",
	},
	{ name: 'Bonds', resource: 'bond', records: "{{ $json.kind === 'bond' }}" },
];

/** The same records through the node School Partner, without a plan and a ledger: from the export to the last creation. */
function withoutLedger(night: WorkflowInput): WorkflowInput {
	const [start, download, plan] = [BY_HAND, 'Export of Tonight', PLAN].map(
		(name) => night.nodes.find((node) => node.name === name)!,
	);
	const read = {
		...plan,
		name: 'Read Files',
		parameters: { ...plan.parameters, operation: 'readFiles', options: {} },
	};
	const after = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const waves = WAVES.map(({ name, resource, records }, place) => {
		const position: [number, number] = [900, 200 * place];
		const conditions = {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: name,
					leftValue: `=${records}`,
					rightValue: '',
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
			combinator: 'and',
		};
		return [
			{
				id: `only-${name}`,
				name: `Only ${name}`,
				type: 'n8n-nodes-base.filter',
				typeVersion: 2.2,
				position,
				parameters: { conditions },
			},
			{
				...{ id: `create-${name}`, name, type: plan.type.replace(/Roster$/, ''), typeVersion: 1 },
				...{ position: [1_200, 200 * place] as [number, number], credentials: plan.credentials },
				parameters: { resource, operation: 'create', dataMode: 'autoMapInputData' },
			},
		];
	});
	return {
		...night,
		name: 'Creations alone',
		nodes: [start, download, read, ...waves.flat()],
		connections: {
			[start.name]: after(download.name),
			[download.name]: after(read.name),
			[read.name]: {
				main: [waves.map(([filter]) => ({ node: filter.name, type: 'main' as const, index: 0 }))],
			},
			...Object.fromEntries(waves.map(([filter, create]) => [filter.name, after(create.name)])),
		},
	};
}

/** How long the same creations take without a ledger, in milliseconds: the whole run, and the nodes that create. */
async function alone(
	n8n: LastingN8n,
	students: number,
): Promise<{ wholeMs: number; nodeMs: number; isThereOnce: boolean }> {
	const sandbox = await startSandbox({
		students,
		schools: Math.ceil(students / STUDENTS_IN_A_SCHOOL),
		empty: true,
	});
	try {
		const wanted = await networkOf(sandbox.admin);
		const credential = await createCredential(n8n.session, {
			name: 'Alone',
			type: 'schoolPartnerOAuth2Api',
			data: machineAccess(sandbox),
		});
		const night = JSON.parse(
			readFileSync('examples/sync-the-roster-every-night.json', 'utf8'),
		) as WorkflowInput;
		const filled = withExport(
			withCredential(withoutLedger(night), credential),
			`${sandbox.adminUrl}roster?format=oneroster-1.2`,
		);
		const { id } = await createWorkflow(n8n.session, filled);
		const execution = await runManually(n8n.session, id, { trigger: BY_HAND });
		await atRest(n8n, id);
		const { wholeMs, nodeMs } = await timesOf(
			n8n.session,
			execution,
			WAVES.map(({ name }) => name),
		);
		return {
			wholeMs,
			nodeMs,
			isThereOnce: JSON.stringify(await heldBy(sandbox.admin)) === JSON.stringify(wanted),
		};
	} finally {
		await sandbox.stop();
	}
}

/** What the ledger costs: the rows of the table for the same creations without one. */
async function beside(n8n: LastingN8n, students: number, load: number): Promise<Record<string, string>> {
	const { wholeMs, nodeMs, isThereOnce } = await alone(n8n, students);
	return {
		'without a ledger': `${seconds(wholeMs)}, of which creations ${seconds(nodeMs)}${isThereOnce ? '' : ', NOT all there'}`,
		'throughput beside it': `${(wholeMs / load).toFixed(2)} x of the whole run, ${(nodeMs / load).toFixed(2)} x of its creations`,
	};
}

/** The example with its ledger in that database; without one, in a Data Table of n8n. */
async function exampleWith(
	database: LedgerDatabase | undefined,
	n8n: LastingN8n,
	sandbox: Sandbox,
): Promise<NightlyExample> {
	if (database === undefined) return await NightlyExample.open(n8n, sandbox, { batchSize: 500 });
	const credential = await database.credential(n8n.session);
	const wiring = (workflow: WorkflowInput) => withCredential(workflow, credential);
	return await NightlyExample.open(n8n, sandbox, {
		name: 'keep-the-ledger-in-postgresql',
		batchSize: 500,
		wiring,
	});
}

async function measured(students: number, isInPostgres: boolean): Promise<Record<string, string | number>> {
	const sandbox = await startSandbox({
		students,
		schools: Math.ceil(students / STUDENTS_IN_A_SCHOOL),
		empty: true,
	});
	const database = isInPostgres ? await LedgerDatabase.start() : undefined;
	const n8n = await LastingN8n.start();
	try {
		const wanted = await networkOf(sandbox.admin);
		const example = await exampleWith(database, n8n, sandbox);
		// What is left goes on by itself in a workflow that is published, and only there.
		await activateWorkflow(n8n.session, example.workflowId);
		const began = Date.now();
		await runManually(n8n.session, example.workflowId, { trigger: BY_HAND });
		const first = await atRest(n8n, example.workflowId);
		const load = Math.max(...first.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''))) - began;
		const peak = peakMemoryMb(n8n.process.pid);
		const held = await heldBy(sandbox.admin);
		const rows = (await database?.rows('SELECT * FROM roster_ledger')) ?? (await example.ledger());
		const { applied = [], ...others } = keysByState(rows);
		await sandbox.admin.clearRequests();
		await runManually(n8n.session, example.workflowId, { trigger: EVERY_NIGHT });
		const [second] = await atRest(n8n, example.workflowId);
		let opened = 0;
		for (const { id } of first)
			opened += Object.keys((await getExecution(n8n.session, id)).data.resultData.runData).length > 0 ? 1 : 0;
		return {
			'ledger in': database ? 'PostgreSQL' : 'a Data Table',
			students,
			records: wanted.length,
			runs: first.length,
			ended: [...new Set(first.map(({ status }) => status))].join(', '),
			'first load': seconds(load),
			'records/s': Math.round(wanted.length / (load / 1_000)),
			'there once': JSON.stringify(held) === JSON.stringify(wanted) ? 'yes' : `no: ${held.length}`,
			'ledger agrees': applied.length === wanted.length && Object.keys(others).length === 0 ? 'yes' : 'no',
			'ledger rows': rows.length,
			'peak MB': Math.round(peak),
			'second night': `${seconds(lengthOf(second))}, ${await sandbox.admin.countRequests({ path: '/integration' })} writes`,
			'executions that open': `${opened} of ${first.length}`,
			'peak MB after': Math.round(peakMemoryMb(n8n.process.pid)),
			...(database === undefined && (await beside(n8n, students, load))),
		};
	} finally {
		await n8n.end();
		await database?.stop();
		await sandbox.stop();
	}
}

const { values, positionals } = parseArgs({
	options: { postgres: { type: 'boolean', default: false } },
	allowPositionals: true,
});
for (const size of positionals) {
	for (const [name, value] of Object.entries(await measured(Number(size), values.postgres)))
		console.log(`${name.padEnd(22)} ${value}`);
	console.log();
}
