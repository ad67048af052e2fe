/** From a failure to what n8n shows, stores, and sends down the failure output. */
import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Failure } from '../../shared/failure';

/** The failure as n8n's own kind of it, with the item it belongs to; without one for what no item could begin with. */
export function asNodeFailure(context: IExecuteFunctions, failure: Failure, itemIndex?: number): NodeApiError | NodeOperationError {
	const message = itemIndex === undefined ? failure.message : `${failure.message} [Item ${itemIndex}]`;
	const { description, cause, retryAfterMs } = failure;
	const declared =
		cause === undefined
			? {}
			: { failure: isTimed(cause) ? { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) } : { cause } };
	if (failure.origin === 'input') return new NodeOperationError(context.getNode(), message, { description, itemIndex, ...declared });
	return new NodeApiError(
		context.getNode(),
		{},
		{ message, description, itemIndex, ...(failure.status !== undefined && { httpCode: String(failure.status) }), ...declared },
	);
}

/**
 * The item that leaves in the place of one that failed: its input data, and under `error` what happened and what to do.
 *
 * Trap: n8n (2.4.8 to 2.40.7) throws away the data of items that carry an `error` of their own, and takes for failed only
 * those whose data is `error` and nothing else. To these it adds the data of the input item on the failure output.
 */
export function failureItem(
	context: IExecuteFunctions,
	input: INodeExecutionData,
	failure: Failure,
	itemIndex: number,
): INodeExecutionData {
	const addsInput = context.getNode().onError === 'continueErrorOutput';
	const error = `${failure.message} [Item ${itemIndex}]\n${failure.description}`;
	return {
		json: addsInput ? { error } : { ...input.json, error },
		pairedItem: { item: itemIndex },
		...(input.binary && { binary: input.binary }),
	};
}

function isTimed(cause: NonNullable<Failure['cause']>): cause is 'rate-limited' | 'temporarily-unavailable' {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}
