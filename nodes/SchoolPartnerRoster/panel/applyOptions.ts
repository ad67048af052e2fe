import type { INodeProperties } from 'n8n-workflow';

/** The options of Apply Changes. */
export const applyOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: ['apply'] } },
	options: [
		{
			displayName: 'Stop After Troubles',
			name: 'stopAfterTroubles',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'Nothing more is sent',
		},
	],
};
