/** What came of a change, and the state that the ledger learns of it. */
import { isSaidBy, type Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import { isUpdate, type Change } from '../planning/change';

/** It is done (`isGone`: sent twice, and the second answer finds nothing); it failed; it was kept back by another that failed, or that is not confirmed yet; or it was never sent. */
export type ChangeResult =
	| { kind: 'done'; serviceId?: string; accountId?: string; isGone?: true }
	| { kind: 'failed'; failure: Failure }
	| { kind: 'blocked' | 'waiting'; by: string }
	| { kind: 'notTried' };

export interface StatusOptions {
	/** Statuses by which the service says that something exists already. */
	existsStatuses: readonly number[];
	/** What is said to exist is taken for ours. */
	existing: 'report' | 'adopt';
	/** Statuses by which the service says of a removal that nothing is there. */
	goneStatuses: readonly number[];
	/** What counts as done of the creation of a user: its answer, or that the account was seen. */
	confirmation: 'answer' | 'callback';
}

/** The state of a change after its result. It follows what the failure says of its effect. */
export function stateAfter(change: Change, result: ChangeResult, options: StatusOptions): OutcomeState {
	const done = stateWhenDone(change, options);
	switch (result.kind) {
		case 'done':
			return change.action === 'note' ? (change.state as OutcomeState) : done;
		case 'blocked':
		case 'waiting':
			return result.kind;
		case 'notTried':
			return 'not tried';
		case 'failed':
			if (result.failure.effect === 'done') return done;
			return stateAfterFailure(change, result.failure, options);
	}
}

function stateWhenDone(change: Change, { confirmation }: StatusOptions): OutcomeState {
	if (change.action === 'remove') return 'removed';
	const isAccount = change.kind === 'user' && !isUpdate(change);
	return isAccount && confirmation === 'callback' ? 'unconfirmed' : 'applied';
}

function stateAfterFailure(
	change: Change,
	failure: Failure,
	{ existsStatuses, existing, goneStatuses }: StatusOptions,
): OutcomeState {
	if (change.action === 'remove' && isSaidBy(failure, goneStatuses)) return 'removed';
	if (change.action === 'create' && !isUpdate(change) && isSaidBy(failure, existsStatuses)) {
		// A bond is nothing but its ids: one that exists is the one that was meant.
		return existing === 'adopt' || change.kind === 'bond' ? 'applied' : 'exists';
	}
	return failure.effect === 'unknown' ? 'uncertain' : 'failed';
}
