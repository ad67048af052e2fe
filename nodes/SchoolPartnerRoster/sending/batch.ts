/** Sends one batch, all of it side by side. How a request travels is passed in. */
import type { Failure } from '../../shared/failure';
import { detailOf, type RecordDetail } from '../ledger/detail';
import type { OutcomeState } from '../ledger/row';
import type { Change } from '../planning/change';

import type { Blockers } from './blockers';
import type { CircuitBreaker } from './circuitBreaker';
import { stateAfter, type ChangeResult, type StatusOptions } from './result';
import { refusedOn } from './rows';

/** Sends changes side by side; gives what came of each, in their order. `onResult` is told of each as soon as it is known. */
export type SendStep = (
	changes: readonly Change[],
	onResult: (change: Change, result: ChangeResult) => void,
) => Promise<ChangeResult[]>;

export interface BatchContext {
	send: SendStep;
	blockers: Blockers;
	breaker: CircuitBreaker;
	statuses: StatusOptions;
	/** The day of the night, YYYY-MM-DD. */
	today: string;
}

export interface Done {
	change: Change;
	result: ChangeResult;
	state: OutcomeState;
	/** The ledger knows that it was sent: the next run asks whether it is there. */
	isAskedLater?: boolean;
}

/** Sends changes that do not need one another; what they need has been sent before. */
export async function sendBatch(batch: readonly Change[], context: BatchContext): Promise<Done[]> {
	const { send, blockers, breaker, today } = context;
	// Notes are done by being written.
	const results = batch.map((change): ChangeResult | undefined =>
		change.action === 'note' ? { kind: 'done' } : blockers.resultFor(change),
	);
	const places = [...batch.keys()].filter((place) => results[place] === undefined);
	const open = places.map((place) => batch[place]);
	const onResult = (change: Change, result: ChangeResult) => breaker.countResult(change, result);
	const sent = await send(open, onResult).catch((): ChangeResult[] => []);
	for (const [index, place] of places.entries()) results[place] = sent[index];
	return batch.map((change, place) => {
		const { result, state } = believed(change, results[place] ?? BROKEN_OFF, context);
		change.refused = refusedOn(change, result, state, today);
		blockers.note(change, state);
		breaker.countCreation(change, result, state);
		return { change, result, state };
	});
}

/**
 * Trap: a gateway that has lost the service says of every bond that it is gone. That counts when the service has accepted something before it, or said that
 * it has it, or when it is said on another day once more; else nobody knows, and the next run does it again.
 */
function believed(
	change: Change,
	result: ChangeResult,
	{ breaker, statuses, today }: BatchContext,
): Omit<Done, 'change'> {
	const state = stateAfter(change, result, statuses);
	const failure = goneBy(result);
	const isDoubtful = state === 'removed' && failure !== undefined;
	if (!isDoubtful || isSaidAgain(change, today, statuses) || breaker.cameAfterAccepted(result))
		return { result, state };
	return {
		result: { kind: 'failed', failure: { ...failure, effect: 'unknown', next: MAY_BE_GATEWAY } },
		state: 'uncertain',
	};
}

/** Nothing where the service says itself that it has removed something. */
function goneBy(result: ChangeResult): Failure | undefined {
	if (result.kind === 'done') return result.isGone === true ? GONE : undefined;
	return result.kind === 'failed' && result.failure.effect !== 'done' ? result.failure : undefined;
}

/** A removal that got such an answer on another day. Trap: one that got none is uncertain too. */
function isSaidAgain({ known }: Change, today: string, { goneStatuses }: StatusOptions): boolean {
	if (known?.state !== 'uncertain' || known.at.slice(0, 10) >= today) return false;
	const { action, status, code } = detailOf<RecordDetail>(known);
	const isOfGone = code === GONE.code || (status !== undefined && goneStatuses.includes(status));
	return action === 'remove' && isOfGone;
}

const GONE: Failure = {
	origin: 'service',
	effect: 'unknown',
	code: 'gone',
	message: 'The service answers that nothing is there to be removed',
	next: '',
};
const MAY_BE_GATEWAY =
	'The service has accepted nothing before it in this run, so that a gateway may say so. It counts as removed when the answer is the same on another day.';

/** Nobody can say which of them were sent. */
const BROKEN_OFF: ChangeResult = {
	kind: 'failed',
	failure: {
		origin: 'n8n',
		effect: 'unknown',
		code: 'brokenOff',
		message: 'Sending was broken off in an unexpected way, and what came of this change is not known',
		next: 'Look into the service whether it is there. The next run says that it is uncertain.',
	},
};
