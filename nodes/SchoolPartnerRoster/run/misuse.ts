/** Ways to send changes a second time, or to whom they are not for, without knowing it, as far as n8n tells a node where its items come from. */
import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';

import type { Failure } from '../../shared/failure';
import { markOf } from '../ledger/digest';
import type { Marks } from '../planning/admit';

import type { Sending } from './sending';

/** Whom a plan is for: the digests of the service's address and of the client. Empty: not known. */
export type PlannedFor = Pick<Marks, 'service' | 'client'>;

/** What the nodes of one execution know together. */
interface Shared {
	/** Runs that were planned in this execution. */
	schoolPartnerRosterRuns?: Record<string, PlannedFor>;
}

/** Where changes would be sent to. */
export type Recipient = Pick<Sending, 'baseUrl' | 'clientId'>;

const runsOf = (context: IExecuteFunctions) =>
	(context.getContext('flow') as Shared).schoolPartnerRosterRuns ?? {};

/** Notes for Apply Changes that this plan is of this execution, and whom it is for. */
export function notePlan(context: IExecuteFunctions, runId: string, { service, client }: PlannedFor): void {
	const shared = context.getContext('flow') as Shared;
	shared.schoolPartnerRosterRuns = { ...runsOf(context), [runId]: { service, client } };
}

/** Whether a run was planned for another service, or another client, than its changes would be sent to. */
export function misdirectedOf(
	context: IExecuteFunctions,
	runId: string,
	{ baseUrl, clientId }: Recipient,
): Failure | undefined {
	const planned = runsOf(context)[runId];
	if (planned === undefined) return undefined;
	const isOther = (mark: string, text: string) => mark !== '' && mark !== markOf(text);
	return isOther(planned.service, baseUrl) || isOther(planned.client, clientId)
		? PLANNED_FOR_OTHER
		: undefined;
}

/** A retried execution goes on with what its nodes gave at their time: what it read of the ledger is old. */
export function retriedOf(context: IExecuteFunctions): Failure | undefined {
	return context.getMode() === 'retry' ? RETRIED : undefined;
}

export function retriesOf(context: IExecuteFunctions): Failure | undefined {
	return context.getNode().retryOnFail === true ? RETRIES : undefined;
}

/**
 * Whether the changes of a run were planned in this execution, and something stands that their plan was written down.
 *
 * Trap: *Execute step* of n8n's editor gives a node what the nodes before it gave in an execution before, as pinned data does, and leaves out
 * the node that writes the plan's rows, which hangs beside the way to this one.
 */
export function unplannedOf(context: IExecuteFunctions, runId: string): Failure | undefined {
	const { name, type } = context.getNode();
	const isPlan = (node: NodeTypeAndVersion) => node.type === type && node.parameters?.operation === 'plan';
	const plans = context.getParentNodes(name, { includeNodeParameters: true }).filter(isPlan);
	// Planned in another workflow, of whose execution n8n tells nothing.
	if (plans.length === 0) return undefined;
	if (runsOf(context)[runId] === undefined) return PLANNED_ELSEWHERE;
	// Trap: a node that is disabled passes its items on, and n8n says that it has run.
	const others = plans
		.flatMap((plan) => context.getChildNodes(plan.name))
		.filter((node) => node.type !== LOOP && !node.disabled);
	return others.some((node) => hasRun(context, node.name)) ? undefined : NOT_WRITTEN;
}

/** Stands between every plan and its batches, and writes nothing. */
const LOOP = 'n8n-nodes-base.splitInBatches';

function hasRun(context: IExecuteFunctions, node: string): boolean {
	const { $ } = context.getWorkflowDataProxy(0) as { $: (name: string) => { isExecuted: boolean } };
	return $(node).isExecuted;
}

const RETRIED: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'retriedExecution',
	message:
		'This execution is retried: what it read of the ledger may be old, and its plan may have been applied in part before',
	next: 'Start the workflow anew instead: the new plan reads from the ledger what was done. Nothing was sent.',
};

const RETRIES: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'retryOnFail',
	message: 'Retry On Fail is on in the settings of this node: n8n would send the same changes again',
	next: 'Switch it off under Settings. Requests are sent again where that is safe (Max Retries), and what was not done comes again with the next plan. Nothing was sent.',
};

const PLANNED_ELSEWHERE: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'plannedElsewhere',
	message: 'These changes were planned in another execution, and may have been applied there',
	next: 'Execute the whole workflow, and not this node alone. If the data of Plan Changes is pinned, unpin it. Nothing was sent.',
};

const PLANNED_FOR_OTHER: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'plannedForOther',
	message:
		'These changes were planned with the credential of another service or of another client than the one of this node',
	next: 'Choose the same credential in Plan Changes and in Apply Changes. Nothing was sent.',
};

const NOT_WRITTEN: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'planNotWritten',
	message:
		'The rows of this plan have not been written into the ledger: no node behind Plan Changes has run but the loop',
	next:
		'Connect the output Ledger Rows of Plan Changes to the node that writes into the table, and put that node higher on the canvas than the loop: n8n runs the higher ' +
		'one first. Execute the whole workflow, and not this node alone. Nothing was sent.',
};
