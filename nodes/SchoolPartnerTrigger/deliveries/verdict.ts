/** What the trigger says about a delivery that it does not take. */
import type { Issue } from './issues';

/** A refusal: the status and the words of the answer. */
export interface Refused {
	status: 400 | 401 | 413 | 415;
	message: string;
	/** With status 400: what is wrong, and where. */
	issues?: Issue[];
}

/**
 * One answer for every key that is not accepted, whatever is wrong with it: a sender who guesses must not
 * learn whether a key is absent, malformed or merely different.
 */
export const KEY_REFUSED: Refused = {
	status: 401,
	message: 'The x-api-key header does not carry a valid key.',
};

/** The body is longer than the workflow takes. */
export function tooLarge(maxBytes: number): Refused {
	return {
		status: 413,
		message: `The body is larger than ${Math.floor(maxBytes / 1024)} KB, the most that this address takes.`,
	};
}

/** The body is declared to be something else than JSON. */
export const NOT_JSON: Refused = {
	status: 415,
	message: 'Events are taken as Content-Type: application/json in UTF-8 only.',
};

/** The body does not have the documented shape. */
export function malformed(issues: Issue[]): Refused {
	return { status: 400, message: 'The event does not have the documented shape.', issues };
}
