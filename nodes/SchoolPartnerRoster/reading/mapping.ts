/** How a roster is mapped onto the service: what the collection "Mapping" of the panel holds, as plain data. */
import type { UserKeys } from '../ledger/key';

import { readDate, type DateFormat } from './dates';

export interface GradeRow {
	/** The code in the files, for example `05` or `KG`; upper and lower case are the same. */
	gradeCode: string;
	/** `name` of the service's educational stage; empty, as the grade: classes of this grade are left out on purpose. */
	educationalStage: string;
	/** `name` of the service's grade in it. */
	gradeName: string;
	/** The school that the row is for, by its external id; empty: every school. A row for one school beats a row for all. */
	schoolExternalId?: string;
}

/** What a person says about how the files are meant. The settings check it, and fill in what is left empty. */
export interface Mapping {
	grades: readonly GradeRow[];
	/**
	 * Roles in the files, in upper or lower case, and the `type` of the service's profile; empty: whoever has this role is left out on purpose, without
	 * a finding. Beside the built-in ones: student → student; parent, guardian, relative → responsible; teacher → educator.
	 */
	roles: ReadonlyArray<{ role: string; profile: string }>;
	/** Schools whose code in the roster is not their external id in the service. */
	schools: ReadonlyArray<{ schoolCode: string; schoolExternalId: string }>;
	/** Which column of orgs.csv is the school's external id. SDS has no `identifier` of schools. */
	schoolIdFrom: 'sourcedId' | 'identifier';
	/**
	 * Which column of classes.csv is the class's external id; `identifier`: its class code, which is unique in a school only; `identifierAndYear`: class
	 * code and year, for codes that come again each year. Of a sheet the last says that the year stands behind the id of the column.
	 */
	classIdFrom: 'sourcedId' | 'identifier' | 'identifierAndYear';
	/** Which column of users.csv is the person's external id (`identifier` of SDS: userNumber). */
	userIdFrom: 'sourcedId' | 'identifier' | 'username';
	/** Of responsible persons in rows: their column; a digest of their document, so that siblings share a mother; or the student's id and their place. */
	responsibleIds: 'column' | 'document' | 'student';
	/** OneRoster: which classes count. */
	classTypes: ReadonlyArray<'homeroom' | 'scheduled'>;
	/** The year of a class: `schoolYear` as it is given, or the year in which that school year begins or ends. */
	yearFrom: 'asGiven' | 'start' | 'end';
	/** The year of every class, whatever the files say. */
	year?: number;
	/** The day, YYYY-MM-DD, on which enrollments and roles must run to count. */
	asOf: string;
	/** How dates are written in the files. YYYY-MM-DD is always understood. */
	dateFormat: DateFormat;
	/** `document_type` of every person whose document is in the files; empty: documents are not read. */
	documentType: string;
	/** Where its number stands: `identifier`, `userIds` (the entry of that type), or an extension column, `metadata.…`. */
	documentFrom: string;
	/** `school`: a person in two schools is two users, one for each. `network`: one user, of the school that is marked as primary. */
	userKeys: UserKeys;
	/** OneRoster: what it means that `enabledUser` is false. */
	disabledUsers: 'keep' | 'hasLeft';
}

/** A mapping with its tables made ready for look-ups. */
export interface Rules extends Omit<Mapping, 'grades' | 'roles' | 'schools' | 'classTypes'> {
	/** The service's stage and grade for a code; nothing when no row is for it. */
	gradeOf(code: string, school: string): GradeRow | undefined;
	/** The external id of a school by its code in the roster: the code itself where no row is for it. */
	schoolOf(code: string): string;
	/** The service's profile for a role; '' when left out on purpose, nothing when no row is for it. */
	profileOf(role: string): string | undefined;
	/** YYYY-MM-DD of a cell; nothing when it is no date as the files write it. */
	dateOf(cell: string): string | undefined;
	classTypes: ReadonlySet<string>;
}

/** Whether classes of the grade are left out on purpose. */
export function isLeftOut({ educationalStage, gradeName }: GradeRow): boolean {
	return educationalStage.trim() === '' && gradeName.trim() === '';
}

const BUILT_IN: ReadonlyArray<[string, string]> = [
	['student', 'student'],
	['parent', 'responsible'],
	['guardian', 'responsible'],
	['relative', 'responsible'],
	['teacher', 'educator'],
];

const foldedCode = (code: string) => code.trim().toLowerCase();

export function rulesOf(mapping: Mapping): Rules {
	return {
		...mapping,
		...lookUpTables(mapping),
		classTypes: new Set(mapping.classTypes),
		dateOf: (cell) => readDate(cell, mapping.dateFormat),
	};
}

/** The tables of grades, schools and roles, ready for look-ups. */
function lookUpTables(mapping: Mapping): Pick<Rules, 'gradeOf' | 'schoolOf' | 'profileOf'> {
	const gradeKey = (code: string, school: string) => JSON.stringify([foldedCode(code), school]);
	const grades = new Map(
		mapping.grades.map((row) => [gradeKey(row.gradeCode, row.schoolExternalId?.trim() ?? ''), row] as const),
	);
	const schools = new Map(
		mapping.schools.map((row) => [row.schoolCode.trim(), row.schoolExternalId.trim()] as const),
	);
	const profiles = new Map([
		...BUILT_IN,
		...mapping.roles.map(({ role, profile }): [string, string] => [foldedCode(role), profile.trim()]),
	]);
	return {
		gradeOf: (code, school) => grades.get(gradeKey(code, school)) ?? grades.get(gradeKey(code, '')),
		schoolOf: (code) => schools.get(code) || code,
		profileOf: (role) => profiles.get(foldedCode(role)),
	};
}
