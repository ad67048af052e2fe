/** Why a pick list is empty, in the form in which n8n's editor shows it as it was meant. */
import { NodeApiError, type ILoadOptionsFunctions } from 'n8n-workflow';

import type { Failure } from '../failure';

/** Looks like a hyphen and is none: the non-breaking one. */
const HYPHEN_THAT_STAYS = '\u2011';

/**
 * What the open list shows below "Could not load list": the status, the message, and the description in a box.
 *
 * Traps of the editor (2.4.8 to 2.40.7): it shows the description of a NodeApiError only; it puts the status before the
 * message by itself; and it makes a space of every hyphen in the message, so that "school-001" would read "school 001".
 */
export function listCannotBeShown(
	context: ILoadOptionsFunctions,
	{ message, next, status }: Pick<Failure, 'message' | 'next' | 'status'>,
): NodeApiError {
	const shown = message.replace(` (${status})`, '').replaceAll('-', HYPHEN_THAT_STAYS);
	const ofN8n = new NodeApiError(
		context.getNode(),
		{},
		{ message: shown, description: next, ...(status !== undefined && { httpCode: String(status) }) },
	);
	// Trap: its constructor replaces a message that has EEXIST and the like anywhere, within a word too.
	ofN8n.message = shown;
	return ofN8n;
}
