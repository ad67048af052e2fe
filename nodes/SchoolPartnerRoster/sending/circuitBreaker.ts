/** Stops a run whose next requests would fail too: the service is in trouble, or refuses all creations of a kind alike. */
import type { Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import type { Change } from '../planning/change';

import type { ChangeResult } from './result';

/** Failures in a row, none of them the refusal of a record, after which nothing more is sent. */
const MAX_TROUBLES = 100;

/** The first creations of a kind show whether all of them would be refused: a field that nobody mapped, a wrong profile. */
export const FIRST_OF_A_KIND = 100;

/** Creations of a kind of which more than half were refused alike. */
export interface RefusedAlike {
	kind: Change['kind'];
	refused: number;
	of: number;
	failure: Failure;
}

const UNSENT_STATES = new Set<OutcomeState>(['not tried', 'blocked', 'waiting']);

export class CircuitBreaker {
	private troublesInARow = 0;
	private readonly first = new Map<Change['kind'], { count: number; byCause: Map<string, number> }>();
	refusedAlike: RefusedAlike | undefined;

	get isOpen(): boolean {
		return this.troublesInARow >= MAX_TROUBLES || this.refusedAlike !== undefined;
	}

	/** To be told of each result as soon as it is known. */
	countResult(result: ChangeResult): void {
		if (result.kind === 'done') this.troublesInARow = 0;
		if (result.kind === 'failed')
			this.troublesInARow = isTrouble(result.failure) ? this.troublesInARow + 1 : 0;
	}

	/** To be told of the first creations of a kind before others of it go. */
	countCreation({ action, kind }: Change, result: ChangeResult, state: OutcomeState): void {
		if (action !== 'create' || UNSENT_STATES.has(state)) return;
		const first = this.first.get(kind) ?? { count: 0, byCause: new Map<string, number>() };
		this.first.set(kind, first);
		if (first.count >= FIRST_OF_A_KIND) return;
		first.count += 1;
		if (result.kind !== 'failed' || (state !== 'failed' && state !== 'exists')) return;
		const { failure } = result;
		const cause = `${failure.status} ${failure.code}`;
		const refused = (first.byCause.get(cause) ?? 0) + 1;
		first.byCause.set(cause, refused);
		if (refused * 2 > FIRST_OF_A_KIND) this.refusedAlike = { kind, refused, of: first.count, failure };
	}
}

const TROUBLE_STATUSES = new Set([401, 403, 408, 429]);

/** True when it is not this record that is refused. */
export function isTrouble({ origin, status, isPage }: Failure): boolean {
	if (isPage === true) return true;
	if (status !== undefined && (status >= 500 || TROUBLE_STATUSES.has(status))) return true;
	return origin !== 'service' && origin !== 'input';
}
