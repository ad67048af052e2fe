/** Why a roster cannot be read at all: thrown deep inside, and a failure as data at the door (`unlessStopped`). */
import { failed, inputFailure, success, ThrownFailure, type Outcome } from '../../shared/failure';

/** Stands behind what can be done. */
export const NOTHING_USED = ' Nothing of the roster is used until then.';

/** Nothing of the roster may be used. */
export class Stop extends ThrownFailure {
	/**
	 * @param code a word for flows to branch on
	 * @param message what is so; never a value of a cell
	 * @param next what a person can do
	 */
	constructor(code: string, message: string, next = 'Have the files exported again.') {
		super(inputFailure({ code, message, next: `${next}${NOTHING_USED}` }));
	}
}

/** What `read` gives, or why it stopped. */
export async function unlessStopped<T>(read: () => Promise<T>): Promise<Outcome<T>> {
	return await read().then(success, (error: unknown) =>
		error instanceof Stop ? failed(error.failure) : Promise.reject(error as Error),
	);
}
