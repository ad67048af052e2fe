import type { Kind, Place } from './record';

/** Something about the roster that a person should know: one for each record that a person corrects by itself, or for each cause. */
export interface Finding {
	/** `error`: the record is left out; `warning`: it was healed or something may be wrong; `information`: nothing to do. */
	severity: 'error' | 'warning' | 'information';
	/** The cause, a word for flows to branch on: `gradeNotMapped`, `idTwice`, … */
	code: string;
	/** What is so. Never a value that may be personal: ids and names of columns only. */
	message: string;
	/** What a person can do about it. */
	what_to_do: string;
	kind?: Kind;
	/** Names of the fields that differ from what was created. */
	fields?: string[];
	/** The key of the first record it is about, as in the ledger. */
	key?: string;
	/** Nothing else has it: each record of this cause has a finding of its own. */
	isOfOne?: true;
	file?: string;
	line?: number;
	/** How many rows it is about. */
	count: number;
	/** Up to a thousand of them. */
	places: Place[];
}

/** A finding as a person sees it. */
export function asItem<Each extends Pick<Finding, 'isOfOne'> & { isRefusal?: true }>(
	finding: Each,
): Omit<Each, 'isOfOne' | 'isRefusal'> {
	const item = { ...finding };
	delete item.isOfOne;
	delete item.isRefusal;
	return item;
}
