/** Sends one batch, step by step: what is in one step goes side by side, and each ends before the next begins. How a request travels is passed in. */
import type { Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import type { Change } from '../planning/change';
import { isResponsible } from '../planning/order';

import { stateAfter, type Obstacles, type Result, type StatusOptions, type Troubles } from './result';

/** Sends changes side by side; gives what came of each, in their order. `onResult` is told of each as soon as it is known. */
export type SendStep = (changes: readonly Change[], onResult: (result: Result) => void) => Promise<Result[]>;

export interface BatchContext {
	send: SendStep;
	obstacles: Obstacles;
	troubles: Troubles;
	statuses: StatusOptions;
}

export interface Done {
	change: Change;
	result: Result;
	state: OutcomeState;
}

export async function sendBatch(batch: readonly Change[], context: BatchContext): Promise<Done[]> {
	const done: Done[] = [];
	for (const step of stepsOf(batch)) {
		const results = await sendStep(step, context);
		for (const change of step) {
			const result = results.get(change) ?? BROKEN_OFF;
			const state = stateAfter(change, result, context.statuses);
			context.obstacles.note(change, state);
			done.push({ change, result, state });
		}
	}
	return done;
}

async function sendStep(step: readonly Change[], context: BatchContext): Promise<Map<Change, Result>> {
	const results = new Map<Change, Result>();
	const free: Change[] = [];
	for (const change of step) {
		const result = unsentResult(change, context);
		if (result === undefined) free.push(change);
		else results.set(change, result);
	}
	if (free.length === 0) return results;
	const sent = await context.send(free, (result) => context.troubles.take(result)).catch(() => []);
	for (const [place, change] of free.entries()) results.set(change, sent[place] ?? BROKEN_OFF);
	return results;
}

/** What must not be sent, and why; undefined for what may. Notes are done by being written. */
function unsentResult(change: Change, { obstacles }: BatchContext): Result | undefined {
	if (change.action === 'note') return { kind: 'done' };
	const by = obstacles.inTheWayOf(change);
	return by === undefined ? undefined : { kind: 'blocked', by };
}

/** The steps of a batch. Who needs another of the same step has a step after it. */
function stepsOf(changes: readonly Change[]): Change[][] {
	const steps: Change[][] = [];
	let keys = new Set<string>();
	const responsible = new Set(changes.flatMap((each) => (each.kind === 'user' ? each.needs : [])));
	const waveOf = (each: Change) =>
		`${each.action} ${each.kind} ${each.kind === 'user' && (isResponsible(each) || responsible.has(each.key))}`;
	for (const each of changes) {
		const step = steps.at(-1);
		if (step === undefined || waveOf(step[0]) !== waveOf(each) || each.needs.some((key) => keys.has(key))) {
			steps.push([each]);
			keys = new Set([each.key]);
		} else {
			step.push(each);
			keys.add(each.key);
		}
	}
	return steps;
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
