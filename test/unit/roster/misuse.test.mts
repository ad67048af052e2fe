/** What n8n tells Apply Changes of the nodes around it. n8n's engine runs single nodes in these tests: here the nodes around are made up, and in test/e2e/roster they are real. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { misdirectedOf, notePlan, unplannedOf, type PlannedFor } from '../../../nodes/SchoolPartnerRoster/run/misuse.ts';

const ROSTER = 'n8n-nodes-school-partner.schoolPartnerRoster';

interface Around {
	name: string;
	type: string;
	disabled?: boolean;
}

/** The execution of a workflow in which all nodes behind Plan Changes that are given have run. */
function executionWith(behind: Around[]): IExecuteFunctions {
	const flow = {};
	const made = {
		getNode: () => ({ name: 'Apply Changes', type: ROSTER }),
		getParentNodes: () => [{ name: 'Plan Changes', type: ROSTER, parameters: { operation: 'plan' } }],
		getChildNodes: () => behind,
		getContext: () => flow,
		getWorkflowDataProxy: () => ({ $: (name: string) => ({ isExecuted: behind.some((node) => node.name === name) }) }),
	};
	return made as unknown as IExecuteFunctions;
}

const HERE: PlannedFor = { service: 'https://service.example', client: 'client-1' };
const LOOP = { name: 'Batches', type: 'n8n-nodes-base.splitInBatches' };
const WRITER = { name: 'Write the plan', type: 'n8n-nodes-base.dataTable' };

test.each<[string, Around[], string | undefined]>([
	['is on', [LOOP, WRITER], undefined],
	['is not there', [LOOP], 'planNotWritten'],
	['is disabled, and passes the rows on', [LOOP, { ...WRITER, disabled: true }], 'planNotWritten'],
])('Where the node that writes the plan %s, the changes are as safe to send as that says', (_what, behind, code) => {
	const execution = executionWith(behind);
	notePlan(execution, 'run-1', HERE);
	expect(unplannedOf(execution, 'run-1')?.code).toBe(code);
});

test.each<[string, PlannedFor, string | undefined]>([
	['the same', HERE, undefined],
	['not known, because it was not asked', { service: '', client: '' }, undefined],
	['another service', { ...HERE, service: 'https://other.example' }, 'plannedForOther'],
	['another client of it', { ...HERE, client: 'client-2' }, 'plannedForOther'],
])('What the plan was made for is %s: the changes go where they belong, or nowhere', (_what, planned, code) => {
	const execution = executionWith([LOOP, WRITER]);
	notePlan(execution, 'run-1', planned);
	expect(misdirectedOf(execution, 'run-1', HERE)?.code).toBe(code);
});

test('Changes that were planned in another workflow, of which n8n tells nothing, can be sent', () => {
	expect(misdirectedOf(executionWith([]), 'run-1', HERE)).toBeUndefined();
});
