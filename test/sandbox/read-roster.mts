/** What a roster says, in the service's words: read by a few lines of the test's own, from the formats' descriptions. */
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import type { BondState } from '../../sandbox/admin-types.mts';
import type { RosterMapping } from '../../sandbox/roster/mapping.mts';
import type { RosterFormat } from '../../sandbox/roster-types.mts';

type Row = Record<string, string>;

export interface ReadClass {
	school_external_id: string;
	external_id: string;
	name: string;
	code: string;
	educational_stage: string;
	grade: string;
	year: number;
	course: string;
}

export interface ReadUser {
	school_external_id: string;
	external_id: string;
	first_name: string;
	last_name: string;
	birth_date: string;
	document_value: string;
	email: string;
	phone: string;
	profiles: string[];
	responsible_external_id: string[];
}

export interface ReadRoster {
	schools: string[];
	classes: ReadClass[];
	users: ReadUser[];
	bonds: BondState[];
}

/** The texts of the files in a zip, by name. */
export const filesOf = (zip: Uint8Array): Record<string, string> =>
	Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]));

export const rowsOf = (text: string): Row[] => parse(text, { columns: true });

/** Sorted, so that two of them can be compared. */
export function readRoster(zip: Uint8Array, format: RosterFormat, mapping: RosterMapping): ReadRoster {
	const files = Object.fromEntries(
		Object.entries(filesOf(zip)).map(([name, text]) => [name.replace('.csv', ''), rowsOf(text)]),
	);
	return sorted(format === 'sds' ? readSds(files, mapping) : readOneRoster(files, mapping));
}

const listOf = (cell: string): string[] => (cell === '' ? [] : cell.split(','));

function readOneRoster(files: Record<string, Row[]>, mapping: RosterMapping): ReadRoster {
	const births = new Map(files.demographics.map((row) => [row.sourcedId, row.birthDate]));
	const rolesOf = (row: Row): Array<[school: string, role: string]> =>
		files.roles
			? files.roles
					.filter(({ userSourcedId }) => userSourcedId === row.sourcedId)
					.map(({ orgSourcedId, role }) => [orgSourcedId, role])
			: listOf(row.orgSourcedIds).map((school) => [school, row.role]);
	return {
		schools: files.orgs.filter(({ type }) => type === 'school').map(({ sourcedId }) => sourcedId),
		classes: files.classes.map((row) => ({
			school_external_id: row.schoolSourcedId,
			external_id: row.sourcedId,
			name: row.title,
			code: row.classCode,
			...gradeOf(row.grades, mapping),
			year: Number(byId(files.academicSessions, listOf(row.termSourcedIds)[0]).schoolYear),
			course: byId(files.courses, row.courseSourcedId).title,
		})),
		users: files.users.flatMap((row) =>
			rolesOf(row).map(([school, role]) => ({
				school_external_id: school,
				external_id: row.sourcedId,
				first_name: row.givenName,
				last_name: row.familyName,
				birth_date: births.get(row.sourcedId) ?? '',
				document_value: row.identifier,
				email: row.email,
				phone: row.sms,
				profiles: [profileOf(role, mapping)],
				responsible_external_id: listOf(row.agentSourcedIds),
			})),
		),
		bonds: files.enrollments.map((row) => ({
			school_external_id: row.schoolSourcedId,
			class_external_id: row.classSourcedId,
			user_external_id: row.userSourcedId,
			profile_name: profileOf(row.role, mapping),
		})),
	};
}

function readSds(files: Record<string, Row[]>, mapping: RosterMapping): ReadRoster {
	const births = new Map(files.demographics.map((row) => [row.userSourcedId, row.birthDate]));
	const places = new Map<string, Map<string, string>>();
	const place = (user: string, school: string, role: string): void => {
		places.set(user, (places.get(user) ?? new Map<string, string>()).set(school, role));
	};
	for (const row of files.roles) place(row.userSourcedId, row.orgSourcedId, row.role);
	for (const row of files.relationships)
		for (const school of places.get(row.userSourcedId)?.keys() ?? [])
			place(row.relationshipUserSourcedId, school, row.relationshipRole);
	return {
		schools: files.orgs.filter(({ type }) => type === 'school').map(({ sourcedId }) => sourcedId),
		classes: files.classes.map((row) => ({
			school_external_id: row.orgSourcedId,
			external_id: row.sourcedId,
			name: row.title,
			code: row.code,
			...gradeOf(byId(files.courses, row.courseSourcedId).grade, mapping),
			year: Number(byId(files.academicSessions, row.sessionSourcedIds).schoolYear),
			course: byId(files.courses, row.courseSourcedId).title,
		})),
		users: files.users.flatMap((row) =>
			[...(places.get(row.sourcedId) ?? [])].map(([school, role]) => ({
				school_external_id: school,
				external_id: row.sourcedId,
				first_name: row.givenName,
				last_name: row.familyName,
				birth_date: births.get(row.sourcedId) ?? '',
				document_value: row.userNumber,
				email: row.email,
				phone: row.sms,
				profiles: [profileOf(role, mapping)],
				responsible_external_id: files.relationships
					.filter(({ userSourcedId }) => userSourcedId === row.sourcedId)
					.map(({ relationshipUserSourcedId }) => relationshipUserSourcedId),
			})),
		),
		bonds: files.enrollments.map((row) => ({
			school_external_id: byId(files.classes, row.classSourcedId).orgSourcedId,
			class_external_id: row.classSourcedId,
			user_external_id: row.userSourcedId,
			profile_name: profileOf(row.role, mapping),
		})),
	};
}

function byId(rows: readonly Row[], id: string): Row {
	const found = rows.find(({ sourcedId }) => sourcedId === id);
	if (!found) throw new Error(`There is no row with the sourcedId ${id}.`);
	return found;
}

function gradeOf(code: string, { grades }: RosterMapping): { educational_stage: string; grade: string } {
	const found = grades.grade.find(({ gradeCode }) => gradeCode === code);
	if (!found) throw new Error(`The mapping has no grade code ${code}.`);
	return { educational_stage: found.educationalStage, grade: found.gradeName };
}

/** Roles that need no row in the mapping: ROSTER.md, section 1. */
const BUILT_IN: Record<string, string> = {
	student: 'student',
	teacher: 'educator',
	parent: 'responsible',
	guardian: 'responsible',
	relative: 'responsible',
};

function profileOf(role: string, { roles }: RosterMapping): string {
	const profile = BUILT_IN[role] ?? roles.role.find((row) => row.role === role)?.profile;
	if (profile === undefined) throw new Error(`The mapping has no role ${role}.`);
	return profile;
}

const compare = (one: unknown, other: unknown): number =>
	JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

export function sorted(roster: ReadRoster): ReadRoster {
	const { schools, classes, users, bonds } = roster;
	return {
		schools: schools.toSorted(),
		classes: classes.toSorted(compare),
		users: users
			.map((user) => ({ ...user, responsible_external_id: user.responsible_external_id.toSorted() }))
			.toSorted(compare),
		bonds: bonds.toSorted(compare),
	};
}
