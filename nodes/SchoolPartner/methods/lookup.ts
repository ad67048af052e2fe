/** What the pick lists of the editor ask the service for, through the same transport as a run. */
import { NodeApiError, type IDataObject, type ILoadOptionsFunctions } from 'n8n-workflow';

import type { Outcome } from '../../shared/transport/failure';
import type { ServiceRequest } from '../../shared/transport/request';
import { senderOf } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';
import { readAnswer } from '../framework/answer';

/** A person is waiting: one more try, and no long wait. */
const POLICY = { timeoutMs: 10_000, maxRetries: 1 };

/** Entries of a list under `data`. Throws with what happened and what to do; the list shows it. */
export async function lookUp(context: ILoadOptionsFunctions, request: ServiceRequest): Promise<IDataObject[]> {
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const reply = await senderOf(session, POLICY)(request);
	return orThrow(context, reply.ok ? readAnswer(request, reply.value, { shape: 'list', within: 'data' }, true) : reply);
}

function orThrow<T>(context: ILoadOptionsFunctions, outcome: Outcome<T>): T {
	if (outcome.ok) return outcome.value;
	const { message, description, status } = outcome.failure;
	throw new NodeApiError(context.getNode(), {}, { message, description, ...(status && { httpCode: String(status) }) });
}

/** True when the text stands in one of the values, whatever its case; an empty text stands in all of them. */
export function isFound(text: string | undefined, ...values: unknown[]): boolean {
	const wanted = text?.trim().toLowerCase() ?? '';
	return values.some((value) => String(value ?? '').toLowerCase().includes(wanted));
}
