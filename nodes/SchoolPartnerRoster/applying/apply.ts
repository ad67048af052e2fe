/** Applies one batch: step by step, with one row for each change in the end, whatever happens. How a request travels is passed in. */
import type { Failure } from '../../shared/failure';
import type { LedgerRow } from '../ledger/row';
import type { Change } from '../planning/change';

import { stepsOf } from './batch';
import {
	blocksOthers,
	isOver,
	progressOf,
	rowOf,
	stateOf,
	troublesAfter,
	verdictOf,
	type Limits,
	type Progress,
	type Result,
} from './progress';

/** Between sending and what the run has come to. */
export interface Fuse {
	/** Whether one more request may be begun; asked before each. What is not begun is `notTried`. */
	isWhole: () => boolean;
	/** Told what came of each as soon as it is known, so that troubles are counted while others are on their way. */
	tell: (result: Result) => void;
}

/** Sends changes side by side; gives what came of each, in their order. */
export type SendStep = (changes: readonly Change[], fuse: Fuse) => Promise<Result[]>;

export interface Applied {
	change: Change;
	result: Result;
	row: LedgerRow;
}

/**
 * @param batch at least one change, as `batchOf` read it
 * @param kept what was kept of the batches before it
 * @param now milliseconds since 1970
 */
export async function applyBatch(
	batch: readonly Change[],
	kept: Progress | undefined,
	send: SendStep,
	limits: Limits,
	now: () => number,
): Promise<{ applied: Applied[]; progress: Progress }> {
	const before = progressOf(kept, batch[0].run_id);
	const failed = new Set(before.failed);
	let { troubles } = before;
	const fuse: Fuse = {
		isWhole: () => !isOver(troubles, limits),
		tell: (result) => {
			troubles = troublesAfter(troubles, result);
		},
	};
	const applied: Applied[] = [];
	for (const step of stepsOf(batch)) {
		const verdicts = new Map(step.map((change) => [change, verdictOf(change, failed, troubles, limits)]));
		const free = step.filter((change) => verdicts.get(change) === undefined);
		const results = await sent(free, send, fuse);
		for (const change of step) {
			const result = verdicts.get(change) ?? results.get(change) ?? BROKEN_OFF;
			if (blocksOthers(change, stateOf(change, result, limits))) failed.add(change.key);
			applied.push({ change, result, row: rowOf(change, result, limits, new Date(now()).toISOString()) });
		}
	}
	return { applied, progress: { run_id: before.run_id, failed: [...failed], troubles } };
}

async function sent(changes: readonly Change[], send: SendStep, fuse: Fuse): Promise<Map<Change, Result>> {
	if (changes.length === 0) return new Map();
	try {
		const results = await send(changes, fuse);
		return new Map(changes.map((change, place) => [change, results[place] ?? BROKEN_OFF]));
	} catch {
		// Nobody can say which of them were sent. Their rows say so: a loop that gets no rows would stop, and know less.
		return new Map();
	}
}

const WHY: Failure = {
	origin: 'n8n',
	effect: 'unknown',
	code: 'brokenOff',
	message: 'Sending was broken off in an unexpected way, and what came of this change is not known',
	next: 'Look into the service whether it is there. The next plan says that it is uncertain.',
};

const BROKEN_OFF: Result = { kind: 'failed', failure: WHY };
