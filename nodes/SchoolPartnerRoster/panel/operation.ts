import type { INodeProperties } from 'n8n-workflow';

/** What the node can do, in the order in which a nightly flow does it. */
export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	// Not by the alphabet: it is the order of a night.
	options: [
		{
			name: 'Plan Changes',
			value: 'plan',
			action: 'Plan what is different tonight',
			description: 'Compare a roster with the ledger of what was done, and say what has to be created and removed',
		},
		{
			name: 'Apply Changes',
			value: 'apply',
			action: 'Apply one batch of a plan',
			description: 'Send one batch of planned changes to the service, and give one ledger row for each',
		},
		{
			name: 'Compact Ledger',
			value: 'compact',
			action: 'Compact a ledger',
			description: 'Make a short ledger of a long one: what is there, and what is not settled',
		},
		{
			name: 'Read Files',
			value: 'readFiles',
			action: 'Read the files of a roster',
			description: 'Read OneRoster or SDS files, or the rows of a sheet, into records of the service',
		},
	],
	default: 'plan',
};
