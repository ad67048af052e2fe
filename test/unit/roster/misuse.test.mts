/** What n8n tells Apply Changes of the nodes around it. n8n's engine runs single nodes in these tests: here the nodes around are made up, and in test/e2e/roster they are real. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { markOf } from '../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import {
	misdirectedOf,
	notePlan,
	unplannedOf,
	type PlannedFor,
	type Recipient,
} from '../../../nodes/SchoolPartnerRoster/run/misuse.ts';

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
		getWorkflowDataProxy: () => ({
			$: (name: string) => ({ isExecuted: behind.some((node) => node.name === name) }),
		}),
	};
	return made as unknown as IExecuteFunctions;
}

const TO: Recipient = { baseUrl: 'https://service.example', clientId: 'client-1' };
const HERE: PlannedFor = { service: markOf(TO.baseUrl), client: markOf(TO.clientId) };
const LOOP = { name: 'Batches', type: 'n8n-nodes-base.splitInBatches' };
const WRITER = { name: 'Write the plan', type: 'n8n-nodes-base.dataTable' };

test.each<[string, Around[], string | undefined]>([
	['is on', [LOOP, WRITER], undefined],
	['is not there', [LOOP], 'planNotWritten'],
	['is disabled, and passes the rows on', [LOOP, { ...WRITER, disabled: true }], 'planNotWritten'],
])(
	'Where the node that writes the plan %s, the changes are as safe to send as that says',
	(_what, behind, code) => {
		const execution = executionWith(behind);
		notePlan(execution, 'run-1', HERE);
		expect(unplannedOf(execution, 'run-1')?.code).toBe(code);
	},
);

test.each<[string, PlannedFor, string | undefined]>([
	['the same', HERE, undefined],
	['not known, neither tonight nor by the ledger', { service: '', client: '' }, undefined],
	['another service', { ...HERE, service: markOf('https://other.example') }, 'plannedForOther'],
	['another client of it', { ...HERE, client: markOf('client-2') }, 'plannedForOther'],
])(
	'What the plan was made for is %s: the changes go where they belong, or nowhere',
	(_what, planned, code) => {
		const execution = executionWith([LOOP, WRITER]);
		notePlan(execution, 'run-1', planned);
		expect(misdirectedOf(execution, 'run-1', TO)?.code).toBe(code);
	},
);

test('Changes that were planned in another workflow, of which n8n tells nothing, can be sent', () => {
	expect(misdirectedOf(executionWith([]), 'run-1', TO)).toBeUndefined();
});
