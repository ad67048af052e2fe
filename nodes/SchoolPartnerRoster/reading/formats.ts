/**
 * The formats, as data: which files there are, which of their columns are read, and by which name. All formats share one set of
 * names here (those of OneRoster), so that what stands behind a column is written once.
 */
import type { Rules } from './mapping';

/** One file of a format. */
export interface FileLayout {
	/** Names in the file, in its own order, and the name that we use. What is not named here is dropped while parsing. */
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
	/** Without these nothing is read, unless a manifest says that they are absent. */
	demanded: readonly FileName[];
	/** Files of the format that hold nothing for the service. */
	unread: readonly string[];
}

/** Columns under their own names. */
function own(...names: string[]): Record<string, string> {
	return Object.fromEntries(names.map((name) => [name, name]));
}

export const MANIFEST: FileLayout = {
	columns: own('propertyName', 'value'),
	needs: ['propertyName', 'value'],
};

/** The columns of users.csv that only some mappings need. */
function columnsFor(rules: Rules): string[] {
	return [
		...(rules.userIdFrom === 'username' ? ['username'] : []),
		...(rules.userIdFrom === 'identifier' || rules.documentFrom.toLowerCase() === 'identifier'
			? ['identifier']
			: []),
		...(rules.documentFrom.toLowerCase() === 'userids' ? ['userIds'] : []),
		...(isExtension(rules.documentFrom) ? [rules.documentFrom] : []),
	];
}

/** A column that the format leaves to its users. */
function isExtension(column: string): boolean {
	return /^metadata\./i.test(column);
}

const NAMES = ['givenName', 'familyName'];
const UNREAD_ONE_ROSTER = [
	'categories',
	'classResources',
	'courseResources',
	'lineItemLearningObjectiveIds',
	'lineItemScoreScales',
	'lineItems',
	'resources',
	'resultLearningObjectiveIds',
	'resultScoreScales',
	'results',
	'scoreScales',
	'userProfiles',
	'userResources',
];

/** OneRoster CSV Binding 1.1 and 1.2. */
export function oneRoster(version: '1.1' | '1.2', rules: Rules): Format {
	const extra = columnsFor(rules);
	const start = own('sourcedId', 'status');
	const person = own(
		'enabledUser',
		...(version === '1.1' ? ['orgSourcedIds', 'role'] : []),
		// 1.1 has a row for each role of a person: these two say that it is one.
		...(version === '1.1' || extra.includes('username') ? ['username'] : []),
		...(extra.includes('userIds') ? ['userIds'] : []),
		...NAMES,
		...(version === '1.1' || extra.includes('identifier') ? ['identifier'] : []),
		'email',
		'sms',
		'phone',
		'agentSourcedIds',
		'grades',
		...(version === '1.2' ? ['primaryOrgSourcedId'] : []),
	);
	return {
		name: `OneRoster ${version}`,
		files: {
			orgs: {
				columns: { ...start, ...own('type', ...(rules.schoolIdFrom === 'identifier' ? ['identifier'] : [])) },
				needs: ['sourcedId', 'type', ...(rules.schoolIdFrom === 'identifier' ? ['identifier'] : [])],
			},
			academicSessions: {
				columns: { ...start, ...own('type', 'startDate', 'endDate', 'parentSourcedId', 'schoolYear') },
				needs: ['sourcedId'],
			},
			courses: {
				columns: { ...start, ...own('schoolYearSourcedId', 'title', 'grades') },
				needs: ['sourcedId'],
			},
			classes: {
				columns: {
					...start,
					...own(
						'title',
						'grades',
						'courseSourcedId',
						'classCode',
						'classType',
						'schoolSourcedId',
						'termSourcedIds',
					),
				},
				needs: ['sourcedId', 'title', 'schoolSourcedId'],
			},
			users: {
				columns: { ...start, ...person, ...own(...extra.filter(isExtension)) },
				needs: ['sourcedId', ...NAMES, ...(version === '1.1' ? ['orgSourcedIds', 'role'] : []), ...extra],
			},
			...(version === '1.2' && {
				roles: {
					columns: own('status', 'userSourcedId', 'roleType', 'role', 'beginDate', 'endDate', 'orgSourcedId'),
					needs: ['userSourcedId', 'role', 'orgSourcedId'],
				},
			}),
			enrollments: {
				columns: own(
					'status',
					'classSourcedId',
					'schoolSourcedId',
					'userSourcedId',
					'role',
					'beginDate',
					'endDate',
				),
				needs: ['classSourcedId', 'userSourcedId', 'role'],
			},
			demographics: { columns: { ...start, ...own('birthDate') }, needs: ['sourcedId', 'birthDate'] },
		},
		demanded: version === '1.1' ? ['orgs', 'users'] : ['orgs', 'users', 'roles'],
		unread: UNREAD_ONE_ROSTER,
	};
}

/** Microsoft School Data Sync, CSV format v2.1. */
export function sds(rules: Rules): Format {
	const extra = columnsFor(rules);
	return {
		name: 'SDS v2.1',
		files: {
			orgs: {
				columns: own('sourcedId', 'type'),
				needs: ['sourcedId', 'type', ...(rules.schoolIdFrom === 'identifier' ? ['identifier'] : [])],
			},
			academicSessions: {
				columns: own('sourcedId', 'type', 'schoolYear', 'startDate', 'endDate'),
				needs: ['sourcedId'],
			},
			courses: {
				columns: { ...own('sourcedId', 'title', 'schoolYearSourcedId'), grade: 'grades' },
				needs: ['sourcedId'],
			},
			classes: {
				columns: {
					sourcedId: 'sourcedId',
					orgSourcedId: 'schoolSourcedId',
					title: 'title',
					code: 'classCode',
					sessionSourcedIds: 'termSourcedIds',
					courseSourcedId: 'courseSourcedId',
				},
				needs: ['sourcedId', 'title', 'schoolSourcedId'],
			},
			users: {
				columns: {
					...own(
						'sourcedId',
						...(extra.includes('username') ? ['username'] : []),
						...NAMES,
						'email',
						'phone',
						'sms',
					),
					...(extra.includes('identifier') && { userNumber: 'identifier' }),
					...own(...extra.filter(isExtension)),
				},
				needs: ['sourcedId', ...NAMES, ...extra],
			},
			roles: {
				columns: {
					...own('userSourcedId', 'orgSourcedId', 'role'),
					grade: 'grades',
					isPrimary: 'roleType',
					roleStartDate: 'beginDate',
					roleEndDate: 'endDate',
				},
				needs: ['userSourcedId', 'role', 'orgSourcedId'],
			},
			enrollments: {
				columns: own('classSourcedId', 'userSourcedId', 'role'),
				needs: ['classSourcedId', 'userSourcedId', 'role'],
			},
			relationships: {
				columns: own('userSourcedId', 'relationshipUserSourcedId', 'relationshipRole'),
				needs: ['userSourcedId', 'relationshipUserSourcedId', 'relationshipRole'],
			},
			demographics: {
				columns: { userSourcedId: 'sourcedId', birthDate: 'birthDate' },
				needs: ['sourcedId', 'birthDate'],
			},
		},
		demanded: ['orgs', 'users', 'roles'],
		unread: ['userFlags', 'courseSections', 'organizations'],
	};
}
