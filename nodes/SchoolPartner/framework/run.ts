/**
 * The engine: one run of the node, the same for every operation. Data flows one way: parameters of item i,
 * contract, request, answer, items. The order of the output is the order of the input, and every output item
 * is paired with the item it came from.
 */
import { sleep, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import pMap from 'p-map';

import { failed, type Failure, type Outcome } from '../../shared/transport/failure';
import type { Policy } from '../../shared/transport/persevere';
import { senderOf, type Send } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';

import type { Found } from '../../shared/calls/answer';
import { inputReader, type InputReader } from './input';
import { asNodeFailure, failureItem } from './nodeFailure';
import type { Operation, Resource } from './operation';
import { readSettings, type Settings } from './settings';
import { planOf, type Plan } from './tasks';

/** Reading many items in one go would keep n8n from answering anything else: after so many, it gets its turn. */
const ITEMS_IN_ONE_GO = 200;

export async function runOperation(
	context: IExecuteFunctions,
	resource: Resource,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length === 0) return [];
	const settings = readSettings(context);
	const { inputs, refused } = await readInputs(context, items, operation);
	const simplify = context.getNodeParameter('simplify', 0, true) === true;
	const policy = { timeoutMs: settings.timeout, maxRetries: settings.maxRetries };
	const plan = planOf(operation.work, inputs, { simplify, batchSize: settings.batchSize, tools: { context, policy } });
	if (plan.tasks.length > 0) {
		const send = await senderFor(context, resource, policy);
		await performAll(context, plan, send, settings.concurrency);
	}
	// Trap: after a cancellation, n8n would record a thrown failure as a failed run, and start its error workflow.
	if (context.getExecutionCancelSignal()?.aborted) return [];
	if (!context.continueOnFail()) throwFirst(context, items.length, plan);
	return items.flatMap((input, item) =>
		itemsOf(context, input, item, refused.get(item) ?? plan.outcomeOf(item), operation, settings),
	);
}

/**
 * Reads and checks all items before the first request. When the run stops at its first failure, it stops
 * here, and nothing has been sent for any item.
 */
async function readInputs(context: IExecuteFunctions, items: INodeExecutionData[], operation: Operation) {
	const mapped = operation.effect === 'write' && context.getNodeParameter('dataMode', 0, 'defineBelow') === 'autoMapInputData';
	const read: InputReader = inputReader(context, items, operation, mapped);
	const inputs = new Map<number, unknown>();
	const refused = new Map<number, Outcome<Found>>();
	for (let item = 0; item < items.length; item++) {
		if (item % ITEMS_IN_ONE_GO === ITEMS_IN_ONE_GO - 1) await sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) break;
		const input = read(item);
		if (input.ok) inputs.set(item, input.value);
		else if (context.continueOnFail()) refused.set(item, input);
		else throw asNodeFailure(context, input.failure, item);
	}
	return { inputs, refused };
}

async function senderFor(context: IExecuteFunctions, resource: Resource, policy: Policy): Promise<Send> {
	if (resource.credential !== 'schoolPartnerOAuth2Api') return async () => failed(NO_CREDENTIAL);
	const session = await Session.open(context, resource.credential);
	return senderOf(session, policy, context.getExecutionCancelSignal());
}

const NO_CREDENTIAL: Failure = {
	origin: 'input',
	message: 'This operation has no credential to send requests with',
	description: 'It is meant to work without the service.',
};

/** Performs the tasks, `concurrency` at a time. After a failure that stops the run, no further task is begun. */
async function performAll(
	context: IExecuteFunctions,
	plan: Plan,
	send: Send,
	concurrency: number,
): Promise<void> {
	const stopsAtFailure = !context.continueOnFail();
	const signal = context.getExecutionCancelSignal();
	let stopped = false;
	await pMap(
		plan.tasks,
		async (task) => {
			if (stopped || signal?.aborted) return;
			await task.perform(send);
			stopped ||= stopsAtFailure && task.items.some((item) => plan.hasFailed(item));
		},
		{ concurrency },
	);
}

function throwFirst(context: IExecuteFunctions, count: number, plan: Plan): void {
	for (let item = 0; item < count; item++) {
		const outcome = plan.hasFailed(item) ? plan.outcomeOf(item) : undefined;
		if (outcome?.ok === false) throw asNodeFailure(context, outcome.failure, item);
	}
}

function itemsOf(
	context: IExecuteFunctions,
	input: INodeExecutionData,
	item: number,
	outcome: Outcome<Found> | undefined,
	operation: Operation,
	settings: Settings,
): INodeExecutionData[] {
	if (outcome === undefined) return [];
	if (!outcome.ok) return [failureItem(context, input, outcome.failure, item)];
	const found = operation.effect === 'write' ? [writeResult(outcome.value, operation)] : outcome.value;
	if (found.length > 0 || operation.effect !== 'read') return found.map((json) => ({ json, pairedItem: { item } }));
	switch (settings.whenNothingFound) {
		case 'none':
			return [];
		case 'empty':
			return [{ json: {}, pairedItem: { item } }];
		case 'fail':
			if (!context.continueOnFail()) throw asNodeFailure(context, NOTHING_FOUND, item);
			return [failureItem(context, input, NOTHING_FOUND, item)];
	}
}

const NOTHING_FOUND: Failure = {
	origin: 'service',
	message: 'The service finds nothing for this item',
	description: 'Check the ids of the item, or choose another setting for When Nothing Found in the options of this node.',
};

/** A write gives exactly one item: what the service answered, and what the operation adds to it. */
function writeResult(found: Found, { work }: Operation): IDataObject {
	const adds = work.kind === 'request' || work.kind === 'merged' ? work.answer.adds : undefined;
	const [answer] = found;
	if (answer === undefined) return adds ?? { success: true };
	return { ...adds, ...answer };
}
