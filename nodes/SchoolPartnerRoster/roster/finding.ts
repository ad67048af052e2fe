import type { Kind, Place } from './record';

/** Something about the roster that a person should know. Findings of one cause are one, with up to ten places. */
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
	file?: string;
	line?: number;
	/** How many rows it is about. */
	count: number;
	/** The first ten of them. */
	places: Place[];
}
