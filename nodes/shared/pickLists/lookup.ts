/** What the pick lists of the editor ask the service for, through the same transport as a run. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { senderOf } from '../transport/send';
import { Session } from '../transport/session';
import { isSaidBy } from '../failure';
import { readReply } from '../calls/answer';
import type { Lookup } from '../calls/call';

import { listCannotBeShown } from './listCannotBeShown';

/** A person is waiting: one more try, and no long wait. */
const POLICY = { timeoutMs: 10_000, maxRetries: 1 };

/** Statuses with which the service says that it does not know what the list was asked for. */
const NOT_KNOWN = [400, 404];

/**
 * What a call finds. Throws with what happened and what to do; the list shows it.
 * @param whenNotKnown what to do when the service does not know what it was asked for
 */
export async function lookUp<Input>(
	context: ILoadOptionsFunctions,
	{ work }: Lookup<Input>,
	input: Input,
	whenNotKnown: string,
): Promise<IDataObject[]> {
	const request = work.request(input);
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const reply = await senderOf(context, session, POLICY)(request);
	const found = readReply(reply, work.answer, { simplify: true });
	if (found.ok) return found.value;
	const { message, next, status } = found.failure;
	throw listCannotBeShown(context, {
		message,
		next: isSaidBy(found.failure, NOT_KNOWN) ? whenNotKnown : next,
		status,
	});
}

/** True when the text stands in one of the values, whatever its case; an empty text stands in all of them. */
export function isFound(text: string | undefined, ...values: unknown[]): boolean {
	const wanted = text?.trim().toLowerCase() ?? '';
	return values.some((value) =>
		String(value ?? '')
			.toLowerCase()
			.includes(wanted),
	);
}
