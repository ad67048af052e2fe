/** Statuses that a user names: the service's document does not show how it refuses what exists already, or is gone. */
import * as z from 'zod/v4-mini';

import { commaSeparated, wholeNumber } from './blocks';

/**
 * A list, text with commas, or one number.
 * @param refused speak of the token, the rights, the address or the pace: with one of them, every item would look done
 */
function statusesBut(refused: readonly number[], example: number, fewest: number) {
	const but = `${refused.slice(0, -1).join(', ')} and ${refused.at(-1)}`;
	const error = `must be one or more statuses from 400 to 499 with commas between them, for example ${example}, and none of ${but}, which say nothing of the record`;
	const status = wholeNumber(error, 400, 499).check(z.refine((value) => !refused.includes(value), { error }));
	return z.pipe(
		z.transform((value: unknown) => (typeof value === 'number' ? [value] : value)),
		commaSeparated(z.array(status, { error }).check(z.minLength(fewest, { error }))),
	);
}

/** The statuses of a creation of what is there already. */
export const refusalStatuses = statusesBut([401, 403, 404, 429], 409, 1);

/** The statuses of a removal of what is not there; none: such a removal has failed. */
export const goneStatuses = statusesBut([401, 403, 429], 404, 0);
