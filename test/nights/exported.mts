/** What the network's system exports: OneRoster 1.1, all of it, every night. */
import { isoDay } from './calendar.mts';
import type { Customs, Network, Person, SchoolClass } from './network.mts';

export type Row = Record<string, string>;

/** The rows of each file, before mistakes are made in them. */
export interface Export {
	orgs: Row[];
	academicSessions: Row[];
	classes: Row[];
	users: Row[];
	demographics: Row[];
	enrollments: Row[];
}

export type FileName = keyof Export;

const ROLES = { student: 'student', guardian: 'guardian', teacher: 'teacher' };

/** Of a person's number: eleven digits, as the phones of Brazil have them. */
export const phoneOf = (number: number) => `119${String(number).padStart(8, '0')}`;

export function exportOf(network: Network): Export {
	const { classes, nextClasses, schools, people } = network;
	const all = [...classes, ...nextClasses];
	const years = [...new Set(all.map(({ year }) => year))];
	const everybody = [...people];
	return {
		orgs: schools.map((id) => ({ sourcedId: id, name: `School ${id}`, type: 'school' })),
		academicSessions: years.map((year) => ({
			...{ sourcedId: `year-${year}`, title: String(year), type: 'schoolYear', schoolYear: String(year) },
			...{ startDate: `${year}-02-01`, endDate: `${year}-12-18`, parentSourcedId: '' },
		})),
		classes: all.map(classRow),
		users: everybody.map((person) => userRow(person, network.hasEmails)),
		demographics: everybody.map(({ id, birthDate }) => ({ sourcedId: id, birthDate })),
		enrollments: everybody.flatMap(enrollmentRows),
	};
}

function classRow({ id, school, year, grade, letter }: SchoolClass): Row {
	return {
		...{ sourcedId: id, title: `${grade}º ano ${letter}`, grades: String(grade), courseSourcedId: '' },
		...{ classCode: `${grade}${letter}`, classType: 'homeroom', schoolSourcedId: school },
		termSourcedIds: `year-${year}`,
	};
}

function schoolsOf(person: Person): string[] {
	return person.schools;
}

function userRow(person: Person, hasEmail: boolean): Row {
	const { id, role, firstName, lastName, email, number, guardians } = person;
	return {
		...{ sourcedId: id, enabledUser: 'true', orgSourcedIds: schoolsOf(person).join(','), role: ROLES[role] },
		...{ username: id, userIds: '', givenName: firstName, familyName: lastName, identifier: '' },
		...{
			email: hasEmail ? email : '',
			sms: '',
			phone: phoneOf(number),
			agentSourcedIds: guardians.map((one) => one.id).join(','),
		},
		grades: '',
	};
}

function enrollmentRows({ id, role, classes, nextClass }: Person): Row[] {
	return [...classes, ...(nextClass === undefined ? [] : [nextClass])].map((ofClass) => ({
		...{ sourcedId: `${ofClass.id}-${id}`, classSourcedId: ofClass.id, schoolSourcedId: ofClass.school },
		...{ userSourcedId: id, role: ROLES[role], primary: 'false', beginDate: '', endDate: '' },
	}));
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

function csvOf(rows: readonly Row[], columns: readonly string[]): string {
	const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
	return [columns.join(','), ...lines, ''].join('\r\n');
}

const COLUMNS: Record<FileName, string> = {
	orgs: 'sourcedId name type',
	academicSessions: 'sourcedId title type startDate endDate parentSourcedId schoolYear',
	classes: 'sourcedId title grades courseSourcedId classCode classType schoolSourcedId termSourcedIds',
	users:
		'sourcedId enabledUser orgSourcedIds role username userIds givenName familyName identifier email sms phone agentSourcedIds grades',
	demographics: 'sourcedId birthDate',
	enrollments: 'sourcedId classSourcedId schoolSourcedId userSourcedId role primary beginDate endDate',
};

/** The files as the roster node gets them. */
export function filesOf(all: Export): Array<{ name: string; bytes: Uint8Array }> {
	const names = Object.keys(COLUMNS) as FileName[];
	const manifest = [
		{ propertyName: 'manifest.version', value: '1.0' },
		{ propertyName: 'oneroster.version', value: '1.1' },
		...names.map((name) => ({ propertyName: `file.${name}`, value: 'bulk' })),
	];
	const files = [
		...names.map((name) => ({ name, text: csvOf(all[name], COLUMNS[name].split(' ')) })),
		{ name: 'manifest', text: csvOf(manifest, ['propertyName', 'value']) },
	];
	return files.map(({ name, text }) => ({ name: `${name}.csv`, bytes: new TextEncoder().encode(text) }));
}

const CLASS_IDS_FROM = {
	sourcedIds: 'sourcedId',
	codes: 'identifier',
	codesWithYear: 'identifierAndYear',
} as const;

/** How the export is meant, as the panel's Mapping says it. */
export const mappingOn = (
	time: number,
	grades: number,
	classIds: NonNullable<Customs['classIds']> = 'sourcedIds',
) => ({
	asOf: isoDay(time),
	classIdFrom: CLASS_IDS_FROM[classIds],
	grades: Array.from({ length: grades }, (_, place) => ({
		...{ gradeCode: String(place + 1), educationalStage: 'EF', gradeName: `${place + 1}º ano` },
	})),
});
