/** The options of Apply Changes: those of every operation that sends, and when to stop. */
import type { INodeProperties } from 'n8n-workflow';

/** The most requests that may be on their way at the same time. */
export const MOST_IN_FLIGHT = 200;

export const applyOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: ['apply'] } },
	options: [
		{
			displayName: 'At Most',
			name: 'maxConcurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MOST_IN_FLIGHT },
			default: 64,
			description: "How many requests may be on their way at the same time when 'Concurrency' is 0 (automatic)",
		},
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: MOST_IN_FLIGHT },
			default: 0,
			description:
				"How many requests are on their way at the same time. 0 is automatic: it begins with 10 and finds out how many the service answers well, up to 'At Most'. Another number means exactly that many.",
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 20 },
			default: 3,
			description:
				'How often a request is sent again when the service is busy or cannot be reached. A request that creates a record is never sent again once it may have arrived.',
		},
		{
			displayName: 'Statuses That Mean It Exists',
			name: 'existsStatuses',
			type: 'string',
			default: '409',
			placeholder: 'e.g. 409, 422',
			description:
				'The statuses with which your service refuses what exists already, with commas between them: such a creation counts as done. Be careful with 400: other refusals may have it too.',
		},
		{
			displayName: 'Stop After Troubles',
			name: 'stopAfterTroubles',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description:
				'After so many requests in a row that come to nothing because the service or the sign-on is in trouble, nothing more is sent. The rest comes again with the next plan.',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 30000,
			description:
				'How long one try may take in all, in milliseconds: the wait for a token, the request, and its answer to the last byte',
		},
	],
};
