/** One thing to do, as it stands in the plan. */
import type { OutcomeState } from '../ledger/row';
import type { Action } from '../ledger/runs';
import type { Fields, Kind, Place } from '../roster/record';

import type { Counted } from './counts';

export interface Change {
	run_id: string;
	/** Of the whole plan. */
	plan_id: string;
	/** From 1; 0 for what is held. Changes of a batch are applied together, one batch after another. */
	batch: number;
	/** From 1, ascending; of what is held, a count of its own. */
	sequence: number;
	action: Action;
	kind: Kind;
	key: string;
	school_external_id: string;
	/** Digest of what the service has afterwards. */
	hash: string;
	/** Keys of what has to be there, or be sent, before it; of the removal of a bond, those of the bonds that its user moves to. */
	needs: readonly string[];
	/** Why it is there, in words. */
	why: string;
	/** The body of the request; null for a note. */
	send: Fields | null;
	/** Where the record stands; null when it is there no more. */
	source: Place | null;
	/** Of a note: the state that the ledger learns, since when it is missing (YYYY-MM-DD, or ''), and what its row says beside. */
	state?: OutcomeState;
	missing_since?: string;
	detail?: string;
	/** True where the service has it with other values: that it exists says then that nothing was changed. */
	changed?: true;
	/** True on the output Held. */
	held?: true;
}

/** A change before it is decided whether it goes out, and when. */
export interface Candidate extends Omit<Change, 'run_id' | 'plan_id' | 'batch' | 'sequence' | 'held'> {
	/** False for what is nothing new: tried before and not done, or back again. It does not count towards a hold. */
	isNew: boolean;
	/** When it was tried before, ISO 8601, if it was not done then. */
	triedAt?: string;
	/** As what it is counted once it is known whether it can go; undefined when it was counted already. */
	counted: Counted | undefined;
}

/** A note that only counts how often something was missing, or that it is back: it does nothing that could be too much, and is lost when it waits. */
export function isCountOfAbsences({ action, isNew }: Candidate): boolean {
	return action === 'note' && !isNew;
}
