/** School Data Sync v2.1, CSV. Nothing says in the files themselves that they are whole: in this format they always are. */
import { table, type Rows, type Table } from './csv.mts';
import { gradesOfStudents } from './oneroster.mts';
import { isResponsible, type Roster } from './roster.mts';
import { sessionsOf, yearSession } from './sessions.mts';

/** The files of an export. A responsible person has no row in roles: the relationship says what it is to whom. */
export function sdsTables(roster: Roster): Table[] {
	return [
		table('orgs.csv', 'sourcedId name type parentSourcedId', () => orgs(roster)),
		table(
			'users.csv',
			'sourcedId username givenName familyName password activeDirectoryMatchId email phone sms userNumber',
			() => users(roster),
		),
		table(
			'roles.csv',
			'userSourcedId orgSourcedId role sessionSourcedId grade isPrimary roleStartDate roleEndDate',
			() => roles(roster),
		),
		table('classes.csv', 'sourcedId orgSourcedId title code sessionSourcedIds courseSourcedId', () =>
			classes(roster),
		),
		table('enrollments.csv', 'classSourcedId userSourcedId role', () => enrollments(roster)),
		table('academicSessions.csv', 'sourcedId title type schoolYear startDate endDate', () =>
			sessionsOf(roster.year),
		),
		table('courses.csv', 'sourcedId orgSourcedId title code schoolYearSourcedId subject grade', () =>
			courses(roster),
		),
		table('relationships.csv', 'userSourcedId relationshipUserSourcedId relationshipRole', () =>
			relationships(roster),
		),
		table(
			'demographics.csv',
			'userSourcedId sex birthDate birthCity birthState birthCountry ethnicityCodes raceCodes',
			() => demographics(roster),
		),
	];
}

function* orgs({ network, schools }: Roster): Rows {
	yield { sourcedId: network.id, name: network.name, type: 'district' };
	for (const { id, name } of schools)
		yield { sourcedId: id, name, type: 'school', parentSourcedId: network.id };
}

function* users({ people }: Roster): Rows {
	for (const { id, username, firstName, lastName, email, phone, document } of people.values())
		yield {
			sourcedId: id,
			username,
			givenName: firstName,
			familyName: lastName,
			email,
			sms: phone,
			userNumber: document,
		};
}

function* roles(roster: Roster): Rows {
	const gradesOf = gradesOfStudents(roster);
	for (const person of roster.people.values())
		if (!isResponsible(person))
			for (const [index, school] of person.schools.entries())
				yield {
					userSourcedId: person.id,
					orgSourcedId: school,
					role: person.role,
					sessionSourcedId: yearSession(roster.year),
					grade: gradesOf.get(person.id) ?? '',
					isPrimary: index === 0 ? 'TRUE' : 'FALSE',
				};
}

function* classes({ classes: all, year }: Roster): Rows {
	for (const { id, school, name, code, course } of all.values())
		yield {
			sourcedId: id,
			orgSourcedId: school,
			title: name,
			code,
			sessionSourcedIds: yearSession(year),
			courseSourcedId: course,
		};
}

function* enrollments({ bonds }: Roster): Rows {
	for (const { class: classSourcedId, person, role } of bonds.values())
		yield { classSourcedId, userSourcedId: person, role };
}

function* courses({ courses: all, network, year }: Roster): Rows {
	for (const { id, title, code, grade } of all.values())
		yield {
			sourcedId: id,
			orgSourcedId: network.id,
			title,
			code,
			schoolYearSourcedId: yearSession(year),
			grade,
		};
}

function* relationships({ people }: Roster): Rows {
	for (const { id, agents } of people.values())
		for (const agent of agents)
			yield {
				userSourcedId: id,
				relationshipUserSourcedId: agent,
				relationshipRole: people.get(agent)?.role ?? '',
			};
}

function* demographics({ people }: Roster): Rows {
	for (const { id, birthDate } of people.values()) yield { userSourcedId: id, birthDate };
}
