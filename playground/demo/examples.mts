/** The workflows of examples/, put into n8n once; what a user changed in there stays. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	activateWorkflow,
	createWorkflow,
	listWorkflows,
	updateWorkflow,
	withCredential,
} from '../n8n-client.mts';
import type { Session, StoredCredential, WorkflowInput } from '../n8n-client.mts';

/** The example that the demo is about: `--once` runs it. */
export const MAIN_EXAMPLE = 'Provision a school';

export interface ImportedExample {
	id: string;
	name: string;
	active: boolean;
}

const BY_HAND = 'n8n-nodes-base.manualTrigger';

/** Name of a workflow, and digest of the file it came from and the credentials it names. */
type ImportRecord = Record<string, string>;

interface ExampleFile {
	workflow: WorkflowInput;
	text: string;
}

function readExamples(folder: string): ExampleFile[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => {
			const text = readFileSync(join(folder, name), 'utf8');
			return { workflow: JSON.parse(text) as WorkflowInput, text };
		});
}

/** True when something else than a click can start the workflow. */
function startsByItself({ nodes }: WorkflowInput): boolean {
	const starters = nodes.filter(({ type }) => /(trigger|\.webhook)$/i.test(type));
	return starters.some(({ type }) => type !== BY_HAND);
}

function digestOf(text: string, credentials: readonly StoredCredential[]): string {
	const ids = credentials.map(({ id }) => id).join(' ');
	return createHash('sha256').update(`${text} ${ids}`).digest('hex');
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
 * Imports every file of `folder`, with the credentials put where their types are named, and publishes those that start
 * by themselves. A workflow that is there already is overwritten only when its file has changed since; then it is
 * published again.
 * @param recordFile where it is noted what was imported
 */
export async function importExamples(
	session: Session,
	folder: string,
	credentials: readonly StoredCredential[],
	recordFile: string,
): Promise<ImportedExample[]> {
	const record = readRecord(recordFile);
	const stored = await listWorkflows(session);
	const imported: ImportedExample[] = [];
	for (const { workflow, text } of readExamples(folder)) {
		const digest = digestOf(text, credentials);
		const known = stored.find(({ name }) => name === workflow.name);
		const isCurrent = known !== undefined && record[workflow.name] === digest;
		const bound = credentials.reduce(withCredential, workflow);
		const id = known?.id ?? (await createWorkflow(session, bound)).id;
		if (known !== undefined && !isCurrent) await updateWorkflow(session, id, bound);
		const mustBeActive = startsByItself(workflow);
		if (mustBeActive && !(isCurrent && known.active)) await activateWorkflow(session, id);
		record[workflow.name] = digest;
		writeFileSync(recordFile, JSON.stringify(record, null, '\t'));
		imported.push({ id, name: workflow.name, active: mustBeActive || (known?.active ?? false) });
	}
	return imported;
}
