/** A delivery that is not taken, and what is wrong with it. */
import { MOST_ISSUES } from '../../shared/contract/events/tables';

/** What is wrong in a delivery, and where. Never the value itself. */
export interface DeliveryIssue {
	/** For example `payload.structure_users.users[0].name`; empty for the body as a whole. */
	path: string;
	/** What must hold there, for example `must not be empty`. */
	message: string;
}

/** The status and the words of the answer. */
export interface DeliveryRefusal {
	status: 400 | 401 | 413 | 415;
	message: string;
	/** With status 400. */
	issues?: DeliveryIssue[];
}

/**
 * One answer for every key that is not accepted, whatever is wrong with it: a sender who guesses must not
 * learn whether a key is absent, malformed or merely different.
 */
export const KEY_REFUSED: DeliveryRefusal = {
	status: 401,
	message: 'The x-api-key header does not carry a valid key.',
};

export const NO_JSON_BODY: DeliveryRefusal = {
	status: 415,
	message: 'Events are taken as Content-Type: application/json in UTF-8 only.',
};

export function tooLarge(maxBytes: number): DeliveryRefusal {
	return {
		status: 413,
		message: `The body is larger than ${Math.floor(maxBytes / 1024)} KB, the most that this address takes.`,
	};
}

export function malformed(issues: DeliveryIssue[]): DeliveryRefusal {
	return { status: 400, message: 'The event does not have the documented shape.', issues };
}

/** At most {@link MOST_ISSUES}, the last of which says how many more; checking ends early, so that may be more still. */
export function limitedIssues(issues: readonly DeliveryIssue[]): DeliveryIssue[] {
	if (issues.length <= MOST_ISSUES) return [...issues];
	const first = issues.slice(0, MOST_ISSUES - 1);
	return [...first, { path: '', message: `and at least ${issues.length - first.length} more` }];
}
