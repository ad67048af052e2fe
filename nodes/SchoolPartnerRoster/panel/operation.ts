import type { INodeProperties } from 'n8n-workflow';

import { OPERATION_NAMES, type OperationName } from './ports';

const choice = (value: OperationName, action: string, description: string) => ({
	...{ name: OPERATION_NAMES[value], value, action, description },
});

/** What the node can do. A new node syncs: that is what nearly every workflow wants. */
export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		choice(
			'approve',
			'Approve what is held',
			'Let go what a run has held, after a person has looked at it. The next Sync sends it.',
		),
		choice(
			'preview',
			'Preview changes of roster',
			'Say what Sync would do with this roster. Nothing is sent, and nothing is written.',
		),
		choice(
			'readFiles',
			'Read roster files',
			'Read OneRoster or SDS files, or the rows of a sheet, into records for other nodes. Nothing is sent.',
		),
		choice(
			'resolve',
			'Resolve uncertain records',
			'Note what was found out about single records: whether the service has them. The next Sync goes by it.',
		),
		choice(
			'sync',
			'Sync roster',
			'Compare the roster with what was done before, send what is different, once, and remember it. What is too much waits for a person.',
		),
		choice(
			'takeOver',
			'Take over schools',
			'Note that the service has everything in this roster already, for schools that are new here. Nothing is sent.',
		),
	],
	default: 'sync',
};

const notice = (operationName: OperationName, displayName: string): INodeProperties => ({
	displayName,
	name: `${operationName}Notice`,
	type: 'notice',
	default: '',
	displayOptions: { show: { operation: [operationName] } },
});

/** What a person has to know before anything is filled in. */
export const notices: INodeProperties[] = [
	notice(
		'sync',
		'The node keeps its ledger itself. The <b>first run</b> is held once: look at the output <b>Summary</b>, run the operation <b>Approve</b> with its <b>hold_id</b>, and start again.',
	),
	notice(
		'approve',
		'Each item of the input needs the fields <b>hold_id</b> (from the output Summary of Sync), <b>approve</b> (true, or false to withdraw it) and <b>by</b> (who has looked at it)',
	),
	notice(
		'resolve',
		'Each item of the input needs the fields <b>key</b> (from the outputs of Sync), <b>is</b> (inService or notInService) and <b>by</b> (who has looked). Items without <b>is</b> are skipped.',
	),
];
