/** What came of a change, the state that the ledger learns of it, and whether others must wait for it. Pure. */
import type { Failure } from '../../shared/failure';
import type { OutcomeState } from '../ledger/row';
import { type Change, isUpdate } from '../planning/change';

/** It is done; it failed; it was kept back by another that failed, or that is not confirmed yet; or it was never sent. */
export type Result =
	| { kind: 'done'; serviceId?: string; accountId?: string }
	| { kind: 'failed'; failure: Failure }
	| { kind: 'blocked'; by: string }
	| { kind: 'waiting'; by: string }
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
export function stateAfter(change: Change, result: Result, options: StatusOptions): OutcomeState {
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

/** Trap: the sign-on and a proxy in front of the service refuse with such statuses too. */
function stateAfterFailure(
	change: Change,
	{ origin, status, isPage, effect }: Failure,
	{ existsStatuses, existing, goneStatuses }: StatusOptions,
): OutcomeState {
	if (origin === 'service' && status !== undefined && isPage !== true) {
		if (change.action === 'remove' && goneStatuses.includes(status)) return 'removed';
		if (change.action === 'create' && !isUpdate(change) && existsStatuses.includes(status)) {
			// A bond is nothing but its ids: one that exists is the one that was meant.
			return existing === 'adopt' || change.kind === 'bond' ? 'applied' : 'exists';
		}
	}
	return effect === 'unknown' ? 'uncertain' : 'failed';
}

/** What others must not be sent for: what is not there, and what only a link to a person cannot be made to. */
export class Obstacles {
	private readonly missing = new Set<string>();
	private readonly uncertain = new Set<string>();
	/** Users without a confirmed account, and the bonds that wait for them. */
	private readonly awaited = new Set<string>();

	note(change: Change, state: OutcomeState): void {
		if (change.action !== 'create' || isUpdate(change) || state === 'applied') return;
		const isAwaited = state === 'unconfirmed' || state === 'waiting';
		(isAwaited ? this.awaited : state === 'uncertain' ? this.uncertain : this.missing).add(change.key);
	}

	/** The account of a user was seen. */
	confirm(key: string): void {
		this.awaited.delete(key);
	}

	/** What comes of a change that must not be sent; undefined for what may. */
	resultFor(change: Change): Result | undefined {
		const by = this.inTheWayOf(change);
		return by === undefined ? undefined : { kind: this.awaited.has(by) ? 'waiting' : 'blocked', by };
	}

	/** The key for want of which a change is not sent. */
	private inTheWayOf({ action, kind, needs }: Change): string | undefined {
		const { missing, uncertain, awaited } = this;
		if (missing.size + uncertain.size + awaited.size === 0) return undefined;
		const isLacking = (key: string) => missing.has(key) || uncertain.has(key);
		const isAwaited = (key: string) => awaited.has(key);
		if (action === 'remove') {
			// Of the new bonds of who moves, one is enough.
			const isKept = needs.length > 0 && needs.every((key) => isLacking(key) || isAwaited(key));
			return isKept ? (needs.find(isAwaited) ?? needs[0]) : undefined;
		}
		// Bonds of somebody uncertain are sent; a link to a responsible person cannot be made later.
		if (kind !== 'bond') return needs.find(isLacking);
		return needs.find((key) => missing.has(key)) ?? needs.find(isAwaited);
	}
}

/** Failures in a row that are no refusal of a record, after which nothing more is sent. */
const MOST_TROUBLES = 100;

/** Counts failures in a row that the next change would have too. */
export class Troubles {
	private inARow = 0;

	take(result: Result): void {
		if (result.kind === 'done') this.inARow = 0;
		else if (result.kind === 'failed') this.inARow = isTrouble(result.failure) ? this.inARow + 1 : 0;
	}

	/** True when the service is in such trouble that nothing more is sent. */
	get areTooMany(): boolean {
		return this.inARow >= MOST_TROUBLES;
	}
}

const OF_NO_RECORD = new Set([401, 403, 408, 429]);

/** True when it is not this record that is refused. */
export function isTrouble({ origin, status, isPage }: Failure): boolean {
	if (isPage === true) return true;
	if (status !== undefined && (status >= 500 || OF_NO_RECORD.has(status))) return true;
	return origin !== 'service' && origin !== 'input';
}

/** The first creations of a kind, by which it is seen whether all of them would be refused: a field that nobody mapped, a wrong profile. */
export const FIRST_OF_A_KIND = 100;

/** Creations of a kind of which more than half were refused alike. */
export interface RefusedAlike {
	kind: Change['kind'];
	refused: number;
	of: number;
	failure: Failure;
}

const NOT_SENT = new Set<OutcomeState>(['not tried', 'blocked', 'waiting']);

/** Looks at the first creations of each kind, before the others go. */
export class FirstCreations {
	private readonly seen = new Map<Change['kind'], { count: number; byCause: Map<string, number> }>();
	/** Set when more than half of the first ones of a kind were refused alike. */
	refusedAlike: RefusedAlike | undefined;

	take({ action, kind }: Change, result: Result, state: OutcomeState): void {
		if (action !== 'create' || NOT_SENT.has(state)) return;
		const seen = this.seen.get(kind) ?? { count: 0, byCause: new Map<string, number>() };
		this.seen.set(kind, seen);
		if (seen.count >= FIRST_OF_A_KIND) return;
		seen.count += 1;
		if (result.kind !== 'failed' || (state !== 'failed' && state !== 'exists')) return;
		const { failure } = result;
		const cause = `${failure.status} ${failure.code}`;
		const refused = (seen.byCause.get(cause) ?? 0) + 1;
		seen.byCause.set(cause, refused);
		if (refused * 2 > FIRST_OF_A_KIND) this.refusedAlike = { kind, refused, of: seen.count, failure };
	}
}
