/** Sends one batch, all of it side by side. How a request travels is passed in. */
import type { Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import type { Change } from '../planning/change';

import {
	stateAfter,
	type FirstCreations,
	type Obstacles,
	type Result,
	type StatusOptions,
	type Troubles,
} from './result';
import { refusedOn } from './rows';

/** Sends changes side by side; gives what came of each, in their order. `onResult` is told of each as soon as it is known. */
export type SendStep = (changes: readonly Change[], onResult: (result: Result) => void) => Promise<Result[]>;

export interface BatchContext {
	send: SendStep;
	obstacles: Obstacles;
	troubles: Troubles;
	first: FirstCreations;
	statuses: StatusOptions;
	/** The day of the night, YYYY-MM-DD. */
	today: string;
}

export interface Done {
	change: Change;
	result: Result;
	state: OutcomeState;
}

/** Sends changes that do not need one another; what they need has been sent before. */
export async function sendBatch(batch: readonly Change[], context: BatchContext): Promise<Done[]> {
	const results = new Map<Change, Result>();
	const free: Change[] = [];
	for (const change of batch) {
		const result = unsentResult(change, context);
		if (result === undefined) free.push(change);
		else results.set(change, result);
	}
	const sent = free.length === 0 ? [] : await sendOrBreakOff(free, context);
	for (const [place, change] of free.entries()) results.set(change, sent[place] ?? BROKEN_OFF);
	return batch.map((change) => {
		const result = results.get(change) ?? BROKEN_OFF;
		const state = stateAfter(change, result, context.statuses);
		change.refused = refusedOn(change, result, state, context.today);
		context.obstacles.note(change, state);
		context.first.take(change, result, state);
		return { change, result, state };
	});
}

/** Nothing where sending broke in an unexpected way. */
async function sendOrBreakOff(changes: readonly Change[], { send, troubles }: BatchContext) {
	return await send(changes, (result) => troubles.take(result)).catch((): Result[] => []);
}

/** What must not be sent, and why; undefined for what may. Notes are done by being written. */
function unsentResult(change: Change, { obstacles }: BatchContext): Result | undefined {
	if (change.action === 'note') return { kind: 'done' };
	return obstacles.resultFor(change);
}

const WHY: Failure = {
	origin: 'n8n',
	effect: 'unknown',
	code: 'brokenOff',
	message: 'Sending was broken off in an unexpected way, and what came of this change is not known',
	next: 'Look into the service whether it is there. The next run says that it is uncertain.',
};

/** Nobody can say which of them were sent. */
const BROKEN_OFF: Result = { kind: 'failed', failure: WHY };
