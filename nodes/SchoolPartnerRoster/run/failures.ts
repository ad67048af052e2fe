/** Why an operation cannot begin, or an item not be taken: in the input's words, and nothing was sent. */
import type { Failure } from '../../shared/failure';

export const inputFailure = (said: Pick<Failure, 'code' | 'message' | 'next'>): Failure => ({
	...{ origin: 'input', effect: 'none' },
	...said,
});
