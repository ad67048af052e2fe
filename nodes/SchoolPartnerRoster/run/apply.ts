/** Apply Changes: one batch of a plan, sent through the engine of the action node; one ledger row for each change, whatever happens. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { failureData } from '../../shared/actions/nodeFailure';
import { tellRequests } from '../../shared/actions/told';
import { outcomesOf } from '../../shared/engine/engine';
import type { Work } from '../../shared/engine/tasks';
import { outcomeOf } from '../../shared/engine/unexpected';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import type { PaceState } from '../../shared/pace/pace';

import { applyBatch, type Applied, type SendStep } from '../applying/apply';
import { batchOf } from '../applying/batch';
import type { Progress, Result } from '../applying/progress';
import type { Change } from '../planning/change';

import { misdirectedOf, retriedOf, retriesOf, unplannedOf } from './misuse';
import { HOST } from './roster';
import { sendChange, undone } from './sendChange';
import { sendingOf, type Sending } from './sending';
import { applySettings } from './settings';

/** What the node keeps between the batches of one execution, as Loop Over Items keeps its rest. */
interface Kept {
	progress?: Progress;
	pace?: PaceState;
	/** The last change of this run that was taken up. */
	reached?: number;
}

export async function applyChanges(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const items = context.getInputData();
	const misused = retriedOf(context) ?? retriesOf(context);
	if (misused !== undefined) return failed(misused);
	const batch = batchOf(items.map(({ json }) => json));
	if (!batch.ok) return batch;
	const settings = applySettings(outspoken(context), items);
	if (!settings.ok) return settings;
	const changes = batch.value;
	const unplanned = unplannedOf(context, changes[0].run_id);
	if (unplanned !== undefined) return failed(unplanned);
	const kept = context.getContext('node') as Kept;
	if (wasReached(kept, changes[0])) return failed(APPLIED_BEFORE);
	kept.reached = changes[changes.length - 1].sequence;
	// Trap: thrown, it would end the run without rows of this batch, and nobody would know that nothing of it was sent.
	const sending = await outcomeOf('none', async () =>
		directed(context, changes[0], await sendingOf(context, settings.value, kept.pace)),
	);
	const send = sending.ok ? stepSender(sending.value) : notSending(sending.failure);
	const { applied, progress } = await applyBatch(changes, kept.progress, send, settings.value, HOST.clock);
	kept.progress = progress;
	if (sending.ok) {
		kept.pace = sending.value.gate.pace.state;
		// Trap: the pace goes on from batch to batch, so each line has the numbers of the run so far.
		tellRequests(context, kept.pace.summary);
	}
	return success(outputsOf(items, applied));
}

/** The way out, where it leads to the service that the plan is for. */
function directed(context: IExecuteFunctions, { run_id: runId }: Change, sending: Sending): Outcome<Sending> {
	const misdirected = misdirectedOf(context, runId, sending);
	return misdirected === undefined ? success(sending) : failed(misdirected);
}

/** Fails each change for the same reason, such as a credential that n8n does not give. */
function notSending(failure: Failure): SendStep {
	return async (changes) => changes.map(() => ({ kind: 'failed', failure }));
}

/** Whether a change of this run, or a later one, was taken up before: batches come in their order. */
function wasReached({ progress, reached = 0 }: Kept, { run_id: runId, sequence }: Change): boolean {
	return progress?.run_id === runId && sequence <= reached;
}

/** Sends changes through the engine, side by side. */
function stepSender({ means, gate }: Sending): SendStep {
	return async (changes, fuse) => {
		// What the service refuses to one step for ever, it may refuse to that step alone.
		gate.pace.beginAnew(steadyNow());
		// Trap: asked before a change waits for its turn, the fuse would be whole for as many as may ever be in flight.
		gate.mayLetOut = fuse.isWhole;
		const results = new Map<unknown, Result>();
		const perform: OwnWork['perform'] = async (change, { send }) => {
			const result = await sendChange(send, change as Change);
			results.set(change, result);
			fuse.tell(result);
			return success([]);
		};
		const outcomes = await outcomesOf({
			...means,
			count: changes.length,
			inputOf: (item) => success(changes[item]),
			work: { kind: 'own', perform },
			resultOf: success,
		});
		return changes.map((change, index) => results.get(change) ?? neverDone(outcomes[index]));
	};
}

type OwnWork = Extract<Work, { kind: 'own' }>;

/** Of a change that the engine did not come to, or that broke on the way. */
function neverDone(outcome: Outcome<unknown>): Result {
	return outcome.ok ? { kind: 'notTried' } : undone(outcome.failure);
}

/** One row for each change, in their order; and those that were not done once more, with why. */
function outputsOf(
	items: readonly INodeExecutionData[],
	applied: readonly Applied[],
): INodeExecutionData[][] {
	const itemOf = new Map(items.map(({ json }, item) => [json.sequence, item]));
	const origin = ({ change: { sequence } }: Applied) => ({ item: itemOf.get(sequence) ?? 0 });
	const undone = applied.filter(
		({ row: { state }, change }) => change.action !== 'note' && COMES_BACK[state] !== undefined,
	);
	return [
		applied.map((one) => ({ json: one.row, pairedItem: origin(one) })),
		undone.map((one) => ({ json: undoneOf(one), pairedItem: origin(one) })),
	];
}

/** A change that was not done: as the plan gave it, with why. */
function undoneOf({ change, result, row: { state } }: Applied): IDataObject {
	const failure = failureOf(result);
	const error = [failure.message, failure.next, COMES_BACK[state]].join('\n');
	return { ...change, state, error, failure: failureData(failure) } as IDataObject;
}

/** What becomes of it, by the state that the ledger has. */
const COMES_BACK: Readonly<Partial<Record<string, string>>> = {
	uncertain:
		'The next plans tell it under Findings until it is settled (options Take as Done and Uncertain Creations of Plan Changes).',
	failed: 'It comes again with the next plan.',
	blocked: 'It comes again with the next plan.',
	'not tried': 'It comes again with the next plan.',
};

/** Why a change was not done, for a person. */
function failureOf(result: Result): Failure {
	if (result.kind === 'failed') return result.failure;
	const notSent = { origin: 'n8n', effect: 'none' } as const;
	if (result.kind === 'blocked') {
		return {
			...notSent,
			code: 'blocked',
			message: `It needs ${result.by}, which could not be created`,
			next: 'Look for that record on the output Failed. Nothing was sent for this one.',
		};
	}
	return {
		...notSent,
		code: 'notTried',
		message: 'It was not sent: the run was ended, or the service was in trouble too many times in a row',
		next: 'The option Stop After Troubles says after how many troubles in a row nothing more is sent.',
	};
}

const APPLIED_BEFORE: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'appliedBefore',
	message: 'These changes were applied before in this execution',
	next: 'Look at the connections of the loop: the output Loop goes to this node, and Done must not. Nothing was sent for these items.',
};
