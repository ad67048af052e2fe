/** From a failure to what n8n shows, stores, and sends down the failure output. */
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { failureOfItem, type Failure } from '../failure';

import { isTool } from './isTool';

/**
 * The failure as n8n's own kind of it, with the item it belongs to; without one for what no item could begin with.
 *
 * Traps of the editor's panel: it writes "[item 0]" behind a message once more where n8n's own `itemIndex` is given, and it shows the
 * description as HTML, without its lines, and with whatever tags stand in the words of the service. There is a member of its own for what
 * it shows; the description stays plain text for everybody else.
 */
export function asNodeFailure(
	context: IExecuteFunctions,
	failure: Failure,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { next: description, origin, status } = failure;
	const { message } = itemIndex === undefined ? failure : failureOfItem(failure, itemIndex);
	const ofN8n =
		origin === 'input' || origin === 'n8n'
			? new NodeOperationError(context.getNode(), message, { description })
			: new NodeApiError(
					context.getNode(),
					{},
					{ message, description, ...(status !== undefined && { httpCode: String(status) }) },
				);
	// Trap: its constructors replace a message that has ENOTFOUND, EEXIST and the like anywhere, within a word too.
	ofN8n.message = message;
	// Trap: of a tool, n8n hands the model the message alone.
	if (isTool(context)) ofN8n.message += `\n${description}`;
	ofN8n.context.descriptionTemplate = asHtml(description);
	return ofN8n;
}

function asHtml(lines: string): string {
	return lines
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('\n', '<br>');
}

/**
 * The item that leaves in the place of one that failed: its input data, what happened as text (`error`) and as data (`failure`).
 *
 * Trap: n8n gives a tool all that its agent was given, and what leaves goes to the provider of the model. Nothing of it
 * leaves with a failure, and no item is marked: into one that is, n8n puts it back.
 */
export function failureItem(
	context: IExecuteFunctions,
	input: INodeExecutionData,
	failure: Failure,
	itemIndex: number,
): INodeExecutionData {
	const error = `${failureOfItem(failure, itemIndex).message}\n${failure.next}`;
	const told: INodeExecutionData = {
		json: { error, failure: failureData(failure) },
		pairedItem: { item: itemIndex },
	};
	if (isTool(context)) return told;
	const { json, binary } = input;
	const item = { ...told, json: { ...json, ...told.json }, ...(binary && { binary }) };
	return context.getNode().onError === 'continueErrorOutput' ? markedAsFailed(item, error) : item;
}

/** A failure as data of an item, for flows to branch on. */
export function failureData({
	origin,
	effect,
	status,
	code,
	properties,
	retryAfterSeconds: retry_after_seconds,
	next,
}: Failure): IDataObject {
	// Items of one request share its failure, and must not share what a flow may change.
	const ownProperties = properties?.map((property) => ({ ...property }));
	const members = { origin, effect, status, code, properties: ownProperties, retry_after_seconds, next };
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * Sends an item down the failure output with all of its data.
 *
 * Trap: n8n (2.4.8 to 2.40.7) takes for failed there only items that have an `error` beside their data, or whose data is `error` and
 * nothing else; and in the end it throws away the data of all items that have an `error` beside it still. Between the two it copies
 * what failed, and a copy has no members that cannot be enumerated. Without an input item to go by (a node that is executed alone) it copies
 * nothing: then the text is what is left. For other settings of On Error nothing is copied either, so that no item may be marked.
 */
function markedAsFailed(item: INodeExecutionData, message: string): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: { message }, enumerable: false });
}
