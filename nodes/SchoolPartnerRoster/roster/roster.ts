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
 * What an export says about one kind: `whole`, what is not there is gone; `changes`, only what is said to be gone is gone
 * (a `delta` file, `completeness: partial`); `silent`, nothing is said about this kind (an optional file that is not there).
 */
export type Completeness = 'whole' | 'changes' | 'silent';

/** The same for every kind. */
export function ofEachKind(said: Completeness): Record<Kind, Completeness> {
	return { class: said, user: said, bond: said };
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

/** True where nothing is gone because it is not there: what this export says, the next one may not say again. */
export function isOfChanges({ completeness, completenessBySchool }: Roster): boolean {
	return completenessBySchool === undefined && !Object.values(completeness).includes('whole');
}

/** Whether the next export may not hold a change. A removal is done again from the ledger. */
export const isOnlyIn = (roster: Roster, { action }: { action: string }): boolean =>
	isOfChanges(roster) && action !== 'remove';

/** How what an export of changes holds is done later. Trap: the next one does not hold what has not changed since. */
export const SAME_EXPORT = 'with this same export: the next one may not hold these changes any more';

/** Names of the files that the next export must have too. An export of changes has those in which something has changed. */
export function filesToHave(roster: Roster): string[] | undefined {
	return isOfChanges(roster) ? undefined : roster.files.map(({ name }) => name);
}

/** What a roster says about one kind in one school. */
export function completenessIn(
	{ completeness, completenessBySchool }: Roster,
	school: string,
	kind: Kind,
): Completeness {
	if (completenessBySchool === undefined) return completeness[kind];
	return completenessBySchool.get(school)?.[kind] ?? 'silent';
}
