/** What the roster needs of the place where its ledger lies. Two of them: an n8n Data Table, a table in PostgreSQL. */
import { failed, success, ThrownFailure, type Failure, type Outcome } from '../../shared/failure';
import type { LedgerRow, StoredRow } from '../ledger/row';

export interface StoreFailure extends Failure {
	/** Whether it may work when it is tried again: a database that is locked or restarting. */
	isPassing: boolean;
}

/** What a store throws. */
export class StoreError extends ThrownFailure {
	constructor(override readonly failure: StoreFailure) {
		super(failure);
	}
}

/** What a call gives, or why it failed. */
export async function storeResult<T>(call: Promise<T>): Promise<Outcome<T, StoreFailure>> {
	return await call.then(success, (thrown: unknown) => {
		if (!(thrown instanceof StoreError)) throw thrown;
		return failed(thrown.failure);
	});
}

/** For what need not succeed: `.catch(passOver)`. */
export function passOver(thrown: unknown): void {
	if (!(thrown instanceof StoreError)) throw thrown;
}

/** Each of its calls throws a {@link StoreError} when it fails. */
export interface LedgerStore {
	readonly name: string;
	/**
	 * Looks for the ledger. `made`: this call made it, so that its caller adds the lease row; `absent`: it is not there, and was not made.
	 * To be called before anything else.
	 */
	open(make: boolean): Promise<'found' | 'made' | 'absent'>;
	/** Rows with greater ids than this, ascending by id; fewer than `limit` only at the end. */
	rowsAfter(id: number, limit: number): Promise<StoredRow[]>;
	/** All rows of kind `lease`, ascending by id. */
	leaseRows(): Promise<StoredRow[]>;
	/**
	 * Adds rows in one insert, at most {@link MAX_INSERT_ROWS}. A failure says nothing of whether they are there.
	 * @param isWaitedFor false: a success says nothing either. For the end of an execution, when what is waited for fails.
	 */
	append(rows: readonly LedgerRow[], isWaitedFor?: boolean): Promise<void>;
	/**
	 * Changes a lease row where it is still as it was read (`id`, `run_id`, `sequence`); gives whether it was. In one statement of the database.
	 */
	replaceLease(before: StoredRow, after: LedgerRow): Promise<boolean>;
	/** Removes the rows with these ids and those between them, but for rows of kind `lease`. */
	removeRange(from: number, to: number): Promise<void>;
	removeLease(id: number): Promise<void>;
}

/** Read at once. */
export const PAGE_ROWS = 10_000;

/** In one insert at most. */
export const MAX_INSERT_ROWS = 5_000;
