/** How a roster is mapped onto the service: what the collection "Mapping" of the panel holds, as plain data. */
import { failed, success, type Outcome } from '../../shared/failure';
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

/** What a person can say about how the files are meant. Everything may be left out. */
export interface Mapping {
	grades?: readonly GradeRow[];
	/**
	 * Roles in the files, in upper or lower case, and the `type` of the service's profile; empty: whoever has this role is left out on purpose, without
	 * a finding. Beside the built-in ones: student → student; parent, guardian, relative → responsible; teacher → educator.
	 */
	roles?: ReadonlyArray<{ role: string; profile: string }>;
	/** Schools whose code in the roster is not their external id in the service. */
	schools?: ReadonlyArray<{ schoolCode: string; schoolExternalId: string }>;
	/** Which column of orgs.csv is the school's external id. SDS has no `identifier` of schools. */
	schoolIdFrom?: 'sourcedId' | 'identifier';
	/**
	 * Which column of classes.csv is the class's external id; `identifier`: its class code, which is unique in a school only; `identifierAndYear`: class
	 * code and year, for codes that come again each year. Of a sheet the last says that the year stands behind the id of the column.
	 */
	classIdFrom?: 'sourcedId' | 'identifier' | 'identifierAndYear';
	/** Which column of users.csv is the person's external id (`identifier` of SDS: userNumber). */
	userIdFrom?: 'sourcedId' | 'identifier' | 'username';
	/** Of responsible persons in rows: their column; a digest of their document, so that siblings share a mother; or the student's id and their place. */
	responsibleIds?: 'column' | 'document' | 'student';
	/** OneRoster: which classes count. */
	classTypes?: ReadonlyArray<'homeroom' | 'scheduled'>;
	/** The year of a class: `schoolYear` as it is given, or the year in which that school year begins or ends. */
	yearFrom?: 'asGiven' | 'start' | 'end';
	/** The year of every class, whatever the files say. */
	year?: number;
	/** The day, YYYY-MM-DD, on which enrollments and roles must run to count; empty: today in UTC. */
	asOf?: string;
	/** How dates are written in the files. YYYY-MM-DD is always understood. */
	dateFormat?: DateFormat;
	/** `document_type` of every person whose document is in the files; empty: documents are not read. */
	documentType?: string;
	/** Where its number stands: `identifier`, `userIds` (the entry of that type), or an extension column, `metadata.…`. */
	documentFrom?: string;
	/** `school`: a person in two schools is two users, one for each. `network`: one user, of the school that is marked as primary. */
	userKeys?: UserKeys;
	/** OneRoster: what it means that `enabledUser` is false. */
	disabledUsers?: 'keep' | 'hasLeft';
}

/** A mapping with its tables made ready for look-ups and nothing left open. */
export interface Rules
	extends Required<Omit<Mapping, 'grades' | 'roles' | 'schools' | 'classTypes' | 'year'>> {
	/** The service's stage and grade for a code; nothing when no row is for it. */
	gradeOf(code: string, school: string): GradeRow | undefined;
	/** The external id of a school by its code in the roster: the code itself where no row is for it. */
	schoolOf(code: string): string;
	/** The service's profile for a role; '' when left out on purpose, nothing when no row is for it. */
	profileOf(role: string): string | undefined;
	/** YYYY-MM-DD of a cell; nothing when it is no date as the files write it. */
	dateOf(cell: string): string | undefined;
	classTypes: ReadonlySet<string>;
	year?: number;
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

/** @param today the day in UTC, YYYY-MM-DD, for a mapping that names none */
export function rulesOf(mapping: Mapping, today: string): Outcome<Rules> {
	const dateFormat = mapping.dateFormat ?? 'YYYY-MM-DD';
	const asOf = mapping.asOf?.trim() ? readDate(mapping.asOf, 'YYYY-MM-DD') : today;
	if (asOf === undefined) return refused('As Of', 'must be a date that exists, written as YYYY-MM-DD');
	const document = documentRules(mapping);
	if (document === undefined) {
		const expected = 'must be identifier, userIds or an extension column such as metadata.document';
		return refused('Document From', expected);
	}
	return success({
		...choicesOf(mapping),
		...lookUpTables(mapping),
		dateOf: remembering((cell) => readDate(cell, dateFormat)),
		asOf,
		dateFormat,
		...document,
	});
}

/** What is one of a few; the first of them where the mapping says nothing. */
const choicesOf = (mapping: Mapping) => ({
	schoolIdFrom: mapping.schoolIdFrom ?? 'sourcedId',
	classIdFrom: mapping.classIdFrom ?? 'sourcedId',
	userIdFrom: mapping.userIdFrom ?? 'sourcedId',
	responsibleIds: mapping.responsibleIds ?? 'column',
	classTypes: new Set<string>(mapping.classTypes ?? ['homeroom', 'scheduled']),
	yearFrom: mapping.yearFrom ?? 'asGiven',
	year: mapping.year,
	userKeys: mapping.userKeys ?? 'school',
	disabledUsers: mapping.disabledUsers ?? 'keep',
});

/** The tables of grades, schools and roles, ready for look-ups. */
function lookUpTables(mapping: Mapping): Pick<Rules, 'gradeOf' | 'schoolOf' | 'profileOf'> {
	const gradeKey = (code: string, school: string) => JSON.stringify([foldedCode(code), school]);
	const grades = new Map(
		mapping.grades?.map((row) => [gradeKey(row.gradeCode, row.schoolExternalId?.trim() ?? ''), row] as const),
	);
	const schools = new Map(
		mapping.schools?.map((row) => [row.schoolCode.trim(), row.schoolExternalId.trim()] as const),
	);
	const profiles = new Map([
		...BUILT_IN,
		...(mapping.roles ?? []).map(({ role, profile }): [string, string] => [foldedCode(role), profile.trim()]),
	]);
	return {
		gradeOf: (code, school) => grades.get(gradeKey(code, school)) ?? grades.get(gradeKey(code, '')),
		schoolOf: (code) => schools.get(code) || code,
		profileOf: (role) => profiles.get(foldedCode(role)),
	};
}

/** Where documents of people are read, and of which type they are; undefined for a column that holds none. */
function documentRules(mapping: Mapping): Pick<Rules, 'documentType' | 'documentFrom'> | undefined {
	const documentType = mapping.documentType?.trim() ?? '';
	const column = mapping.documentFrom?.trim() ?? '';
	if (documentType === '') return { documentType, documentFrom: '' };
	if (/^metadata\..+$/i.test(column)) return { documentType, documentFrom: column };
	const documentFrom = ['identifier', 'userIds'].find((name) => name.toLowerCase() === column.toLowerCase());
	return documentFrom === undefined ? undefined : { documentType, documentFrom };
}

/** A reader of dates that remembers: a roster has few days, in many rows. */
function remembering(dateOf: Rules['dateOf']): Rules['dateOf'] {
	const known = new Map<string, string | undefined>();
	return (cell) => {
		if (known.has(cell)) return known.get(cell);
		const date = dateOf(cell);
		// Bounded: a column of moments has a different one in every row.
		if (known.size < 10_000) known.set(cell, date);
		return date;
	};
}

function refused(label: string, message: string): Outcome<never> {
	return failed({
		origin: 'input',
		effect: 'none',
		code: 'mapping',
		message: `${label} ${message}`,
		next: 'Change it under Mapping in this node. Nothing was read.',
	});
}
