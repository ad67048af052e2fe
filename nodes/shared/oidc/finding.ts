import type { Failure } from '../failure';

/**
 * How the sign-on modules say that something does not hold: a code to branch on, the fact in one sentence,
 * and the next step in one more. Neither sentence ever quotes a token, a secret or personal data.
 */
export interface Finding {
	/** Stable and lower-case, for an IF node: `expired`, `wrong_audience`, … */
	readonly code: string;
	/** The fact. */
	readonly message: string;
	/** What to do next. */
	readonly description: string;
}

/** The refusing half of every result in this folder. */
export interface Refusal {
	readonly valid: false;
	readonly reasons: readonly Finding[];
	/** Set when nothing was decided because a request failed: what became of it, with its cause and its wait. */
	readonly failure?: Failure;
}

/** A refusal with one or more reasons. */
export function refused(...reasons: Finding[]): Refusal {
	return { valid: false, reasons };
}

/** The findings that apply: `[condition, finding]` pairs, in the order in which they are listed. */
export function findingsOf(...checks: ReadonlyArray<readonly [boolean, Finding]>): Finding[] {
	return checks.filter(([applies]) => applies).map(([, finding]) => finding);
}
