/** The options of everything that sends: how many requests at a time, how long each may take, how often it is tried again. */
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { ConcurrencyBounds } from '../pace/concurrencyLimit';

import { numberField } from './properties';

/** A whole number of an option, in words that stand behind its label. */
export const between = (smallest: number, largest: number) => {
	const error = `must be a whole number from ${smallest} to ${largest}`;
	return z.int({ error }).check(z.gte(smallest, { error }), z.lte(largest, { error }));
};

/** Concurrency: the pace is found out (pace/concurrencyLimit.ts). */
const AUTOMATIC = 0;
const MOST_IN_FLIGHT = 200;

/** Milliseconds. */
const LONGEST_TIMEOUT = 3_600_000;

/** Members of a schema of options. */
export const sendingShape = {
	concurrency: z._default(between(0, MOST_IN_FLIGHT), AUTOMATIC),
	maxConcurrency: z._default(between(1, MOST_IN_FLIGHT), 128),
	maxRetries: z._default(between(0, 20), 3),
	timeout: z._default(between(1, LONGEST_TIMEOUT), 30_000),
};

/** How many requests may be in flight. */
export function concurrencyBounds(options: {
	concurrency: number;
	maxConcurrency: number;
}): ConcurrencyBounds {
	const isFixed = options.concurrency !== AUTOMATIC;
	return { isFixed, most: isFixed ? options.concurrency : options.maxConcurrency };
}

export const sendingOptions: INodeProperties[] = [
	numberField({
		name: 'concurrency',
		minValue: AUTOMATIC,
		maxValue: MOST_IN_FLIGHT,
		description:
			"How many requests are on their way at the same time. 0 is automatic: it begins with 16 and finds out how many the service answers well, up to 'Max Concurrency'. Another number means exactly that many.",
	}),
	numberField({
		name: 'maxConcurrency',
		// By what it is not: a collection has only the options that were added.
		displayOptions: { hide: { concurrency: [{ _cnd: { gt: AUTOMATIC } }] } },
		minValue: 1,
		maxValue: MOST_IN_FLIGHT,
		default: 128,
		description: "How many requests may be on their way at the same time when 'Concurrency' is 0 (automatic)",
	}),
	numberField({
		name: 'maxRetries',
		minValue: 0,
		maxValue: 20,
		default: 3,
		description:
			'How often a request is sent again when the service is busy or cannot be reached. Pauses of the whole run do not count. A request that creates a record is never sent again once it may have arrived.',
	}),
	numberField({
		name: 'timeout',
		minValue: 1,
		maxValue: LONGEST_TIMEOUT,
		default: 30_000,
		description:
			'How long one try may take in milliseconds, from the request to the last byte of its answer. A token is waited for as long before it.',
	}),
];
