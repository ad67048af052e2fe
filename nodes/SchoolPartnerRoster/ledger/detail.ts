/** What rows say in `detail`: JSON, by kind of row. What cannot be read says nothing. */
import type { Place } from '../roster/record';

import type { LedgerRow } from './row';

/** Of a record: what its other columns have no place for. */
export interface RecordDetail {
	/** What was sent, and nobody knows what came of it: of a row without it, a creation. */
	action?: 'create' | 'remove';
	/** Whether the service had it before what was tried and not done. */
	there?: Presence;
	/** Status and code of the refusal; never the words of the service, which may quote a person. */
	status?: number;
	code?: string;
	refused?: Refused;
	/** Where the export of that night had it, of what was not done. */
	place?: Place;
	/** Of a class: its year. */
	year?: string;
	/** Of a bond that was missing, or was to be removed: the day on which it came (YYYY-MM-DD). */
	came?: string;
	/** The id of the row that this one is a copy of (night/compaction.ts). */
	of?: number;
}

/** What the service refused with the same answer, and on which days (YYYY-MM-DD). */
export interface Refused {
	/** `create` or `remove`, and a digest of the values. */
	what: string;
	since: string;
	last: string;
	/** It was due after that, perhaps by the word of a person, and got no answer. */
	again?: boolean;
}

/** A refusal after which there was no answer. */
export const unanswered = (refused: Refused | undefined): Pick<RecordDetail, 'refused'> =>
	refused === undefined ? {} : { refused: { ...refused, again: true } };

export type RefusalDetail = RecordDetail & { refused: Refused };

/**
 * Whether the service has a record. `maybe`: it was sent, and nobody knows what came of it; `unconfirmed`: its creation was answered, and its
 * account was not seen yet; `exists`: the service says so of something that we did not create.
 */
export type Presence = 'yes' | 'no' | 'maybe' | 'unconfirmed' | 'exists';

/** What a batch is about to send: whole keys. */
export interface BatchDetail {
	create?: string[];
	remove?: string[];
	/** The schools of new users whose keys have none. Trap: of one that is uncertain, the service may have to be asked by it. */
	schools?: Record<string, string>;
}

/** `class`, `user`, or `bond` and a profile: what is counted together. */
export type Group = string;

/** A school, and how many of each group it has. */
export type SchoolCounts = [school: string, counts: Record<Group, number>];

/** Of a day (YYYY-MM-DD), a school, a direction and a group: how many. `in`: created; `out`: removed. */
export type RecentCount = [day: string, school: string, direction: 'in' | 'out', group: Group, count: number];

/** What a run knows that the next one needs. */
export interface RunDetail {
	/** Digests of the service's address, of the client, and of the choice of ids: of another ledger they differ. '': not known. */
	service: string;
	client: string;
	ids: string;
	files: string[];
	/** Of the digests of fields. */
	salt: string;
	/** Of the rosters of the last runs: a digest of the schools, and of everything in them. Of the same schools, the last is that of the last run. */
	rosters: Array<[string, string]>;
	holds: string[];
	/** How many changes there were to send, and how many were sent; 0 while it is under way. */
	changes: number;
	sent: number;
	/** How often rows were lost, and a person has let it go. */
	cuts?: number;
	/** Ids of runs that were to take schools over, and did not come to their end. */
	takesOver: string[];
	/** Schools that have nothing in the export, and since which day (YYYY-MM-DD). */
	away: Array<[school: string, since: string]>;
	/** What each school had in its last whole export without a hold: classes, users, bonds of each profile. */
	base: SchoolCounts[];
	/** What was created and removed in the last days without a person's approval. */
	recent: RecentCount[];
	/** Hardly anybody's account was found: the next run asks for a few before it asks for all. */
	asksFew?: true;
}

/** What a hold keeps back. A long one stands in several rows. */
export interface HoldDetail {
	/** '' for the whole network. */
	school: string;
	reason: string;
	/** What is wrong with ledger or roster as a whole, by code and mark: an approval lifts just these. */
	conditions: string[];
	/** Digests of 60 bits of what is held: action and key. */
	changes: string[];
}

/** Of rows of kind `told`: digests of what was told (`told`, `once`), or is no longer so (`settled`). */
export interface ToldDetail {
	told: string[];
}

/** Of rows of kind `access`: what an event says beside the user's ids; '' for what it does not say. */
export interface AccessDetail {
	/** Of the delivery. */
	request_id: string;
	/** The key of the class, by its external ids. */
	class_key: string;
	/** The service's own ids. */
	class_id: string;
	school_id: string;
	tenant_id: string;
	/** Who else is in the event: the responsible persons of a student. */
	people?: Array<{ external_id: string; account_id: string; user_id: string }>;
}

/** Of fields in which the service differed from what was sent, digests of what it showed. */
export interface SeenDetail {
	seen: Record<string, string>;
}

/** Who decided, in `approve` and `resolve` rows. */
export interface DecisionDetail {
	by: string;
}

export function detailOf<Detail>({ detail }: LedgerRow): Partial<Detail> {
	if (detail === '') return {};
	try {
		const value: unknown = JSON.parse(detail);
		return typeof value === 'object' && value !== null ? value : {};
	} catch {
		return {};
	}
}

/** When a bond came that is there: a time or, where it was missing since, a day. */
export function cameOn(row: LedgerRow): string {
	return detailOf<RecordDetail>(row).came ?? row.at;
}
