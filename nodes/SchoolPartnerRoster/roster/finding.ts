/** What a person should know about a roster, and the tables in which it is worded. */
import { byCode, type Words } from '../../shared/failure';

import type { Kind, Place } from './record';

/** What is found. Two rows have the same one when code, message and kind are the same, and it is not of one record alone. */
export interface FindingType {
	/** `error`: the record is left out; `warning`: it was healed or something may be wrong; `information`: nothing to do. */
	severity: 'error' | 'warning' | 'information';
	/** A word for flows to branch on: `gradeNotMapped`, `idTwice`, … */
	code: string;
	/** What is so. Never a value that may be personal: ids and names of columns only. */
	message: string;
	/** What a person can do about it. */
	what_to_do: string;
	kind?: Kind;
	/** Names of the fields that differ from what was created. */
	fields?: string[];
	/** What was asked of the service, or would have been tonight: what helps a creation may harm a removal. */
	action?: 'create' | 'remove';
	/** Each record has a finding of its own: a person corrects it there. */
	isOfOne?: true;
	/** What is said of several together, where its own words name keys or days. */
	ofSeveral?: Partial<Pick<FindingType, 'message' | 'what_to_do'>>;
}

/** What was found, and where. */
export interface Finding extends FindingType {
	/** The key of the first record it is about, as in the ledger. */
	key?: string;
	file?: string;
	line?: number;
	/** How many rows it is about. */
	count: number;
	/** Up to a thousand of them. */
	places: Place[];
}

/** A finding as a person sees it. */
export function withoutInternalFields<
	Each extends Pick<Finding, 'isOfOne' | 'ofSeveral'> & { isRefusal?: true },
>(finding: Each): Omit<Each, 'isOfOne' | 'ofSeveral' | 'isRefusal'> {
	const item = { ...finding };
	delete item.isOfOne;
	delete item.ofSeveral;
	delete item.isRefusal;
	return item;
}

/** Types of one severity, about records of one kind or of any, by their codes. An error of a class or user is corrected there: each has its own. */
export function findingTypes<
	Table extends Words<Partial<FindingType> & Pick<FindingType, 'message' | 'what_to_do'>>,
>(severity: FindingType['severity'], kind: Kind | 'any', table: Table) {
	const isOfOne = severity === 'error' && (kind === 'class' || kind === 'user');
	return byCode<FindingType, Table>(
		{ severity, ...(kind !== 'any' && { kind }), ...(isOfOne && { isOfOne }) },
		table,
	);
}

const KIND_LABELS: Readonly<Record<Kind, string>> = { class: 'Class', user: 'User', bond: 'Bond' };

export const rowsDiffer = (kind: Kind, fields: readonly string[]): FindingType => ({
	severity: 'warning',
	code: 'rowsDiffer',
	...{ kind, fields: [...fields], isOfOne: true },
	message: `${KIND_LABELS[kind]}: rows with one id have different values of ${fields.join(', ')}`,
	what_to_do: 'The first row counts. Correct the others where the roster comes from.',
});

export const idTwice = (kind: Kind): FindingType => ({
	severity: 'error',
	code: 'idTwice',
	kind,
	isOfOne: true,
	message: `${KIND_LABELS[kind]}: one id stands for different ones`,
	what_to_do:
		'Give each its own id where the roster comes from. Nobody can say which of them is meant, so none is used.',
});

/** A student whose responsible person may be a stranger: the service has no way to correct it later. */
export const responsibleTwice: FindingType = {
	severity: 'error',
	code: 'idTwice',
	kind: 'user',
	fields: ['responsible_external_id'],
	isOfOne: true,
	message: 'User: the id of a responsible person stands for different ones',
	what_to_do: 'Give each its own id where the roster comes from. A new user is not created until then.',
};

/** @param whatToDo depends on where the field came from */
export const fieldRefused = (
	kind: Kind,
	code: string,
	field: string,
	why: string,
	whatToDo: string,
): FindingType => ({
	severity: 'error',
	code,
	kind,
	fields: [field],
	isOfOne: true,
	message: `${KIND_LABELS[kind]}: ${field} ${why}`,
	what_to_do: whatToDo,
});
