/** The schools of a person. */
import { compared } from '../ledger/row';
import type { Cause } from '../roster/findings';

import { OTHER_ROLES, studentWithoutSchool, unmapped, withoutRole } from './peopleCauses';
import { blame, schoolsOf, type Person } from './person';
import { cellOf, placeOf, type RosterReading } from './reading';
import type { Role } from './roles';
import { noSchool, type Schools } from './schools';
import type { Table } from './table';

/** The schools of a person by its own roles. Whoever is only responsible may have none: see `placeResponsible`. */
export function place(person: Person, reading: RosterReading, schools: Schools): void {
	const { findings } = reading;
	const table = reading.tables.users as Table;
	const source = placeOf(table, person.row);
	const held = person.roles.filter(({ when }) => when === 'now');
	const isMapped = ({ profile }: Role) => profile !== undefined && profile !== '';
	const mapped = held.filter(isMapped);
	if (person.state === 'here' && mapped.length === 0 && person.causes === undefined) {
		if (held.some(({ profile }) => profile === undefined))
			for (const cause of unmapped(held)) blame(person, cause);
		else if (held.length > 0) person.state = 'out';
		else if (person.roles.some(({ when }) => when === 'ended')) person.state = 'gone';
		else if (person.roles.length > 0) person.state = 'later';
		else blame(person, withoutRole);
	} else if (person.state === 'here') {
		for (const cause of unmapped(held))
			findings.add({ ...cause, severity: 'warning', what_to_do: OTHER_ROLES }, source);
	}
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
	const problems: Cause[] = [];
	for (const { org, profile } of isPrimaryFirst) {
		const school = schools.of(org);
		if (school.cause === undefined) {
			person.schools.push({ school: school.id, profile: profile as string });
			person.mainSchool ??= school.id;
		} else if (org !== '' || profile !== 'responsible') {
			problems.push(school.cause);
		}
	}
	if (person.state === 'here' && person.schools.length === 0 && !mapped.some(isResponsible)) {
		for (const cause of problems) blame(person, cause);
	}
}

const isResponsible = ({ profile }: Role) => profile === 'responsible';

/** Whoever is responsible for somebody is so in the school of the student. */
export function placeResponsible(person: Person, schools: Schools): void {
	const own = person.roles.filter((role) => isResponsible(role) && role.when === 'now');
	if (own.length === 0 || person.state !== 'here') return;
	const students = person.students?.filter(({ state }) => state === 'here') ?? [];
	const theirs = [...new Set(students.flatMap(schoolsOf))].sort();
	for (const school of theirs) person.schools.push({ school, profile: 'responsible' });
	person.mainSchool ??= theirs[0];
	if (person.mainSchool !== undefined) return;
	const problems = own
		.filter(({ org }) => org !== '')
		.flatMap(({ org }) => {
			const school = schools.of(org);
			return school.cause === undefined || school.cause === noSchool ? [] : [school.cause];
		});
	if (problems.length > 0) blame(person, problems[0]);
	else if (students.length > 0) blame(person, studentWithoutSchool);
	else person.state = 'out';
}
