/** One change becomes one request, the same as the action node's. */
import { readReply } from '../../shared/calls/answer';
import { NOT_BEGUN, type Failure } from '../../shared/failure';
import type { ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';

import type { Result } from '../applying/progress';
import type { Change } from '../planning/change';
import { callOf } from '../planning/send';

export async function sendChange(send: Send, { action, kind, send: fields }: Change): Promise<Result> {
	const { contract, work } = callOf(action === 'remove' ? 'remove' : 'create', kind, fields ?? {});
	const checked = contract.safeParse(fields);
	if (!checked.success) return { kind: 'failed', failure: CHANGED_ON_THE_WAY };
	const request = (work.request as (input: unknown) => ServiceRequest)(checked.data);
	const reply = await send(request);
	const read = readReply(reply, work.answer, { simplify: true });
	if (!read.ok) return undone(read.failure);
	const id = read.value[0]?.id;
	return {
		kind: 'done',
		...((typeof id === 'string' || typeof id === 'number') && { serviceId: String(id) }),
	};
}

/** What came of a change by its failure. */
export function undone(failure: Failure): Result {
	return failure === NOT_BEGUN ? { kind: 'notTried' } : { kind: 'failed', failure };
}

const CHANGED_ON_THE_WAY: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'changed',
	message: 'The change does not hold what the plan gave it',
	next: 'Pass the items of the output Changes on as they are. Nothing was sent for this one.',
};
