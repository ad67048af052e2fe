import { failed, type Failure, type Outcome } from '../failure';

/**
 * What is wrong with a token, a state or an address. Neither sentence ever quotes a token, a secret or personal data.
 */
export interface SignOnFinding {
	/** Stable and lower-case, for an IF node: `expired`, `wrong_audience`, … */
	readonly code: string;
	/** What is wrong. */
	readonly message: string;
	/** What to do next. */
	readonly next: string;
}

/** Everything that is wrong: one finding at least. */
export interface SignOnRefusal {
	readonly findings: readonly SignOnFinding[];
	/** Set when nothing was checked because a request failed. */
	readonly cause?: Failure;
}

export type Checked<T> = Outcome<T, SignOnRefusal>;

export function rejected(...findings: SignOnFinding[]): { ok: false; failure: SignOnRefusal } {
	return failed({ findings });
}

/** The findings whose condition holds, in the order of the list. */
export function applicableFindings(...checks: ReadonlyArray<readonly [boolean, SignOnFinding]>) {
	return checks.filter(([applies]) => applies).map(([, finding]) => finding);
}
