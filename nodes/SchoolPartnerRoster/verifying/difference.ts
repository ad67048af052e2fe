/** What differs between the ledger and what the service shows, in words. Pure. */
import { bondOf, idsIn, kindOfKey } from '../ledger/key';
import type { Kind } from '../roster/record';

export type DifferenceKind = 'missing' | 'extra' | 'field' | 'responsible';

/** Item of the output Differences. */
export interface Difference {
	key: string;
	kind: Kind;
	difference: DifferenceKind;
	/** Names of the fields that differ; never a value. */
	fields?: string[];
	/** What Resolve is told, by whom: only where something is missing. */
	is?: 'notInService';
	by?: string;
	what_to_do: string;
	school_external_id?: string;
	class_external_id?: string;
	user_external_id?: string;
	external_id?: string;
	profile_name?: string;
}

/** Who says so, in the row that Resolve writes. */
export const BY = 'Verify';

const WHAT_TO_DO: Readonly<Record<DifferenceKind, string>> = {
	missing:
		'The service does not show this bond. Look there. If it is gone, give this item to Resolve: the next Sync creates the bond again.',
	extra:
		'The service shows a bond that the ledger does not have. Somebody may have made it by hand: leave it, or take it out in the service. Nothing removes it by itself.',
	field:
		'The service shows other values than were sent. Correct them there, or in the school system. When they are as in the roster, the next Sync takes them for corrected.',
	responsible:
		'The service shows other responsible persons than were sent. Correct them there, or in the school system: a link cannot be changed by a creation.',
};

export function differenceOf(key: string, difference: DifferenceKind, fields: string[] = []): Difference {
	const kind = kindOfKey(key);
	return {
		...{ key, kind, difference },
		...(fields.length > 0 && { fields }),
		...(difference === 'missing' && { is: 'notInService', by: BY }),
		what_to_do: WHAT_TO_DO[difference],
		...((kind === 'bond' ? bondOf(key) : idsIn(key)) as Partial<Difference>),
	};
}
