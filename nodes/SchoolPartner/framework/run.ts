/**
 * One run of the node, the same for every operation: from n8n's items to inputs, and from outcomes back to items. The
 * order of the output is the order of the input, and every output item is paired with the one it came from.
 *
 * Trap: with On Error set to continue, n8n answers whatever is thrown here by passing all INPUT items through the
 * success output. So nothing is thrown then, and every item has an outcome of its own.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { isTool } from '../../shared/actions/isTool';
import { asNodeFailure, failureItem } from '../../shared/actions/nodeFailure';
import { concurrencyBounds } from '../../shared/actions/sending';
import { logRequests } from '../../shared/actions/logRequests';
import type { Found } from '../../shared/calls/answer';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { outcomeOf } from '../../shared/engine/unexpected';
import { failed, inputFailure, NOT_BEGUN, success, type Outcome } from '../../shared/failure';
import { Pace, type RunSummary } from '../../shared/pace/pace';
import { Limiter } from '../../shared/transport/limiter';
import type { RetryPolicy } from '../../shared/transport/retry';
import { senderOf, type Send } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';

import { chosenFields } from './fieldsToReturn';
import { inputReader } from './input';
import { operationNamed, type Operation, type Resource, type RunTools } from './operation';
import { resultOf } from './result';
import { alreadyOf, readSettings } from './settings';

/** Runs the operation that the node is set to, for all of its items. Throws only what ends the run as failed. */
export async function runOperation(
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length === 0) return [];
	const job = await outcomeOf('nothing', async () => await jobOf(context, items, resources));
	const outcomes = job.ok
		? await outcomeOf(job.value.reach, async () => success(await outcomesOf(job.value)))
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

const REACH: Readonly<Record<Operation['effect'], Job['reach']>> = {
	...{ local: 'nothing', read: 'questions' },
	...{ exchange: 'unknown', write: 'unknown' },
};

type Chosen = NonNullable<ReturnType<typeof operationNamed>>;

/** What the run has to do; or why it can do nothing for any item. Sends nothing. */
async function jobOf(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	resources: readonly Resource[],
): Promise<Outcome<Job & { summary: RunSummary }>> {
	const chosen = chosenOperation(context, resources);
	if (!chosen.ok) return chosen;
	const { resource, operation } = chosen.value;
	const expressions = outspoken(context);
	const settings = readSettings(expressions, items, operation);
	if (!settings.ok) return settings;
	const fields = chosenFields(operation, settings.value);
	if (!fields.ok) return fields;
	const { batchSize, simplify, whenNothingFound, timeout: timeoutMs, maxRetries } = settings.value;
	const signal = context.getExecutionCancelSignal();
	const limiter = new Limiter(new Pace(concurrencyBounds(settings.value)), signal);
	const policy = { timeoutMs, maxRetries, creationsAgainOn503: settings.value.retryCreationsOn503 };
	return success({
		...{ count: items.length, batchSize, simplify, already: alreadyOf(settings.value) },
		inputOf: inputReader(expressions, items, operation, isMapped(context, operation)),
		work: withTools(operation.work, runTools({ context, policy, limiter })),
		reach: REACH[operation.effect],
		resultOf: resultOf(operation, whenNothingFound, fields.value),
		send: await senderFor(context, resource, policy, limiter),
		begunAtOnce: limiter.pace.ceiling,
		...{ stopsAtFailure: !context.continueOnFail(), signal },
		whenStopped: () => limiter.close(),
		summary: limiter.pace.summary,
	});
}

/** The operation that the node is set to, unless this version does not have it or it is not for who runs it. */
function chosenOperation(context: IExecuteFunctions, resources: readonly Resource[]): Outcome<Chosen> {
	const [resource, name] = ['resource', 'operation'].map((parameter) =>
		String(context.getNodeParameter(parameter, 0)),
	);
	const chosen = operationNamed(resources, resource, name);
	if (chosen === undefined) {
		const message = `There is no operation "${name}" of "${resource}" in this version of the package`;
		const next =
			'Pick an operation in the node, or install the version of the package that the workflow was made with.';
		return failed(inputFailure({ message, next }));
	}
	const { label, givesSecrets } = chosen.operation;
	// The list of operations of a tool does not offer these; an imported workflow may name one.
	if (givesSecrets === true && isTool(context)) {
		const message = `The operation ${label} gives tokens or secrets, and is not for AI agents`;
		const next =
			'Do it in a workflow without a model, and hand the model what it needs to know of the user. Nothing was sent.';
		return failed(inputFailure({ code: 'not_for_agents', message, next }));
	}
	return success(chosen);
}

/** True where the item's own fields are sent, and not those of the panel. */
function isMapped(context: IExecuteFunctions, { effect }: Operation): boolean {
	return effect === 'write' && context.getNodeParameter('dataMode', 0, 'defineBelow') === 'autoMapInputData';
}

/** The tools of a new run, in which nothing has been made yet. */
function runTools(given: Omit<RunTools, 'once'>): RunTools {
	const made = new Map<unknown, unknown>();
	const tools: RunTools = {
		...given,
		once: <T>(make: (tools: RunTools) => T) => {
			if (!made.has(make)) made.set(make, make(tools));
			return made.get(make) as T;
		},
	};
	return tools;
}

/** Work of its own gets the tools of the run beside what the engine gives. */
function withTools(work: Operation['work'], tools: RunTools): Job['work'] {
	if (work.kind !== 'own') return work;
	const { check, perform } = work;
	return {
		kind: 'own',
		...(check && { check: async (input, own) => await check(input, { ...tools, ...own }) }),
		perform: async (input, own) => await perform(input, { ...tools, ...own }),
	};
}

async function senderFor(
	context: IExecuteFunctions,
	{ credential }: Resource,
	policy: RetryPolicy,
	limiter: Limiter,
): Promise<Send> {
	// Their work is of its own kind and sends nothing this way.
	if (credential !== 'schoolPartnerOAuth2Api') return async () => failed(NOT_BEGUN);
	const session = await Session.open(context, credential);
	return senderOf(context, session, policy, limiter);
}

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
