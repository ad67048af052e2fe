/**
 * The formats, as data: which files there are, which of their columns are read, and by which name. All formats share one set of
 * names here (those of OneRoster), so that what stands behind a column is written once.
 */
import type { Rules } from './mapping';

export interface FileLayout {
	/** Our names of the columns that are read, by their names in the file. Others are dropped while parsing. */
	columns: Readonly<Record<string, string>>;
	/** Our names of the columns that it cannot do without. */
	needs: readonly string[];
}

/** The files that are read, by their name without `.csv`. */
export const FILES = [
	'users',
	'roles',
	'relationships',
	'demographics',
	'orgs',
	'academicSessions',
	'courses',
	'classes',
	'enrollments',
] as const;

export type FileName = (typeof FILES)[number];

export interface Format {
	name: 'OneRoster 1.1' | 'OneRoster 1.2' | 'SDS v2.1';
	files: Partial<Record<FileName, FileLayout>>;
	/** Without these nothing is read. */
	demanded: readonly FileName[];
	/** Files of the format that hold nothing for the service. */
	unread: readonly string[];
}

/**
 * @param needed columns that the file cannot do without, with blanks between them
 * @param read columns that are read where they are there
 * @param chosen columns that the mapping needs; their names may hold blanks
 * @param namesInFile of the columns that the format calls otherwise than we do
 */
function layout(
	needed: string,
	read = '',
	chosen: readonly string[] = [],
	namesInFile: Readonly<Record<string, string>> = {},
): FileLayout {
	const needs = [...needed.split(' '), ...chosen];
	const names = [...needs, ...read.split(' ').filter((name) => name !== '')];
	return { columns: Object.fromEntries(names.map((name) => [namesInFile[name] ?? name, name])), needs };
}

/** Columns of users.csv that are sent as they stand, by the field of the service. */
export const USER_COLUMNS = { first_name: 'givenName', last_name: 'familyName', email: 'email' } as const;

const SENT_OF_USERS = Object.values(USER_COLUMNS).join(' ');

export const MANIFEST = layout('propertyName value');

/** The columns of users.csv that only some mappings need. */
function chosenForUsers({ userIdFrom, documentType, documentFrom }: Rules): string[] {
	const chosen = documentType === '' ? [userIdFrom] : [userIdFrom, documentFrom];
	return [...new Set(chosen)].filter((name) => name !== 'sourcedId');
}

const chosenForOrgs = ({ schoolIdFrom }: Rules) => (schoolIdFrom === 'identifier' ? ['identifier'] : []);

/** OneRoster CSV Binding 1.1 and 1.2. */
export function oneRoster(version: '1.1' | '1.2', rules: Rules): Format {
	const [neededOf, readOf] = version === '1.1' ? [' orgSourcedIds role', ''] : ['', ' primaryOrgSourcedId'];
	return {
		name: `OneRoster ${version}`,
		files: {
			orgs: layout('sourcedId type', 'status name', chosenForOrgs(rules)),
			academicSessions: layout('sourcedId', 'status type startDate endDate parentSourcedId schoolYear'),
			courses: layout('sourcedId', 'status schoolYearSourcedId title grades'),
			classes: layout(
				'sourcedId title schoolSourcedId',
				'status grades courseSourcedId classCode classType termSourcedIds',
			),
			users: layout(
				`sourcedId givenName familyName${neededOf}`,
				`status enabledUser ${SENT_OF_USERS} sms phone agentSourcedIds grades${readOf}`,
				chosenForUsers(rules),
			),
			...(version === '1.2' && {
				roles: layout('userSourcedId role orgSourcedId', 'status roleType beginDate endDate'),
			}),
			enrollments: layout('classSourcedId userSourcedId role', 'status schoolSourcedId beginDate endDate'),
			demographics: layout('sourcedId birthDate', 'status'),
		},
		demanded: version === '1.1' ? ['orgs', 'users'] : ['orgs', 'users', 'roles'],
		unread: [
			...['categories', 'classResources', 'courseResources', 'lineItemLearningObjectiveIds'],
			...['lineItemScoreScales', 'lineItems', 'resources', 'resultLearningObjectiveIds'],
			...['resultScoreScales', 'results', 'scoreScales', 'userProfiles', 'userResources'],
		],
	};
}

/** Microsoft School Data Sync, CSV format v2.1. */
export function sds(rules: Rules): Format {
	return {
		name: 'SDS v2.1',
		files: {
			orgs: layout('sourcedId type', 'name', chosenForOrgs(rules)),
			academicSessions: layout('sourcedId', 'type schoolYear startDate endDate'),
			courses: layout('sourcedId', 'title schoolYearSourcedId grades', [], { grades: 'grade' }),
			classes: layout('sourcedId title schoolSourcedId', 'classCode termSourcedIds courseSourcedId', [], {
				schoolSourcedId: 'orgSourcedId',
				classCode: 'code',
				termSourcedIds: 'sessionSourcedIds',
			}),
			users: layout('sourcedId givenName familyName', `${SENT_OF_USERS} phone sms`, chosenForUsers(rules), {
				identifier: 'userNumber',
			}),
			roles: layout('userSourcedId role orgSourcedId', 'grades roleType beginDate endDate', [], {
				grades: 'grade',
				roleType: 'isPrimary',
				beginDate: 'roleStartDate',
				endDate: 'roleEndDate',
			}),
			enrollments: layout('classSourcedId userSourcedId role'),
			relationships: layout('userSourcedId relationshipUserSourcedId relationshipRole'),
			demographics: layout('sourcedId birthDate', '', [], { sourcedId: 'userSourcedId' }),
		},
		demanded: ['orgs', 'users', 'roles'],
		unread: ['userFlags', 'courseSections', 'organizations'],
	};
}
