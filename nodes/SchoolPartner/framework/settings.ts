/** The options that every operation of the service has: how many, how long, how often, and what "nothing" means. */
import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { Operation } from './operation';

const between = (smallest: number, largest: number) => {
	const error = `must be a whole number from ${smallest} to ${largest}`;
	return z.int({ error }).check(z.gte(smallest, { error }), z.lte(largest, { error }));
};

const settings = z.object({
	batchSize: z._default(between(1, 500), 50),
	concurrency: z._default(between(1, 50), 10),
	maxRetries: z._default(between(0, 20), 3),
	timeout: z._default(between(1, 3_600_000), 30_000),
	whenNothingFound: z._default(z.enum(['none', 'empty', 'fail'], { error: 'must be none, empty or fail' }), 'none'),
});

export type Settings = z.output<typeof settings>;

const batchSize: INodeProperties = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: 50,
	description: 'How many status updates for the same account or user travel in one request',
};

const always: INodeProperties[] = [
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 10,
		description: 'How many requests are on their way at the same time',
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
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30000,
		description: 'How long to wait for an answer of the service, in milliseconds',
	},
];

const whenNothingFound: INodeProperties = {
	displayName: 'When Nothing Found',
	name: 'whenNothingFound',
	type: 'options',
	options: [
		{ name: 'Fail the Item', value: 'fail' },
		{ name: 'Return an Empty Item', value: 'empty' },
		{ name: 'Return No Item', value: 'none' },
	],
	default: 'none',
	description: 'What leaves the node for an input item for which the service finds nothing',
};

/** The collection "Options" of an operation: its own, and those of every operation that sends requests. */
export function optionsOf(operation: Operation): INodeProperties {
	const sends = operation.effect !== 'local';
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...Object.values(operation.optionFields ?? {}),
			...(operation.work.kind === 'merged' ? [batchSize] : []),
			...(sends ? always : []),
			...(operation.effect === 'read' ? [whenNothingFound] : []),
		].sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}

const LABELS = new Map([batchSize, ...always, whenNothingFound].map(({ name, displayName }) => [name, displayName]));

/** The options of a run, which hold for all of its items: expressions are evaluated for the first. */
export function readSettings(context: IExecuteFunctions): Settings {
	const checked = settings.safeParse(context.getNodeParameter('options', 0, {}));
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	throw new NodeOperationError(context.getNode(), `${LABELS.get(String(issue.path[0])) ?? 'Options'} ${issue.message}`, {
		description: 'Change it under Options in this node. Nothing was sent.',
	});
}
