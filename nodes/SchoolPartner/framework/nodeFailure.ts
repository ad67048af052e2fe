/** From a failure to what n8n shows, stores, and sends down the failure output. */
import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Failure } from '../../shared/transport/failure';

/** The failure as n8n's own kind of it, with the item it belongs to. */
export function asNodeFailure(context: IExecuteFunctions, failure: Failure, itemIndex: number): NodeApiError | NodeOperationError {
	const message = `${failure.message} [Item ${itemIndex}]`;
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

/** The item that leaves in the place of one that failed: its input data, what happened and what to do. */
export function failureItem(
	context: IExecuteFunctions,
	input: INodeExecutionData,
	failure: Failure,
	itemIndex: number,
): INodeExecutionData {
	const error = asNodeFailure(context, failure, itemIndex);
	return {
		json: { ...input.json, error: error.message, error_description: failure.description },
		error,
		pairedItem: { item: itemIndex },
		...(input.binary && { binary: input.binary }),
	};
}

function isTimed(cause: NonNullable<Failure['cause']>): cause is 'rate-limited' | 'temporarily-unavailable' {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}
