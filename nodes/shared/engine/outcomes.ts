/** What has come of every item of a run, and whether anything may still be begun. */
import type { Found } from '../calls/answer';
import { failed, NOT_BEGUN, success, type Outcome } from '../failure';

import { outcomeOf, type Reach } from './unexpected';

/** When a run ends before its items are done. */
export interface StopRule {
	stopsAtFailure: boolean;
	/** Aborted when the run is cancelled. */
	signal: AbortSignal | undefined;
	/** Called when a failure ends the run: what waits for its turn, and what comes later, is not sent any more. */
	whenStopped?: () => void;
}

/** What is found for an item, in the form in which it leaves; or why that will not do. */
export type ResultOf = (found: Found) => Outcome<Found>;

export class Outcomes {
	private readonly settled = new Map<number, Outcome<Found>>();

	private isStopped = false;

	constructor(
		private readonly rule: StopRule,
		private readonly resultOf: ResultOf,
	) {}

	/** True when nothing more may be begun. */
	get isOver(): boolean {
		return this.isStopped || this.rule.signal?.aborted === true;
	}

	/** Writes down what came of an item. The first word counts. */
	settle(item: number, outcome: Outcome<Found>): void {
		if (this.settled.has(item)) return;
		const result = outcome.ok ? this.resultOf(outcome.value) : outcome;
		this.notice(result);
		this.settled.set(item, result);
	}

	/** Looks at something that an item needs: its failure may end the run before the item has all. */
	notice(outcome: Outcome<unknown>): void {
		if (this.isStopped || outcome.ok || !this.rule.stopsAtFailure) return;
		this.isStopped = true;
		this.rule.whenStopped?.();
	}

	/** Takes a step for some items. What it throws is the failure of those that have no outcome yet. */
	async guard(items: readonly number[], reach: Reach, step: () => Promise<void> | void): Promise<void> {
		const taken = await outcomeOf(reach, async () => success(await step()));
		if (!taken.ok) for (const item of items) this.settle(item, taken);
	}

	/** The outcome of an item; one that was never begun says so. */
	of(item: number): Outcome<Found> {
		return this.settled.get(item) ?? failed(NOT_BEGUN);
	}
}
