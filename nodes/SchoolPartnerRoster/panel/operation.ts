import type { INodeProperties } from 'n8n-workflow';

import type { OperationName } from './ports';

const choice = (value: OperationName, name: string, action: string, description: string) => ({
	name,
	value,
	action,
	description,
});

/** What the node can do. A new node plans: that is where a flow begins. */
export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		choice(
			'apply',
			'Apply Changes',
			'Apply one batch of changes',
			'Send one batch of planned changes to the service, and give one ledger row for each',
		),
		choice(
			'compact',
			'Compact Ledger',
			'Compact ledger',
			'Make a short ledger of a long one: what is there, and what is not settled',
		),
		choice(
			'plan',
			'Plan Changes',
			'Plan changes of roster',
			'Compare a roster with the ledger of what was done, and say what has to be created and removed',
		),
		choice(
			'readFiles',
			'Read Files',
			'Read roster files',
			'Read OneRoster or SDS files, or the rows of a sheet, into records of the service',
		),
	],
	default: 'plan',
};

const notice = (operationName: OperationName, name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: { show: { operation: [operationName] } },
});

/** What has to stand around the node for the operation to be safe: said before anything is filled in. */
export const notices: INodeProperties[] = [
	notice(
		'plan',
		'planNotice',
		'Connect the roster to the input <b>Roster</b>, and <b>all rows</b> of the table that keeps the ledger to the input <b>Ledger</b> (with a Data Table: operation Get, <b>Return All</b> on). Write <b>Ledger Rows</b> into that table before <b>Changes</b> are applied. Nothing is sent by this operation.',
	),
	notice(
		'apply',
		'applyNotice',
		"Put <b>Loop Over Items</b> between <b>Changes</b> of the plan and this node, with the 'Batch Size' of the plan (not needed where 'Most Changes' is no greater), and write <b>Ledger Rows</b> into the table within the loop: whatever happens, what was done has its row",
	),
	notice(
		'compact',
		'compactNotice',
		'Connect <b>all rows</b> of the table that keeps the ledger. Add what comes out to the table first; then delete the rows with a smaller <b>run_id</b>.',
	),
];
