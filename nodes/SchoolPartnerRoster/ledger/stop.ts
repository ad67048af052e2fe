/** Why nothing can be planned with a ledger. Nothing was sent, and nothing comes out. */
import type { Failure } from '../../shared/failure';

/**
 * @param code a word for flows to branch on
 * @param message what is so
 * @param next what a person does about it
 */
export function ledgerStop(code: string, message: string, next: string): Failure {
	return { origin: 'input', effect: 'none', code, message, next: `${next} Nothing comes out until then.` };
}

/** Nothing but a compaction that was cut. */
export const NOTHING_COUNTS = ledgerStop(
	'ledgerCut',
	'The ledger has rows, but none that counts: it was compacted, and not all rows of that are there',
	'Read all rows of the table (switch Return All on), or restore those that were deleted.',
);
