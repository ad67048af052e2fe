/** Stops what would fail too: a run whose service is in trouble, and creations of a kind of which most were refused alike. */
import { isSaidBy, type Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import { isUpdate, type Change } from '../planning/change';

import type { ChangeResult, StatusOptions } from './result';

/** Failures in a row, none of them the refusal of a record, after which nothing more is sent. */
const MAX_TROUBLES = 100;

/**
 * So often the service may forbid (403) what is done to a kind of records of one school, before it is not tried any more. Trap: a school that the operator
 * has not given to this client yet, or has taken away, would end the run for all others, night after night.
 */
const MAX_FORBIDDEN = 50;

/** So many of those count as trouble: the others say the same of the same. */
const COUNTED_FORBIDDEN = 5;

/** The first creations of a kind show whether all of them would be refused: a field that nobody mapped, a wrong profile. */
export const FIRST_OF_A_KIND = 100;

/** Creations of a kind of which more than half were refused alike. */
export interface RefusedAlike {
	kind: Change['kind'];
	refused: number;
	of: number;
	failure: Failure;
	/** The answer does not say that the service has refused the records: nothing else is sent either. */
	endsRun: boolean;
}

/** Uncertain, too: a service that answers every creation with a redirect leaves all of them so. */
const REFUSED_STATES = new Set<OutcomeState>(['failed', 'exists', 'uncertain']);

export class CircuitBreaker {
	private troublesInARow = 0;
	/** How often each action on a kind of a school was forbidden since it was last done. */
	private readonly forbiddenCounts = new Map<string, number>();
	/** The service has accepted a write, or said that it has what was to be created. */
	private hasAccepted = false;
	/** Results that came after that. */
	private readonly answers = new WeakSet<ChangeResult>();
	private readonly first = new Map<Change['kind'], { count: number; byCause: Map<string, number> }>();
	private readonly alike = new Map<Change['kind'], RefusedAlike>();

	constructor(private readonly statuses: Pick<StatusOptions, 'existsStatuses' | 'goneStatuses'>) {}

	/** One for each kind. */
	get refusedAlike(): RefusedAlike[] {
		return [...this.alike.values()];
	}

	get isOpen(): boolean {
		return this.troublesInARow >= MAX_TROUBLES || this.refusedAlike.some(({ endsRun }) => endsRun);
	}

	/** Whether the service forbids changes like this one in this school. */
	forbids(change: Change): boolean {
		return (this.forbiddenCounts.get(forbiddenWith(change)) ?? 0) >= MAX_FORBIDDEN;
	}

	/**
	 * Whether a creation is not to be sent, since others were refused alike.
	 * Trap: after a ledger was lost, the service refuses the classes that it has, and may take every user a second time. A bond can be removed again.
	 */
	refuses({ action, kind }: Change): boolean {
		return action === 'create' && (kind === 'bond' ? this.alike.has(kind) : this.alike.size > 0);
	}

	/** To be told of each result as soon as it is known. */
	countResult(change: Change, result: ChangeResult): void {
		if (this.hasAccepted) this.answers.add(result);
		if (result.kind === 'done') {
			this.troublesInARow = 0;
			this.forbiddenCounts.delete(forbiddenWith(change));
			this.hasAccepted ||= result.isGone !== true;
		}
		if (result.kind === 'failed') {
			this.countFailure(change, result.failure);
			this.hasAccepted ||= isSaidBy(result.failure, this.statuses.existsStatuses);
		}
	}

	private countFailure(change: Change, failure: Failure): void {
		if (!isTrouble(failure)) this.troublesInARow = 0;
		else if (!isForbidden(failure)) this.troublesInARow += 1;
		else {
			const count = (this.forbiddenCounts.get(forbiddenWith(change)) ?? 0) + 1;
			this.forbiddenCounts.set(forbiddenWith(change), count);
			if (count <= COUNTED_FORBIDDEN) this.troublesInARow += 1;
		}
	}

	/** Whether the service, and no gateway that has lost it, is known to have been answering. */
	cameAfterAccepted(result: ChangeResult): boolean {
		return this.answers.has(result);
	}

	/** To be told of the first creations of a kind before others of it go. */
	countCreation(change: Change, result: ChangeResult, state: OutcomeState): void {
		const { action, kind, refused: refusal } = change;
		if (action !== 'create' || (result.kind !== 'done' && result.kind !== 'failed')) return;
		if (isForbiddenBy(result)) return;
		// Trap: what was refused so before comes first, and says nothing of the others. Another answer does.
		if (refusal !== undefined && refusal.since < refusal.last) return;
		const first = this.first.get(kind) ?? { count: 0, byCause: new Map<string, number>() };
		this.first.set(kind, first);
		if (first.count >= FIRST_OF_A_KIND) return;
		first.count += 1;
		const alike = this.alike.get(kind);
		if (alike !== undefined) alike.of = first.count;
		if (result.kind !== 'failed' || !REFUSED_STATES.has(state)) return;
		const { failure } = result;
		if (isOutage(failure)) return;
		const cause = `${failure.status} ${failure.code}`;
		const refused = (first.byCause.get(cause) ?? 0) + 1;
		first.byCause.set(cause, refused);
		if (refused * 2 <= FIRST_OF_A_KIND) return;
		const endsRun = saysNothingOfRecords(failure, this.statuses.goneStatuses);
		this.alike.set(kind, { kind, refused, of: first.count, failure, endsRun });
	}
}

/** Changes of which one is forbidden with the others. */
const forbiddenWith = (change: Change) =>
	`${isUpdate(change) ? 'update' : change.action} ${change.kind} ${change.school_external_id}`;

/** True when it is not this record that is refused. */
export function isTrouble(failure: Failure): boolean {
	return isOutage(failure) || failure.status === 401 || failure.status === 403;
}

/** Says of the school, and not of the record, that this client may not. */
function isForbidden(failure: Failure): boolean {
	return failure.status === 403 && !isOutage(failure);
}

export function isForbiddenBy(result: ChangeResult): boolean {
	return result.kind === 'failed' && isForbidden(result.failure);
}

/** Says nothing about what was sent: the service, its sign-on or the way to them fails. */
function isOutage({ origin, status = 0, isPage }: Failure): boolean {
	if (isPage === true || status >= 500 || status === 408 || status === 429) return true;
	return origin !== 'service' && origin !== 'input';
}

/** Trap: a gateway that has lost the service, or sends elsewhere, answers the removals in the same way, and they would be noted as done or refused. */
function saysNothingOfRecords(failure: Failure, goneStatuses: readonly number[]): boolean {
	const { effect, status = 0 } = failure;
	const isRedirect = status >= 300 && status < 400;
	return effect === 'unknown' || isRedirect || isSaidBy(failure, goneStatuses);
}
