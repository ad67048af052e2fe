/** One thing to do, or to remember: on its way from the plan through the service into the ledger. */
import { createBond, createClass, createUser, deleteBond } from '../../shared/calls/provisioning';
import type { Presence, Refused } from '../ledger/detail';
import type { LedgerEntry, RecordState } from '../ledger/ledger';
import type { OutcomeState, StoredRow } from '../ledger/row';
import type { Fields, Kind, Place, RosterRecord } from '../roster/record';

/** `note`: only the ledger learns something. */
type Action = 'create' | 'remove' | 'note';

/** What a change is on its way: to be sent, kept back for a person, waiting for another; or what came of it. */
export type ChangeState = OutcomeState | 'planned' | 'held' | 'waiting';

export interface Change {
	action: Action;
	kind: Kind;
	key: string;
	school_external_id: string;
	/** What has become of it so far. Of a note: the state that the ledger learns. */
	state: ChangeState;
	/** Digest of what the service has afterwards. */
	fields: string;
	/** Keys of what has to be there, or be sent, before it; of the removal of a bond, those of the bonds that its user moves to. */
	needs: readonly string[];
	why: string;
	/** The body of the request; null for a note. */
	send: Fields | null;
	/** Where the record stands; null when it is there no more. */
	source: Place | null;
	/** Since when it is missing, YYYY-MM-DD; '' when it is not. */
	since: string;
	/** The ledger's row of it; undefined for what is new. */
	known: StoredRow | undefined;
	/** Whether the service has it as far as the ledger knows. */
	there: Presence;
	/** False for what is nothing new: tried before and not done, or back again. */
	isNew: boolean;
	/**
	 * Of a removal after which its person still has a bond of the same profile in the school: one that came for it, or of a later year; or only others,
	 * that were there before.
	 */
	move?: 'goesOn' | 'keepsOthers';
	/** Of a class: its year. */
	year?: string;
	/** It was sent, and refused with this answer on these days. */
	refused?: Refused;
	/** The hold that keeps it back, or has let it go. */
	hold?: string;
	/** It was left out tonight, since the service forbids such changes, or what it needs, in this school. */
	forbiddenIn?: string;
}

/**
 * A change of a record that the ledger knows by this entry, or not yet: as usual in all that is not said otherwise.
 * @param record what the export has of it tonight, if anything
 */
export function changeOf(
	{ kind, key, school, fields, record }: RecordState & { record?: RosterRecord },
	entry: LedgerEntry | undefined,
	own: Pick<Change, 'action' | 'why'> & Partial<Change>,
): Change {
	return {
		...{ kind, key, school_external_id: school, fields, state: 'planned', needs: [], send: null },
		...{ source: record?.source ?? null, since: '', isNew: true },
		...{ known: entry?.row, there: entry?.there ?? 'no', ...(record && yearOfClass(record)) },
		...own,
	};
}

/** Whether it sends again, with other values, what the service has. */
export function isUpdate({ action, there }: Change): boolean {
	return action === 'create' && there === 'yes';
}

/** `in`: creations; `out`: removals. */
export type Direction = 'in' | 'out';

export function directionOf({ action }: Change): Direction | undefined {
	if (action === 'note') return undefined;
	return action === 'create' ? 'in' : 'out';
}

/** The call that creates this record, or removes this bond. A roster names all profiles itself: User: Create is enough for every user. */
export function callOf({ action, kind }: Pick<Change, 'action' | 'kind'>) {
	return action === 'remove' ? deleteBond : CREATIONS[kind];
}

const CREATIONS = { class: createClass, user: createUser, bond: createBond };

/** The year of a class; nothing of another record. */
function yearOfClass({ kind, fields: { year } }: RosterRecord): { year?: string } {
	return kind === 'class' && (typeof year === 'number' || typeof year === 'string')
		? { year: String(year) }
		: {};
}
