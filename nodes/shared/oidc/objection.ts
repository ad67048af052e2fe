import { failed, type Failure, type Outcome } from '../failure';

/**
 * What speaks against a token, a state, an address: a code to branch on, the fact in one sentence, and the next step in one more.
 * Neither sentence ever quotes a token, a secret or personal data.
 */
export interface Objection {
	/** Stable and lower-case, for an IF node: `expired`, `wrong_audience`, … */
	readonly code: string;
	/** The fact. */
	readonly message: string;
	/** What to do next. */
	readonly next: string;
}

/** Why something does not hold: one or more reasons. */
export interface Objections {
	readonly reasons: readonly Objection[];
	/** Set when nothing was decided because a request failed: what became of it, with its cause and its wait. */
	readonly cause?: Failure;
}

/** What the sign-on modules found, or everything that speaks against it. */
export type Checked<T> = Outcome<T, Objections>;

/** Does not hold, for one or more reasons. */
export function refused(...reasons: Objection[]): { ok: false; failure: Objections } {
	return failed({ reasons });
}

/** The objections that apply: `[condition, objection]` pairs, in the order in which they are listed. */
export function objectionsOf(...checks: ReadonlyArray<readonly [boolean, Objection]>): Objection[] {
	return checks.filter(([applies]) => applies).map(([, objection]) => objection);
}
