/** What may be said of a roster; and what is said of a record wherever it is found. */
import { byCode, type Words } from '../../shared/failure';

import type { Cause } from './findings';
import type { Kind } from './record';

/** The causes of one severity, about records of one kind or of any, by their codes. An error of a class or user is corrected there: each has its own. */
export function causes<Table extends Words<Pick<Cause, 'message' | 'what_to_do'>>>(
	severity: Cause['severity'],
	kind: Kind | 'any',
	table: Table,
) {
	const isOfOne = severity === 'error' && (kind === 'class' || kind === 'user');
	const shared = { severity, ...(kind !== 'any' && { kind }), ...(isOfOne && { isOfOne }) };
	return byCode<Cause, Table>(shared, table);
}

const LABELS: Readonly<Record<Kind, string>> = { class: 'Class', user: 'User', bond: 'Bond' };

export const sameTwice = (kind: Kind): Cause => ({
	severity: 'warning',
	code: 'sameTwice',
	kind,
	message: `${LABELS[kind]}: the same is there twice`,
	what_to_do: 'Nothing: it counts once.',
});

export const rowsDiffer = (kind: Kind, fields: readonly string[]): Cause => ({
	severity: 'warning',
	code: 'rowsDiffer',
	...{ kind, isOfOne: true },
	message: `${LABELS[kind]}: rows with one id have different values of ${fields.join(', ')}`,
	what_to_do: 'The first row counts. Correct the others where the roster comes from.',
});

export const idTwice = (kind: Kind): Cause => ({
	severity: 'error',
	code: 'idTwice',
	...{ kind, isOfOne: true },
	message: `${LABELS[kind]}: one id stands for different ones`,
	what_to_do:
		'Give each its own id where the roster comes from. Nobody can say which of them is meant, so none is used. A person in two schools needs the option User IDs Unique Within set to School.',
});

/** @param whatToDo depends on where the field came from */
export const refused = (kind: Kind, code: string, field: string, why: string, whatToDo: string): Cause => ({
	severity: 'error',
	code,
	...{ kind, fields: [field], isOfOne: true },
	message: `${LABELS[kind]}: ${field} ${why}`,
	what_to_do: whatToDo,
});
