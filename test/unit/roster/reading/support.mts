/** Small invented rosters, and a way to read them as a test wants to say it. */
import { strToU8, zipSync, type Zippable } from 'fflate';

import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';
import { readFiles, type FormatName } from '../../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import { readRecords } from '../../../../nodes/SchoolPartnerRoster/reading/readRecords.ts';
import { readRows, type Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { Fields, Kind } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { givenItems } from '../../../../nodes/SchoolPartnerRoster/run/readFiles.ts';
import { settingsOf } from '../../../../nodes/SchoolPartnerRoster/run/settings.ts';
import type { Failure } from '../../../../nodes/shared/failure.ts';

/** Lines of a file, the header first, by the name of the file. */
export type Lines = Record<string, string[]>;

/** A process that has all the time in the world, on 15 March 2026. */
export const host = { pause: () => Promise.resolve(), clock: () => Date.UTC(2026, 2, 15) };

const NOTHING_FILLED_IN = settingsOf(
	'mapping',
	{ getNodeParameter: (() => ({})) as never, evaluateExpression: () => undefined, isTool: false },
	[{ json: {} }],
);

/** A mapping in which only this is filled in, read on the day of the {@link host}. */
export function mappingOf(filledIn: Partial<Mapping>): Mapping {
	const ofOptions = { userKeys: 'school', disabledUsers: 'keep' } as const;
	return { ...NOTHING_FILLED_IN, asOf: '2026-03-15', ...ofOptions, ...filledIn };
}

export const GRADES = mappingOf({
	grades: [
		{ gradeCode: '05', educationalStage: 'EF1', gradeName: '5º ano' },
		{ gradeCode: '06', educationalStage: 'EF2', gradeName: '6º ano' },
	],
});

/** One school, one class, a student with a guardian, a teacher; OneRoster 1.2. */
export function oneRoster12(): Lines {
	return {
		'manifest.csv': [
			'propertyName,value',
			'manifest.version,1.0',
			'oneroster.version,1.2',
			...[
				'orgs',
				'academicSessions',
				'courses',
				'classes',
				'users',
				'roles',
				'enrollments',
				'demographics',
			].map((file) => `file.${file},bulk`),
			'file.results,absent',
		],
		'orgs.csv': [
			'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId',
			'net,,,Network,district,,',
			'sch-1,,,North School,school,1001,net',
		],
		'academicSessions.csv': [
			'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
			'y26,,,2026,schoolYear,2026-01-15,2026-12-15,,2026',
		],
		'courses.csv': [
			'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
			'co-1,,,y26,Mathematics,MAT,,net,,',
		],
		'classes.csv': [
			'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
			'cl-1,,,"Grade 5, room A",05,co-1,5A,homeroom,,sch-1,y26,,,',
		],
		'users.csv': [
			'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
			'st-1,,,true,nina,{CPF:00000000191},Nina,Prado,,A1,nina@school.example,,,gu-1,05,hunter2,,,,,sch-1,',
			'gu-1,,,true,rosa,,Rosa,Prado,,A2,,+55 11 95555-0123,,,,hunter2,,,,,,',
			'te-1,,,true,otto,,Otto,Reis,,A3,,,11 4444-0000,,,hunter2,,,,,,',
		],
		'roles.csv': [
			'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
			'r1,,,st-1,primary,student,,,sch-1,',
			'r2,,,gu-1,primary,guardian,,,net,',
			'r3,,,te-1,primary,teacher,2020-02-01,,sch-1,',
		],
		'enrollments.csv': [
			'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
			'e1,,,cl-1,sch-1,st-1,student,,2026-01-15,2026-12-15',
			'e2,,,cl-1,sch-1,te-1,teacher,true,,',
		],
		'demographics.csv': [
			'sourcedId,status,dateLastModified,birthDate,sex,asian',
			'st-1,,,2015-05-20,female,secret-race',
		],
	};
}

/** The same as OneRoster 1.1. */
export function oneRoster11(): Lines {
	const { 'roles.csv': _roles, ...files } = oneRoster12();
	files['manifest.csv'] = files['manifest.csv']
		.filter((line) => !line.startsWith('file.roles'))
		.map((line) => line.replace('version,1.2', 'version,1.1'));
	files['users.csv'] = [
		'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
		'st-1,,,true,sch-1,student,nina,{CPF:00000000191},Nina,Prado,,A1,nina@school.example,,,gu-1,05,hunter2',
		'gu-1,,,true,net,guardian,rosa,,Rosa,Prado,,A2,,+55 11 95555-0123,,,,hunter2',
		'te-1,,,true,sch-1,teacher,otto,,Otto,Reis,,A3,,,11 4444-0000,,,hunter2',
	];
	return files;
}

/** The same as SDS v2.1. */
export function sds21(): Lines {
	return {
		'orgs.csv': [
			'sourcedId,name,type,parentSourcedId',
			'net,Network,district,',
			'sch-1,North School,school,net',
		],
		'academicSessions.csv': [
			'sourcedId,title,type,schoolYear,startDate,endDate',
			'y26,2026,schoolYear,2026,2026-01-15,2026-12-15',
		],
		'courses.csv': [
			'sourcedId,orgSourcedId,title,code,schoolYearSourcedId,subject,grade',
			'co-1,net,Mathematics,MAT,y26,10,05',
		],
		'classes.csv': [
			'sourcedId,orgSourcedId,title,code,sessionSourcedIds,courseSourcedId',
			'cl-1,sch-1,"Grade 5, room A",5A,y26,co-1',
		],
		'users.csv': [
			'sourcedId,username,givenName,familyName,password,activeDirectoryMatchId,email,phone,sms,userNumber',
			'st-1,nina,Nina,Prado,hunter2,,nina@school.example,,,A1',
			'gu-1,rosa,Rosa,Prado,hunter2,,,,+55 11 95555-0123,A2',
			'te-1,otto,Otto,Reis,hunter2,,,11 4444-0000,,A3',
		],
		'roles.csv': [
			'userSourcedId,orgSourcedId,role,sessionSourcedId,grade,isPrimary,roleStartDate,roleEndDate',
			'st-1,sch-1,student,y26,05,TRUE,,',
			'te-1,sch-1,teacher,,,TRUE,2020-02-01,',
		],
		'relationships.csv': ['userSourcedId,relationshipUserSourcedId,relationshipRole', 'st-1,gu-1,guardian'],
		'enrollments.csv': ['classSourcedId,userSourcedId,role', 'cl-1,st-1,student', 'cl-1,te-1,teacher'],
		'demographics.csv': ['userSourcedId,sex,birthDate,raceCodes', 'st-1,female,2015-05-20,secret-race'],
	};
}

export function bytesOf(lines: Lines): Array<{ name: string; bytes: Uint8Array }> {
	return Object.entries(lines).map(([name, content]) => ({
		name,
		bytes: strToU8(`${content.join('\n')}\n`),
	}));
}

export function zipOf(lines: Lines, folder = ''): Uint8Array {
	const files: Zippable = Object.fromEntries(
		bytesOf(lines).map(({ name, bytes }) => [`${folder}${name}`, bytes]),
	);
	return zipSync(files);
}

/** What a roster says; fails the test when reading stops. */
export async function rosterOf(
	files: Lines | Array<{ name: string; bytes: Uint8Array }>,
	mapping: Partial<Mapping> = GRADES,
	format: FormatName = 'automatic',
): Promise<Roster> {
	const given = Array.isArray(files) ? files : bytesOf(files);
	const read = await readFiles(given, mappingOf(mapping), format, host);
	if (!read.ok) throw new Error(`It stopped: ${read.failure.message}`);
	return read.value;
}

/** What the rows of a sheet say. */
export async function rows(
	all: Array<Row | undefined>,
	mapping: Partial<Mapping> = {},
	completeness: 'whole' | 'partial' = 'whole',
): Promise<Roster> {
	return await readRows(all, { ...GRADES, ...mapping }, completeness, host);
}

/** The same over Read Files and Records, where what is missing has left. */
export async function overRecords(roster: Roster): Promise<Roster> {
	const items = JSON.parse(JSON.stringify([...givenItems(roster)])) as Array<Record<string, unknown>>;
	return await readRecords(items, 'school', 'whole', host);
}

/** Why reading stops; fails the test when it does not. */
export async function stopOf(
	files: Lines | Array<{ name: string; bytes: Uint8Array }>,
	mapping: Mapping = GRADES,
	format: FormatName = 'automatic',
): Promise<Failure> {
	const read = await readFiles(Array.isArray(files) ? files : bytesOf(files), mapping, format, host);
	if (read.ok) throw new Error('It did not stop.');
	return read.failure;
}

/** The bodies of one kind, by their ids. */
export function bodies(roster: Roster, kind: Kind): Record<string, Fields> {
	const records = roster.records.filter((record) => record.kind === kind);
	const idOf = (fields: Fields) =>
		[fields.external_id ?? [fields.class_external_id, fields.user_external_id]].flat().join(' ');
	return Object.fromEntries(records.map(({ fields }) => [idOf(fields), fields]));
}

/** The finding of that code; nothing when there is none. */
export function finding(roster: Roster, code: string) {
	return roster.findings.find((one) => one.code === code);
}

/** A roster in which a line of a file is another. */
export function changed(
	lines: Lines,
	file: string,
	change: (line: string, index: number) => string | undefined,
): Lines {
	const content = lines[file].map(change).filter((line): line is string => line !== undefined);
	return { ...lines, [file]: content };
}

/** A roster with further lines in a file. */
export function extended(lines: Lines, file: string, ...more: string[]): Lines {
	return { ...lines, [file]: [...lines[file], ...more] };
}
