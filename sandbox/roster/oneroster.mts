/** OneRoster 1.1 and 1.2, CSV, bulk: `status` and `dateLastModified` are empty, as the standard wants them there. */
import { table, type Rows, type Table } from './csv.mts';
import { bondKey, type Roster, type RosterPerson } from './roster.mts';
import { sessionsOf, yearSession } from './sessions.mts';

export type OneRosterVersion = '1.1' | '1.2';

const STATUS = 'status dateLastModified';

const USERS: Readonly<Record<OneRosterVersion, string>> = {
	'1.1':
		`sourcedId ${STATUS} enabledUser orgSourcedIds role username userIds givenName familyName middleName ` +
		'identifier email sms phone agentSourcedIds grades password',
	'1.2':
		`sourcedId ${STATUS} enabledUser username userIds givenName familyName middleName identifier email sms ` +
		'phone agentSourcedIds grades password userMasterIdentifier preferredGivenName preferredMiddleName ' +
		'preferredFamilyName primaryOrgSourcedId pronouns',
};

const DEMOGRAPHICS =
	`sourcedId ${STATUS} birthDate sex americanIndianOrAlaskaNative asian blackOrAfricanAmerican ` +
	'nativeHawaiianOrOtherPacificIslander white demographicRaceTwoOrMoreRaces hispanicOrLatinoEthnicity ' +
	'countryOfBirthCode stateOfBirthAbbreviation cityOfBirth publicSchoolResidenceStatus';

/** The files of an export, the manifest first. */
export function oneRosterTables(roster: Roster, version: OneRosterVersion): Table[] {
	const tables = [
		table('orgs.csv', `sourcedId ${STATUS} name type identifier parentSourcedId`, () => orgs(roster)),
		table(
			'academicSessions.csv',
			`sourcedId ${STATUS} title type startDate endDate parentSourcedId schoolYear`,
			() => sessionsOf(roster.year),
		),
		table(
			'courses.csv',
			`sourcedId ${STATUS} schoolYearSourcedId title courseCode grades orgSourcedId subjects subjectCodes`,
			() => courses(roster),
		),
		table(
			'classes.csv',
			`sourcedId ${STATUS} title grades courseSourcedId classCode classType location schoolSourcedId ` +
				'termSourcedIds subjects subjectCodes periods',
			() => classes(roster),
		),
		table('users.csv', USERS[version], () => users(roster)),
		...(version === '1.1' ? [] : [rolesTable(roster)]),
		table(
			'enrollments.csv',
			`sourcedId ${STATUS} classSourcedId schoolSourcedId userSourcedId role primary beginDate endDate`,
			() => enrollments(roster),
		),
		table('demographics.csv', DEMOGRAPHICS, () => demographics(roster)),
	];
	return [manifest(version, tables), ...tables];
}

/** Every file that the standard knows, by version; what is not in the export is `absent`. */
const KNOWN_FILES: Readonly<Record<OneRosterVersion, string>> = {
	'1.1':
		'academicSessions categories classes classResources courses courseResources demographics enrollments ' +
		'lineItems orgs resources results users',
	'1.2':
		'academicSessions categories classes classResources courses courseResources demographics enrollments ' +
		'lineItemLearningObjectiveIds lineItems lineItemScoreScales orgs resources resultLearningObjectiveIds ' +
		'results resultScoreScales roles scoreScales userProfiles userResources users',
};

function manifest(version: OneRosterVersion, tables: readonly Table[]): Table {
	const isThere = (file: string): boolean => tables.some(({ name }) => name === `${file}.csv`);
	const properties = [
		['manifest.version', '1.0'],
		['oneroster.version', version],
		...KNOWN_FILES[version].split(' ').map((file) => [`file.${file}`, isThere(file) ? 'bulk' : 'absent']),
		['source.systemName', 'School partner sandbox'],
		['source.systemCode', 'sandbox'],
	];
	return table('manifest.csv', 'propertyName value', () =>
		properties.map(([propertyName, value]) => ({ propertyName, value })),
	);
}

function* orgs({ network, schools }: Roster): Rows {
	yield { sourcedId: network.id, name: network.name, type: 'district' };
	for (const { id, name } of schools)
		yield { sourcedId: id, name, type: 'school', identifier: id, parentSourcedId: network.id };
}

function* courses({ courses: all, network, year }: Roster): Rows {
	for (const { id, title, code, grade } of all.values())
		yield {
			sourcedId: id,
			schoolYearSourcedId: yearSession(year),
			title,
			courseCode: code,
			grades: grade,
			orgSourcedId: network.id,
		};
}

function* classes({ classes: all, year }: Roster): Rows {
	const terms = sessionsOf(year).filter(({ type }) => type === 'semester');
	const termSourcedIds = terms.map(({ sourcedId }) => sourcedId).join(',');
	for (const { id, name, grade, course, code, school } of all.values())
		yield {
			sourcedId: id,
			title: name,
			grades: grade,
			courseSourcedId: course,
			classCode: code,
			classType: 'homeroom',
			schoolSourcedId: school,
			termSourcedIds,
		};
}

/** Each version takes what its header has. */
function* users(roster: Roster): Rows {
	const gradesOf = gradesOfStudents(roster);
	for (const person of roster.people.values())
		yield {
			sourcedId: person.id,
			enabledUser: 'true',
			orgSourcedIds: person.schools.join(','),
			primaryOrgSourcedId: person.schools[0],
			role: person.role,
			username: person.username,
			userIds: `{TAX_ID:${person.document}}`,
			givenName: person.firstName,
			familyName: person.lastName,
			identifier: person.document,
			email: person.email,
			sms: person.phone,
			agentSourcedIds: person.agents.join(','),
			grades: gradesOf.get(person.id) ?? '',
		};
}

const rolesTable = (roster: Roster): Table =>
	table(
		'roles.csv',
		`sourcedId ${STATUS} userSourcedId roleType role beginDate endDate orgSourcedId userProfileSourcedId`,
		() => roles(roster),
	);

function* roles({ people }: Roster): Rows {
	for (const { id, role, schools } of people.values())
		for (const [index, school] of schools.entries())
			yield {
				sourcedId: `${id}.${school}`,
				userSourcedId: id,
				roleType: index === 0 ? 'primary' : 'secondary',
				// 1.2 tells administrators of a school from those of a district; in a class they are what they were.
				role: role === 'administrator' ? 'siteAdministrator' : role,
				orgSourcedId: school,
			};
}

function* enrollments({ bonds, classes: all }: Roster): Rows {
	for (const bond of bonds.values())
		yield {
			sourcedId: bondKey(bond),
			classSourcedId: bond.class,
			schoolSourcedId: all.get(bond.class)?.school ?? '',
			userSourcedId: bond.person,
			role: bond.role,
			// Begin and end stay empty: an export of a past school year would otherwise read as one that everybody left.
			primary: bond.role === 'teacher' ? 'true' : '',
		};
}

function* demographics({ people }: Roster): Rows {
	for (const { id, birthDate } of people.values()) yield { sourcedId: id, birthDate };
}

/** The grade of a student is that of the class. */
export function gradesOfStudents({ bonds, classes: all }: Roster): Map<RosterPerson['id'], string> {
	const found = new Map<string, string>();
	for (const { class: classId, person, role } of bonds.values())
		if (role === 'student') found.set(person, all.get(classId)?.grade ?? '');
	return found;
}
