/** What the tests of the examples share: the file as a user imports it, and its run by hand. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import {
	errorOf,
	itemsOf,
	withCredential,
	type Execution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { runOnce, type Stage } from '../../support/stage.mts';

/** The trigger that every example has for trying it out. */
export const BY_HAND = 'When Clicking Execute';

/** The file, with the credential picked where it names one. */
export function example({ credential }: Stage, name: string): WorkflowInput {
	const file = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	return withCredential(file, credential);
}

/** Executes a workflow by hand; it has to succeed. */
export async function run(stage: Stage, workflow: WorkflowInput): Promise<Execution> {
	const execution = await runOnce(stage, workflow, BY_HAND);
	expect(errorOf(execution)).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/** What left a node. */
export const jsonOf = (execution: Execution, node: string, output = 0): IDataObject[] =>
	itemsOf(execution, node, output).map(({ json }) => json);
