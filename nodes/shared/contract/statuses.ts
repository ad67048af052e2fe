/** Statuses that a user names: the service's document does not show with which one it refuses what exists already. */
import * as z from 'zod/v4-mini';

import { commaSeparated, wholeNumber } from './empty';

/** They speak of the token, the rights, the address and the pace: with one of them, every item would look done. */
const OF_NO_RECORD = [401, 403, 404, 429];

const gone =
	'must be one or more statuses from 400 to 499 with commas between them, for example 404, and none of 401, 403 and 429, which say nothing of the record';

/** The statuses of a removal of what is not there. A list, text with commas, or one number. */
export const goneStatuses = z.pipe(
	z.transform((value: unknown) => (typeof value === 'number' ? [value] : value)),
	commaSeparated(
		z.array(
			wholeNumber(gone, 400, 499).check(
				z.refine((status) => status === 404 || !OF_NO_RECORD.includes(status), { error: gone }),
			),
			{ error: gone },
		),
	),
);

const error =
	'must be one or more statuses from 400 to 499 with commas between them, for example 409, and none of 401, 403, 404 and 429, which say nothing of the record';

/** A list, text with commas, or one number. */
export const refusalStatuses = z.pipe(
	z.transform((value: unknown) => (typeof value === 'number' ? [value] : value)),
	commaSeparated(
		z
			.array(
				wholeNumber(error, 400, 499).check(z.refine((status) => !OF_NO_RECORD.includes(status), { error })),
				{ error },
			)
			.check(z.minLength(1, { error })),
	),
);
