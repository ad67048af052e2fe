/** What the sandbox says of its network as a roster. */
import type { BondState } from './admin-types.mts';

export type RosterFormat = 'oneroster-1.1' | 'oneroster-1.2' | 'sds';

/** A night's export; what is not given is as the sandbox was started, or last reset. */
export interface RosterQuery {
	seed?: number;
	students?: number;
	schools?: number;
	/** So many changes; 0: the network as it is seeded. */
	tonight?: number;
}

/** Something that happened to a student since the network was seeded. All of it is in one school. */
export interface RosterChange {
	change: 'new' | 'gone' | 'moved' | 'renamed' | 'newResponsible';
	school_external_id: string;
	/** The student. */
	user_external_id: string;
	/** Where the student is now: `new`, `moved`. */
	class_external_id?: string;
	/** Where the student was: `gone`, `moved`. */
	former_class_external_id?: string;
	/** Responsible persons who come (`new`, `newResponsible`) or go with the student (`gone`). */
	responsible_external_id?: string[];
}

export interface RosterUser {
	school_external_id: string;
	external_id: string;
}

/** All that differs from the roster without changes, one by one and summed up. */
export interface RosterChanges extends Required<RosterQuery> {
	changes: RosterChange[];
	users: {
		new: RosterUser[];
		gone: RosterUser[];
		renamed: RosterUser[];
		/** Students. */
		withNewResponsible: RosterUser[];
	};
	bonds: { new: BondState[]; gone: BondState[] };
}
