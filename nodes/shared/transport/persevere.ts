/** Trying again, by the rules of retry.ts, whatever it is that is tried. */
import { mayHaveBeenDone, type Attempt } from './attempt';
import type { Patience } from './patience';
import type { Method, Reply } from './request';
import { NONE_SPENT, nextStep } from './retry';

/** How long and how often is tried. */
export interface Policy {
	/** For each attempt, all in all: the wait for a token, the request, and its answer to the last byte. */
	timeoutMs: number;
	maxRetries: number;
	/** Whether a POST is sent again after a 503 of the service itself; default: yes. */
	creationsAgainOn503?: boolean;
}

/** What all attempts came to. */
export type Ending =
	/** `doneBefore`: an attempt before the last may have done what was asked. `mayBeDone`: that, or the last. */
	| { kind: 'ended'; attempt: Attempt; doneBefore: boolean; mayBeDone: boolean }
	/** The service asks to wait longer than we do. */
	| { kind: 'tooLong'; reply: Reply; waitMs: number; mayBeDone: boolean };

/** How one of the attempts is made. */
export interface Way {
	/** @param isRepeated whether it is not the first */
	attemptOnce: (isRepeated: boolean) => Promise<Attempt>;
	/** Whether what was asked for with it is waited for before the next attempt: the whole run is held then. */
	isHeld: (attempt: Attempt) => boolean;
	/** Whether it is a pause of the whole run, which spends no retry. */
	isPauseOfRun: (attempt: Attempt) => boolean;
}

/** Makes attempts until one is final. */
export async function persevere(
	method: Method,
	policy: Policy,
	patience: Patience,
	{ attemptOnce, isHeld, isPauseOfRun }: Way,
): Promise<Ending> {
	let doneBefore = false;
	let last: Attempt | undefined;
	for (let spent = 0, isRepeated = false; ; isRepeated = true) {
		const attempt = await attemptOnce(isRepeated);
		// The run ended while it waited to try again: what its last attempt came to is what there is to tell.
		if (attempt.kind === 'held' && attempt.by === 'end' && doneBefore && last !== undefined)
			return { kind: 'ended', attempt: last, doneBefore, mayBeDone: true };
		last = attempt;
		const count = isPauseOfRun(attempt) ? NONE_SPENT : spent++;
		const next = nextStep(method, count, attempt, policy, Date.now(), Math.random());
		const mayBeDone: boolean =
			doneBefore || mayHaveBeenDone(method, attempt, policy.creationsAgainOn503 !== false);
		if (next.step === 'tooLong')
			return { kind: 'tooLong', reply: next.reply, waitMs: next.waitMs, mayBeDone };
		if (next.step === 'done') return { kind: 'ended', attempt, doneBefore, mayBeDone };
		doneBefore = mayBeDone;
		await patience.pause(isHeld(attempt) ? next.backoffMs : next.waitMs);
	}
}
