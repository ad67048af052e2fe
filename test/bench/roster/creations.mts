/** The creations of a roster by the node School Partner alone: records in, wave after wave, without a plan and a ledger. */
import type { INodeParameters } from 'n8n-workflow';

import { credentialReference, type WorkflowInput } from '../../../playground/n8n-client.mts';
import { ROSTER_NODE, type NightWorkflow } from '../../e2e/roster/stage.mts';
import { ACTION_NODE } from '../../support/stage.mts';
import { wired, type Step } from '../../support/wired.mts';

/** What is created one after another, and how its records are known. */
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

/** The nodes that create. */
export const CREATING = WAVES.map(({ name }) => name);

export function creations({ credential, url, mapping }: NightWorkflow): WorkflowInput {
	const response = { response: { response: { responseFormat: 'file' } } };
	const steps: Step[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			...{ name: 'Export', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, from: ['Start'] },
			parameters: { url, options: response },
		},
		{
			...{ name: 'Records', type: ROSTER_NODE, from: ['Export'] },
			parameters: { operation: 'readFiles', mapping, options: {} },
		},
		...WAVES.flatMap(({ name, resource, records }): Step[] => [
			{
				...{ name: `Only ${name}`, type: 'n8n-nodes-base.filter', typeVersion: 2.2, from: ['Records'] },
				parameters: { conditions: onlyWhere(records) },
			},
			{
				...{ name, type: ACTION_NODE, from: [`Only ${name}`], credentials: credentialReference(credential) },
				parameters: { resource, operation: 'create', dataMode: 'autoMapInputData' },
			},
		]),
	];
	return { name: 'Creations alone', ...wired(steps), settings: { executionOrder: 'v1' } };
}

function onlyWhere(isTrue: string): INodeParameters {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	return {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [{ id: 'only', leftValue: `=${isTrue}`, rightValue: '', operator }],
		combinator: 'and',
	};
}
