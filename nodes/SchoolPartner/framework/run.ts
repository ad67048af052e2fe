/**
 * One run of the node, the same for every operation: from n8n's items to inputs, and from outcomes back to items. The
 * order of the output is the order of the input, and every output item is paired with the one it came from.
 *
 * Trap: with On Error set to continue, n8n answers whatever is thrown here by passing all INPUT items through the
 * success output. So nothing is thrown then, and every item has an outcome of its own.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { asNodeFailure, failureItem } from '../../shared/actions/nodeFailure';
import { concurrencyBounds } from '../../shared/actions/sending';
import { logRequests } from '../../shared/actions/logRequests';
import type { Found } from '../../shared/calls/answer';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { outcomeOf } from '../../shared/engine/unexpected';
import { failed, NOT_BEGUN, success, type Failure, type Outcome } from '../../shared/failure';
import { Pace, type RunSummary } from '../../shared/pace/pace';
import { Limiter } from '../../shared/transport/limiter';
import type { RetryPolicy } from '../../shared/transport/retry';
import { senderOf, type Send } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';

import { chosenFields } from './fieldsToReturn';
import { inputReader } from './input';
import type { Operation, Resource, RunTools } from './operation';
import { resultOf } from './result';
import { runTools } from './runTools';
import { alreadyOf, policyOf, readSettings } from './settings';
import { refusedToAgents } from './tool';

/** The operation that a saved workflow names; undefined for one that there is not. */
export type OperationNamed = (
	resource: string,
	operation: string,
) => { resource: Resource; operation: Operation } | undefined;

/** Runs the operation that the node is set to, for all of its items. Throws only what ends the run as failed. */
export async function run(
	context: IExecuteFunctions,
	operationNamed: OperationNamed,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length === 0) return [];
	const job = await outcomeOf('none', async () => await jobOf(context, items, operationNamed));
	const outcomes = job.ok
		? await outcomeOf('unknown', async () => success(await outcomesOf(job.value)))
		: job;
	if (job.ok) {
		// What was begun and is not needed any more asks no further.
		job.value.whenStopped?.();
		logRequests(context, job.value.summary);
	}
	// Trap: after a cancellation, n8n would record a thrown failure as a failed run, and start its error workflow.
	if (context.getExecutionCancelSignal()?.aborted) return [];
	if (!context.continueOnFail()) throwFirst(context, outcomes);
	return items.flatMap((input, item) => {
		const outcome = outcomes.ok ? outcomes.value[item] : outcomes;
		return outcome.ok
			? outcome.value.map((json) => ({ json, pairedItem: { item } }))
			: [failureItem(context, input, outcome.failure, item)];
	});
}

interface NodeJob extends Job {
	/** How the run was paced. */
	summary: Readonly<RunSummary>;
}

/** What the run has to do; or why it can do nothing for any item. Sends nothing. */
async function jobOf(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	operationNamed: OperationNamed,
): Promise<Outcome<NodeJob>> {
	const [resource, name] = ['resource', 'operation'].map((parameter) =>
		String(context.getNodeParameter(parameter, 0)),
	);
	const named = operationNamed(resource, name);
	if (named === undefined) return failed(unknownOperation(resource, name));
	const { operation } = named;
	const refused = refusedToAgents(context, operation);
	if (refused !== undefined) return refused;
	const expressions = outspoken(context);
	const settings = readSettings(expressions, items);
	if (!settings.ok) return settings;
	const fields = chosenFields(operation, settings.value);
	if (!fields.ok) return fields;
	const { batchSize, simplify, whenNothingFound } = settings.value;
	const already = alreadyOf(settings.value);
	const signal = context.getExecutionCancelSignal();
	const limiter = new Limiter(new Pace(concurrencyBounds(settings.value)), signal);
	const policy = policyOf(settings.value);
	const mapped =
		operation.effect === 'write' &&
		context.getNodeParameter('dataMode', 0, 'defineBelow') === 'autoMapInputData';
	return success({
		count: items.length,
		inputOf: inputReader(expressions, items, operation, mapped),
		work: withTools(operation.work, runTools({ context, policy, limiter })),
		resultOf: resultOf(operation, whenNothingFound, fields.value),
		send: await senderFor(context, named.resource, policy, limiter),
		simplify,
		already,
		batchSize,
		begunAtOnce: limiter.pace.ceiling,
		stopsAtFailure: !context.continueOnFail(),
		signal,
		whenStopped: () => limiter.close(),
		summary: limiter.pace.summary,
	});
}

/** Work of its own gets the tools of the run beside what the engine gives. */
function withTools(work: Operation['work'], tools: RunTools): Job['work'] {
	if (work.kind !== 'own') return work;
	const { check, perform } = work;
	return {
		kind: 'own',
		...(check && { check: async (input, means) => await check(input, { ...tools, ...means }) }),
		perform: async (input, means) => await perform(input, { ...tools, ...means }),
	};
}

function unknownOperation(resource: string, operation: string): Failure {
	return {
		origin: 'input',
		effect: 'none',
		message: `There is no operation "${operation}" of "${resource}" in this version of the package`,
		next: 'Pick an operation in the node, or install the version of the package that the workflow was made with.',
	};
}

async function senderFor(
	context: IExecuteFunctions,
	{ credential }: Resource,
	policy: RetryPolicy,
	limiter: Limiter,
): Promise<Send> {
	if (credential !== 'schoolPartnerOAuth2Api') return async () => failed(NO_CREDENTIAL);
	const session = await Session.open(context, credential);
	return senderOf(context, session, policy, limiter);
}

const NO_CREDENTIAL: Failure = {
	origin: 'n8n',
	effect: 'none',
	message: 'This operation has no credential to send requests with',
	next: 'It is meant to work without the service.',
};

/** Ends the run at what it could not begin with, or at its first item that failed. */
function throwFirst(context: IExecuteFunctions, outcomes: Outcome<Array<Outcome<Found>>>): void {
	if (!outcomes.ok) throw asNodeFailure(context, outcomes.failure);
	const failures = outcomes.value.map((outcome) => (outcome.ok ? undefined : outcome.failure));
	// Items that were not begun come to nothing because another one failed: that one is named.
	const begun = failures.findIndex((failure) => failure !== undefined && failure !== NOT_BEGUN);
	const item = begun >= 0 ? begun : failures.indexOf(NOT_BEGUN);
	const failure = failures[item];
	if (failure !== undefined) throw asNodeFailure(context, failure, item);
}
