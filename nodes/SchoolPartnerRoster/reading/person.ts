/** A row of users.csv while it becomes a user: its roles, and the schools where it holds them. */
import { compared } from '../ledger/row';
import type { FindingType } from '../roster/finding';
import type { Place } from '../roster/record';

import type { RosterReading } from './reading';
import { schoolErrors, type Schools } from './schools';
import type { TableRow } from './table';
import { roleNotMapped, userErrors } from './userFindings';

/** A role in the words of the files. */
export interface Role {
	role: string;
	/** The service's profile; '' when left out on purpose, nothing when nobody said what it is. */
	profile: string | undefined;
	/** sourcedId of its org; '' for a role that is held wherever the student is. */
	org: string;
	isPrimary: boolean;
	when: 'now' | 'ended' | 'later';
}

export interface Person {
	row: TableRow;
	/** In the service; '' when the column that was chosen is empty. */
	id: string;
	/**
	 * `later`: no role has begun; `out`: left out on purpose, or responsible for nobody; `here` may still have problems.
	 */
	state: 'here' | 'gone' | 'later' | 'out';
	roles: Role[];
	/** The schools of its profiles, in the order of the roles: first the one that is marked as primary. */
	schools: Array<{ school: string; profile: string }>;
	// Trap: what few people have is not there for the others. A list for each of a hundred thousand is work for the memory.
	/** Why it cannot be sent, and where that stands last, if not in its own row. */
	problems?: Map<FindingType, Place | undefined>;
	students?: Person[];
	responsibles?: Person[];
	/** Somebody who is named as responsible is not in the file. */
	lacksResponsible?: true;
	grade?: string;
	birthDate?: string;
}

/** By the sourcedId of users.csv. */
export type PeopleById = ReadonlyMap<string, Person>;

/** Somebody cannot be sent. */
export function addProblem(person: Person, type: FindingType, place?: Place): void {
	(person.problems ??= new Map()).set(type, place);
}

/** Each school of a person once. */
export function schoolsOfPerson({ schools }: Person): string[] {
	return schools.length === 1 ? [schools[0].school] : [...new Set(schools.map(({ school }) => school))];
}

const OTHER_ROLES =
	'Map it to a profile under Mapping → Roles, or to none to leave it out without a finding. The other roles of the person count.';

const isCurrent = ({ when }: Role) => when === 'now';
const hasProfile = ({ profile }: Role) => profile !== undefined && profile !== '';
const isOfResponsible = ({ profile }: Role) => profile === 'responsible';

/** The schools of a person by its own roles. Whoever is only responsible may have none: see `placeResponsible`. */
export function placePerson(person: Person, reading: RosterReading, schools: Schools): void {
	const current = person.roles.filter(isCurrent);
	const mapped = current.filter(hasProfile);
	if (person.state === 'here') person.state = stateByRoles(person, current, reading);
	// Of somebody who is gone the last roles still tell where.
	const placed = person.state === 'gone' ? person.roles.filter(hasProfile) : mapped;
	const problems: FindingType[] = [];
	for (const { org, profile } of primaryFirst(placed, person.row.cell('primaryOrgSourcedId'))) {
		const school = schools.of(org);
		if (school.problem === undefined) person.schools.push({ school: school.id, profile: profile as string });
		else if (org !== '' || profile !== 'responsible') problems.push(school.problem);
	}
	const isNowhere = person.state === 'here' && person.schools.length === 0;
	if (isNowhere && !mapped.some(isOfResponsible)) for (const problem of problems) addProblem(person, problem);
}

function primaryFirst(roles: Role[], primaryOrg: string): Role[] {
	return roles.sort(
		(one, other) =>
			Number(other.isPrimary) - Number(one.isPrimary) ||
			Number(other.org === primaryOrg) - Number(one.org === primaryOrg) ||
			// Trap: the order of rows is the exporter's, and OneRoster 1.2 has a primary role in each org. The smallest id is the same one tomorrow.
			compared(one.org, other.org),
	);
}

/** Whether the roles that a person holds today make it a user. */
function stateByRoles(
	person: Person,
	current: readonly Role[],
	{ findings }: RosterReading,
): Person['state'] {
	const unmapped = current
		.filter(({ profile }) => profile === undefined)
		.map(({ role }) => role.toLowerCase());
	const problems = [...new Set(unmapped)].map((role) => roleNotMapped('user', role));
	if (current.some(hasProfile) || person.problems !== undefined) {
		for (const problem of problems)
			findings.add(
				{ ...problem, kind: 'user', severity: 'warning', what_to_do: OTHER_ROLES },
				person.row.place,
			);
	} else if (problems.length > 0) for (const problem of problems) addProblem(person, problem);
	else if (current.length > 0) return 'out';
	else if (person.roles.some(({ when }) => when === 'ended')) return 'gone';
	else if (person.roles.length > 0) return 'later';
	else addProblem(person, userErrors.userWithoutRole);
	return 'here';
}

/** Whoever is responsible for somebody is so in the school of the student. */
export function placeResponsible(person: Person, schools: Schools): void {
	const own = person.roles.filter((role) => isOfResponsible(role) && isCurrent(role));
	if (own.length === 0 || person.state !== 'here') return;
	const students = person.students?.filter(({ state }) => state === 'here') ?? [];
	const theirs = [...new Set(students.flatMap(schoolsOfPerson))].sort();
	for (const school of theirs) person.schools.push({ school, profile: 'responsible' });
	if (person.schools.length > 0) return;
	const problem = own
		.map(({ org }) => (org === '' ? undefined : schools.of(org).problem))
		.find((type) => type !== undefined && type !== schoolErrors.orgIsNoSchool);
	if (problem !== undefined) addProblem(person, problem);
	else if (students.length > 0) addProblem(person, userErrors.studentWithoutSchool);
	else person.state = 'out';
}
