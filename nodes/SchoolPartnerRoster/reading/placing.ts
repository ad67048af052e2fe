/** The schools of a person. */
import { compared } from '../ledger/row';
import type { FindingType } from '../roster/finding';

import { blame, schoolsOf, type Person, type Role } from './person';
import type { RosterReading } from './reading';
import { schoolErrors, type Schools } from './schools';
import { cellOf, placeOf, type Table } from './table';
import { roleNotMapped, userErrors } from './userFindings';

const OTHER_ROLES =
	'Map it to a profile under Mapping → Roles, or to none to leave it out without a finding. The other roles of the person count.';

const isHeld = ({ when }: Role) => when === 'now';
const isMapped = ({ profile }: Role) => profile !== undefined && profile !== '';
const isResponsible = ({ profile }: Role) => profile === 'responsible';

/** The schools of a person by its own roles. Whoever is only responsible may have none: see `placeResponsible`. */
export function place(person: Person, reading: RosterReading, schools: Schools): void {
	const table = reading.tables.users as Table;
	const held = person.roles.filter(isHeld);
	const mapped = held.filter(isMapped);
	if (person.state === 'here') judgeRoles(person, held, reading);
	// Of somebody who is gone the last roles still tell where.
	const placed = person.state === 'gone' ? person.roles.filter(isMapped) : mapped;
	const primaryOrg = cellOf(table, 'primaryOrgSourcedId', person.row);
	const isPrimaryFirst = [...placed].sort(
		(one, other) =>
			Number(other.isPrimary) - Number(one.isPrimary) ||
			Number(other.org === primaryOrg) - Number(one.org === primaryOrg) ||
			// Trap: the order of rows is the exporter's, and OneRoster 1.2 has a primary role in each org. The smallest id is the same one tomorrow.
			compared(one.org, other.org),
	);
	const problems: FindingType[] = [];
	for (const { org, profile } of isPrimaryFirst) {
		const school = schools.of(org);
		if (school.cause === undefined) {
			person.schools.push({ school: school.id, profile: profile as string });
			person.mainSchool ??= school.id;
		} else if (org !== '' || profile !== 'responsible') problems.push(school.cause);
	}
	if (person.state === 'here' && person.schools.length === 0 && !mapped.some(isResponsible)) {
		for (const cause of problems) blame(person, cause);
	}
}

/** Whether the roles that a person holds today make it a user. */
function judgeRoles(person: Person, held: readonly Role[], { findings, tables }: RosterReading): void {
	const unmapped = held.filter(({ profile }) => profile === undefined).map(({ role }) => role.toLowerCase());
	const causes = [...new Set(unmapped)].map((role) => roleNotMapped('user', role));
	if (held.some(isMapped) || person.causes !== undefined) {
		const source = placeOf(tables.users as Table, person.row);
		for (const cause of causes)
			findings.add({ ...cause, kind: 'user', severity: 'warning', what_to_do: OTHER_ROLES }, source);
	} else if (causes.length > 0) for (const cause of causes) blame(person, cause);
	else if (held.length > 0) person.state = 'out';
	else if (person.roles.some(({ when }) => when === 'ended')) person.state = 'gone';
	else if (person.roles.length > 0) person.state = 'later';
	else blame(person, userErrors.userWithoutRole);
}

/** Whoever is responsible for somebody is so in the school of the student. */
export function placeResponsible(person: Person, schools: Schools): void {
	const own = person.roles.filter((role) => isResponsible(role) && isHeld(role));
	if (own.length === 0 || person.state !== 'here') return;
	const students = person.students?.filter(({ state }) => state === 'here') ?? [];
	const theirs = [...new Set(students.flatMap(schoolsOf))].sort();
	for (const school of theirs) person.schools.push({ school, profile: 'responsible' });
	person.mainSchool ??= theirs[0];
	if (person.mainSchool !== undefined) return;
	const problem = own
		.map(({ org }) => (org === '' ? undefined : schools.of(org).cause))
		.find((cause) => cause !== undefined && cause !== schoolErrors.orgIsNoSchool);
	if (problem !== undefined) blame(person, problem);
	else if (students.length > 0) blame(person, userErrors.studentWithoutSchool);
	else person.state = 'out';
}
