/** Sends the changes of a step side by side, each as the request that the action node would make of it. */
import { readReply } from '../../shared/calls/answer';
import { outcomesOf } from '../../shared/engine/engine';
import type { Work } from '../../shared/engine/tasks';
import { NOT_BEGUN, success, type Failure, type Outcome } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import type { ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';
import type { Change } from '../planning/change';
import { callOf } from '../planning/send';
import type { SendStep } from '../sending/batch';
import type { Result } from '../sending/result';

import type { Sending } from './sending';

type OwnWork = Extract<Work, { kind: 'own' }>;

/** @param maySend asked before each request leaves, retries included */
export function stepSender({ means, gate, fence }: Sending, maySend: () => boolean): SendStep {
	fence.maySend = maySend;
	gate.mayLetOut = maySend;
	return async (changes, onResult) => {
		// What the service refuses to one step for ever, it may refuse to that step alone.
		gate.pace.beginAnew(steadyNow());
		const results = new Map<unknown, Result>();
		const perform: OwnWork['perform'] = async (change, { send }) => {
			const result = await sendChange(send, change as Change);
			results.set(change, result);
			onResult(result);
			return success([]);
		};
		const outcomes = await outcomesOf({
			...means,
			count: changes.length,
			inputOf: (item) => success(changes[item]),
			work: { kind: 'own', perform },
			resultOf: success,
		});
		return changes.map((change, index) => results.get(change) ?? neverDone(outcomes[index]));
	};
}

async function sendChange(send: Send, { action, kind, send: fields }: Change): Promise<Result> {
	const { contract, work } = callOf(action === 'remove' ? 'remove' : 'create', kind, fields ?? {});
	const checked = contract.safeParse(fields);
	if (!checked.success) return { kind: 'failed', failure: NOT_OF_CONTRACT };
	const request = (work.request as (input: unknown) => ServiceRequest)(checked.data);
	const read = readReply(await send(request), work.answer, { simplify: true });
	if (!read.ok) return undone(read.failure);
	const { id, user_id, account_id } = read.value[0] ?? {};
	return { kind: 'done', serviceId: idOf(id ?? user_id), accountId: idOf(account_id) };
}

function idOf(id: unknown): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Of a change that the engine did not come to, or that broke on the way. */
function neverDone(outcome: Outcome<unknown>): Result {
	return outcome.ok ? { kind: 'notTried' } : undone(outcome.failure);
}

function undone(failure: Failure): Result {
	return failure === NOT_BEGUN ? { kind: 'notTried' } : { kind: 'failed', failure };
}

const NOT_OF_CONTRACT: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'notOfContract',
	message: 'The record is not as the service wants it',
	next: 'Nothing was sent for this one. Please report this to the maintainers of this node.',
};
