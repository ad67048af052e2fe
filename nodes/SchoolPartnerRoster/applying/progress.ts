/** What has come of a run so far, over all its batches: what failed and blocks others, and whether the service is in trouble. */
import type { Failure } from '../../shared/failure';
import type { LedgerRow, OutcomeState } from '../ledger/row';
import type { Change } from '../planning/change';

/** What is kept between batches; plain data, so that it can stand in the execution's node context. */
export interface Progress {
	run_id: string;
	/** Keys of what is not there because it failed, was blocked or not tried. */
	failed: string[];
	/** Failures in a row that are no refusal of a record. */
	troubles: number;
}

export interface Limits {
	/** Statuses by which the service says that something is there already. */
	existsStatuses: readonly number[];
	/** After so many troubles in a row nothing more is sent; 0: never. */
	stopAfterTroubles: number;
}

/** What came of a change: it is done; it failed; or it was never sent. */
export type Result =
	| { kind: 'done'; serviceId?: string }
	| { kind: 'failed'; failure: Failure }
	| { kind: 'blocked'; by: string }
	| { kind: 'notTried' };

/** The progress of this run; a new one when what was kept is of another. */
export function progressOf(kept: Progress | undefined, runId: string): Progress {
	return kept?.run_id === runId ? kept : { run_id: runId, failed: [], troubles: 0 };
}

/** What must not be sent, and why; undefined for what may. Notes are done by being written. */
export function verdictOf(
	change: Change,
	failed: ReadonlySet<string>,
	troubles: number,
	limits: Limits,
): Result | undefined {
	if (change.action === 'note') return { kind: 'done' };
	if (isOver(troubles, limits)) return { kind: 'notTried' };
	const by = change.needs.find((key) => failed.has(key));
	return by === undefined ? undefined : { kind: 'blocked', by };
}

/** True when the service is in such trouble that nothing more is sent. */
export function isOver(troubles: number, { stopAfterTroubles }: Limits): boolean {
	return stopAfterTroubles > 0 && troubles >= stopAfterTroubles;
}

/** How many troubles in a row there are after this result. */
export function troublesAfter(troubles: number, result: Result): number {
	if (result.kind === 'done') return 0;
	if (result.kind !== 'failed') return troubles;
	return isTrouble(result.failure) ? troubles + 1 : 0;
}

const OF_NO_RECORD = new Set([401, 403, 408, 429]);

/** True when it is not this record that is refused: the next one would fare the same. */
function isTrouble({ origin, status, isPage }: Failure): boolean {
	if (isPage === true) return true;
	if (status !== undefined && (status >= 500 || OF_NO_RECORD.has(status))) return true;
	return origin !== 'service' && origin !== 'input';
}

/**
 * Whether what needs this change must not be sent. What may be there is taken for there, and what is there with other values is there. A bond
 * is needed by removals only: nobody loses the old one for a new one that may not be there.
 */
export function blocksOthers(change: Change, state: OutcomeState): boolean {
	if (change.action !== 'create' || change.changed === true) return false;
	return (
		state === 'failed' ||
		state === 'blocked' ||
		state === 'not tried' ||
		(state === 'uncertain' && change.kind === 'bond')
	);
}

/** The state that the ledger learns. It follows what the failure says of its effect. */
export function stateOf(change: Change, result: Result, { existsStatuses }: Limits): OutcomeState {
	const done = change.action === 'remove' ? 'removed' : 'applied';
	if (change.action === 'note') return change.state ?? done;
	if (result.kind === 'done') return done;
	if (result.kind === 'blocked') return 'blocked';
	if (result.kind === 'notTried') return 'not tried';
	const { effect } = result.failure;
	if (effect === 'done' || isThereOrGone(change, result.failure, existsStatuses)) return done;
	return effect === 'unknown' ? 'uncertain' : 'failed';
}

/** Already there is done, and a bond that is gone is removed. Trap: the sign-on and a proxy in front of the service refuse with such statuses too. */
function isThereOrGone(
	{ action, changed }: Change,
	{ origin, status, isPage }: Failure,
	existsStatuses: readonly number[],
): boolean {
	if (origin !== 'service' || status === undefined || isPage === true) return false;
	return action === 'remove' ? status === 404 : changed !== true && existsStatuses.includes(status);
}

/** The one row that the ledger gets for a change, whatever happened. */
export function rowOf(change: Change, result: Result, limits: Limits, at: string): LedgerRow {
	return {
		run_id: change.run_id,
		sequence: String(change.sequence),
		kind: change.kind,
		key: change.key,
		school_external_id: change.school_external_id,
		state: stateOf(change, result, limits),
		hash: change.hash,
		service_id: result.kind === 'done' ? (result.serviceId ?? '') : '',
		missing_since: change.missing_since ?? '',
		detail: detailOf(change, result),
		at,
	};
}

/** Status and code; never the words of the service, which may quote a person. */
function detailOf(change: Change, result: Result): string {
	if (result.kind === 'blocked') return `needs ${result.by}`;
	if (result.kind !== 'failed') return change.detail ?? '';
	const { status, code = '' } = result.failure;
	return [status, CODE.test(code) && code].filter(Boolean).join(' ');
}

/** A code is a word. What is longer, or has blanks, is somebody's sentence. */
const CODE = /^[\w.:-]{1,40}$/;
