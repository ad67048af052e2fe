/** Why an operation does not begin, or a run does not come to its end, in words for a person. */
import type { Failure } from '../../shared/failure';
import type { Sent } from '../night/sendAll';

/** Of what was given: nothing was sent for it. */
export const inputFailure = (said: Pick<Failure, 'code' | 'message' | 'next'>): Failure => ({
	...{ origin: 'input', effect: 'none' },
	...said,
});

/** Keys that a message names. */
const MOST_NAMED = 50;

/** Of a run whose ledger could not be written: it names what has no row. */
export function unwritten({ unwritten: lost }: Sent, failure: Failure): Failure {
	const sent = lost.filter(({ change, result }) => change.action !== 'note' && result.kind !== 'notTried');
	if (sent.length === 0) return { ...failure, next: `${failure.next} Nothing was sent without a row.` };
	const named = sent.slice(0, MOST_NAMED).map(({ change, state }) => `${change.key} (${state})`);
	const others = sent.length > MOST_NAMED ? ` and ${sent.length - MOST_NAMED} more` : '';
	return {
		...failure,
		effect: 'unknown',
		message: `The ledger could not be told what came of ${sent.length} changes. ${failure.message}`,
		next: `${failure.next}\nNothing more was sent. The next run reports these as uncertain, each by its key: ${named.join(', ')}${others}.`,
	};
}
