/** The workflows of examples/, put into n8n once; what a user changed in there stays. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	activateWorkflow,
	createWorkflow,
	listCredentials,
	listWorkflows,
	updateWorkflow,
} from '../n8n-client.mts';
import type { Session, WorkflowInput } from '../n8n-client.mts';

/** The example that the demo is about: `--once` runs it. */
export const MAIN_EXAMPLE = 'Provision a school';

export interface ImportedExample {
	id: string;
	name: string;
	active: boolean;
}

/** What calls for no publishing here: a click; and another workflow, the agent, whose model a person has to pick first. */
const CALLED = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.executeWorkflowTrigger'];

/** Name of a workflow, and digest of what was imported. */
type ImportRecord = Record<string, string>;

/** Would bring the same people to the same service as the nightly example, by ledgers of its own that do not know them. */
const INSTEAD = ['Sync every part of a network side by side', 'Sync a sheet every night'];

function readExamples(folder: string): WorkflowInput[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as WorkflowInput);
}

/** True when something else than a click or another workflow can start it, and is to. */
function startsByItself({ name, nodes }: WorkflowInput): boolean {
	if (INSTEAD.includes(name)) return false;
	const starters = nodes.filter(({ type }) => /(trigger|\.webhook)$/i.test(type));
	return starters.some(({ type }) => !CALLED.includes(type));
}

/** False when a node names a credential that is not there, such as that of a database. */
function hasItsCredentials({ nodes }: WorkflowInput, ids: ReadonlySet<string>): boolean {
	const named = nodes.flatMap(({ credentials }) => Object.values(credentials ?? {}));
	return named.every(({ id }) => id !== null && ids.has(id));
}

function digestOf(workflow: WorkflowInput): string {
	return createHash('sha256').update(JSON.stringify(workflow)).digest('hex');
}

function readRecord(file: string): ImportRecord {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as ImportRecord;
	} catch {
		// Missing, or cut short when the demo was killed: the examples are then imported again.
		return {};
	}
}

/**
 * Imports every file of `folder` and publishes those that start by themselves and have the credentials that they name. A
 * workflow that is there already is overwritten only when what is imported has changed since; then it is published again.
 * @param atHome what a file becomes in this n8n: its credentials, and the addresses that it names
 * @param recordFile where it is noted what was imported
 */
export async function importExamples(
	session: Session,
	folder: string,
	atHome: (workflow: WorkflowInput) => WorkflowInput,
	recordFile: string,
): Promise<ImportedExample[]> {
	const record = readRecord(recordFile);
	const stored = await listWorkflows(session);
	const credentials = new Set((await listCredentials(session)).map(({ id }) => id));
	const imported: ImportedExample[] = [];
	for (const workflow of readExamples(folder).map(atHome)) {
		const digest = digestOf(workflow);
		const known = stored.find(({ name }) => name === workflow.name);
		const isCurrent = known !== undefined && record[workflow.name] === digest;
		const id = known?.id ?? (await createWorkflow(session, workflow)).id;
		if (known !== undefined && !isCurrent) await updateWorkflow(session, id, workflow);
		const mustBeActive = startsByItself(workflow) && hasItsCredentials(workflow, credentials);
		if (mustBeActive && !(isCurrent && known.active)) await activateWorkflow(session, id);
		record[workflow.name] = digest;
		writeFileSync(recordFile, JSON.stringify(record, null, '\t'));
		imported.push({ id, name: workflow.name, active: mustBeActive || (known?.active ?? false) });
	}
	return imported;
}
