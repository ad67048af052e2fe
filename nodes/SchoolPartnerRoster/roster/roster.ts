import type { Finding } from './finding';
import type { Kind, RosterRecord } from './record';

/** A file as it was read. */
export interface FileRead {
	name: string;
	/** Rows under the header that hold anything. */
	rows: number;
	/** Of its bytes, hexadecimal. */
	sha256: string;
}

/**
 * What an export says about one kind: `whole`, what is not there is gone; `partial`, only what is said to be gone is gone (a sheet of which nobody said
 * that it holds everybody, rows that cannot be told); `silent`, nothing is said about this kind (an optional file that is not there).
 */
export type Completeness = 'whole' | 'partial' | 'silent';

/** The same for every kind. */
export function ofEachKind(completeness: Completeness): Record<Kind, Completeness> {
	return { class: completeness, user: completeness, bond: completeness };
}

/** A roster, read and mapped onto the service's fields, whether it came from files, rows of a sheet or items. */
export interface Roster {
	/** What can be sent. Each identity is there once. */
	records: RosterRecord[];
	/** What is there and cannot be sent, with an error finding: that it is not in `records` does not mean that it is gone. */
	faulty: RosterRecord[];
	/** What the export itself says is gone: `tobedeleted`, a past `endDate`. */
	gone: RosterRecord[];
	completeness: Record<Kind, Completeness>;
	/** Where there are several exports, what is said of each school; of one that is not here, nothing. */
	completenessBySchool?: ReadonlyMap<string, Record<Kind, Completeness>>;
	/** A list that may come only once (Missing Rows Mean > Nothing): what this one holds, the next one may not hold. */
	comesOnce?: true;
	/** One of several exports could not be read: who is in none of the others may be in it. */
	lacksExports?: true;
	/** External ids of the schools that the export lists, with or without anything in them. */
	schools: string[];
	/** What the export calls them, by external id. */
	schoolNames?: ReadonlyMap<string, string>;
	/** Grades of classes that nobody has said what they are in the service. */
	unmappedGrades?: readonly UnmappedGrade[];
	findings: Finding[];
	files: FileRead[];
}

export interface UnmappedGrade {
	/** As the roster has it. */
	code: string;
	/** External id of its school. */
	school: string;
}

/** Rows or records, of which a person says what it means that somebody is not there. */
export const asList = (roster: Roster, completeness: 'whole' | 'partial'): Roster =>
	completeness === 'whole' ? roster : { ...roster, comesOnce: true };

/** How the rest of a roster that comes once is done. */
export const SAME_ROSTER = 'with this same roster: the next one may not hold these changes';

/** What a roster says about one kind in one school. */
export function completenessIn(
	{ completeness, completenessBySchool }: Roster,
	school: string,
	kind: Kind,
): Completeness {
	if (completenessBySchool === undefined) return completeness[kind];
	return completenessBySchool.get(school)?.[kind] ?? 'silent';
}
