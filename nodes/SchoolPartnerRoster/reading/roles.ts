/** Who holds which role, where and when: in users.csv (OneRoster 1.1), in roles.csv (1.2, SDS), or by a relationship alone (SDS). */
import type { Place } from '../roster/record';

import { readDate } from './dates';
import type { Cause } from '../roster/findings';
import { responsibleWithoutId } from './peopleCauses';
import { blame, type Person } from './person';
import {
	cellOf,
	dateNotRead,
	listOf,
	placeOf,
	remembering,
	standings,
	whenIs,
	type RosterReading,
} from './reading';

const RESPONSIBLE = 'responsible';

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

/** Gives every person the roles that the files say. */
export async function readRoles(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	if (reading.format === 'OneRoster 1.1') await rolesOfUsers(reading, people);
	else await rolesOfRoles(reading, people);
	await relationships(reading, people);
}

async function rolesOfUsers(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	const { users } = reading.tables;
	const everybody = [...people.values()];
	await reading.turns.forEach(everybody.length, (index) => {
		const person = everybody[index];
		const role = cellOf(users, 'role', person.row);
		if (role === '') return;
		const profile = reading.rules.profileOf(role);
		for (const [place, org] of listOf(cellOf(users, 'orgSourcedIds', person.row)).entries()) {
			person.roles.push({ role, profile, org, isPrimary: place === 0, when: 'now' });
		}
		if (person.roles.length === 0)
			person.roles.push({ role, profile, org: '', isPrimary: true, when: 'now' });
	});
}

async function rolesOfRoles(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	const { roles } = reading.tables;
	if (roles === undefined) return;
	const { rules, findings } = reading;
	const standing = await standings(reading, 'roles', 'user');
	const dateOf = remembering((cell) => readDate(cell, rules.dateFormat));
	const notRead = dateNotRead(roles.file, 'the begin or end of a role', rules.dateFormat);
	await reading.turns.forEach(roles.size, (row) => {
		const person = people.get(cellOf(roles, 'userSourcedId', row));
		if (person === undefined) return findings.add(roleOfNobody, placeOf(roles, row));
		if (standing[row] === 'unusable') blame(person, roleUnusable, placeOf(roles, row));
		const when =
			standing[row] === 'gone'
				? 'ended'
				: whenIs(cellOf(roles, 'beginDate', row), cellOf(roles, 'endDate', row), rules.asOf, dateOf);
		if (when === 'unreadable') {
			blame(person, notRead, placeOf(roles, row));
			return;
		}
		const role = cellOf(roles, 'role', row);
		const mark = cellOf(roles, 'roleType', row);
		person.roles.push({
			role,
			profile: rules.profileOf(role),
			org: cellOf(roles, 'orgSourcedId', row),
			isPrimary: mark.toLowerCase() === 'primary' || isTrue(mark) === true,
			when,
		});
		const grade = cellOf(roles, 'grades', row);
		if (grade !== '' && when === 'now') person.grade ??= grade;
	});
}

/** true, 1 and yes in any case; nothing when it is neither true nor false. */
export function isTrue(cell: string): boolean | undefined {
	const text = cell.toLowerCase();
	if (['true', '1', 'yes'].includes(text)) return true;
	return ['false', '0', 'no', ''].includes(text) ? false : undefined;
}

async function relationships(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	const table = reading.tables.relationships;
	if (table === undefined) return;
	const { rules, findings } = reading;
	const standing = await standings(reading, 'relationships');
	await reading.turns.forEach(table.size, (row) => {
		const place = placeOf(table, row);
		const [studentId, otherId] = [
			cellOf(table, 'userSourcedId', row),
			cellOf(table, 'relationshipUserSourcedId', row),
		];
		const [student, other] = [people.get(studentId), people.get(otherId)];
		if (standing[row] === 'unusable') {
			if (student !== undefined) blame(student, relationshipUnusable, place);
			return;
		}
		const role = cellOf(table, 'relationshipRole', row);
		const profile = rules.profileOf(role);
		if (profile !== RESPONSIBLE) return findings.add(relationshipNotUsed, place);
		if (student === undefined) return findings.add(relationshipOfNobody, place);
		if (otherId === '') return blame(student, responsibleWithoutId, place);
		if (other === undefined) {
			(student.unknownResponsibles ??= []).push(otherId);
			return;
		}
		if (!has(other, RESPONSIBLE)) becomeResponsible(other, role, reading, place);
		link(student, other);
	});
}

/** Links students and responsible persons as users.csv says: the student lists its guardians, or the guardian its students. */
export async function readAgents(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	const { users } = reading.tables;
	const agents = users?.columns.agentSourcedIds;
	if (users === undefined || agents === undefined) return;
	const everybody = [...people.values()];
	await reading.turns.forEach(everybody.length, (index) => {
		const person = everybody[index];
		for (const id of listOf(agents[person.row])) {
			const agent = people.get(id);
			if (agent === undefined) {
				if (has(person, 'student')) (person.unknownResponsibles ??= []).push(id);
				else reading.findings.add(agentOfNobody, placeOf(users, person.row));
				continue;
			}
			if (agent.roles.length === 0 && has(person, 'student')) {
				becomeResponsible(agent, 'guardian', reading, placeOf(users, person.row));
			}
			const lists = has(person, 'student') && has(agent, RESPONSIBLE);
			const isListed = has(person, RESPONSIBLE) && has(agent, 'student');
			if (lists) link(person, agent);
			if (isListed) link(agent, person);
			if (!lists && !isListed) reading.findings.add(agentNotResponsible, placeOf(users, person.row));
		}
	});
}

/** Gives somebody a role that only a relationship says. It is held where the student is. */
function becomeResponsible(
	person: Person,
	role: string,
	{ rules, findings }: RosterReading,
	place: Place,
): void {
	person.roles.push({ role, profile: rules.profileOf(role), org: '', isPrimary: false, when: 'now' });
	findings.add(roleFromRelationship, place);
}

function has(person: Person, profile: string): boolean {
	return person.roles.some((held) => held.profile === profile);
}

function link(student: Person, responsible: Person): void {
	if (student.responsibles?.includes(responsible)) return;
	(student.responsibles ??= []).push(responsible);
	(responsible.students ??= []).push(student);
}

const roleOfNobody: Cause = {
	severity: 'warning',
	code: 'roleOfNobody',
	kind: 'user',
	message: 'roles.csv: the user is not in users.csv',
	what_to_do: 'Have the user exported too, when that person is to be in the service.',
};

const roleUnusable: Cause = {
	severity: 'error',
	code: 'roleUnusable',
	kind: 'user',
	message: 'User: a row of that person in roles.csv cannot be used',
	what_to_do: 'See the finding about that row.',
};

const relationshipUnusable: Cause = {
	severity: 'error',
	code: 'relationshipUnusable',
	kind: 'user',
	message: 'User: a row of that student in relationships.csv cannot be used',
	what_to_do: 'See the finding about that row.',
};

const relationshipNotUsed: Cause = {
	severity: 'information',
	code: 'relationshipNotUsed',
	kind: 'user',
	message: 'relationships.csv: a relationship that makes nobody responsible (doctor, aide, other)',
	what_to_do: 'Nothing. Map the role to the profile responsible under Mapping → Roles when it should.',
};

const relationshipOfNobody: Cause = {
	severity: 'warning',
	code: 'relationshipOfNobody',
	kind: 'user',
	message: 'relationships.csv: the student is not in users.csv',
	what_to_do: 'Have the student exported too, when both are to be in the service.',
};

const roleFromRelationship: Cause = {
	severity: 'warning',
	code: 'roleFromRelationship',
	kind: 'user',
	message: 'User: no role makes that person responsible, only a relationship to a student does',
	what_to_do: 'Nothing: the person is responsible, in the school of the student.',
};

const agentOfNobody: Cause = {
	severity: 'information',
	code: 'agentOfNobody',
	kind: 'user',
	message: 'users.csv: an agent of somebody who is no student is not in users.csv',
	what_to_do: 'Nothing.',
};

const agentNotResponsible: Cause = {
	severity: 'warning',
	code: 'agentNotResponsible',
	kind: 'user',
	message: 'users.csv: of a person and its agent, none is a student whom the other is responsible for',
	what_to_do:
		'Give the agent the role parent, guardian or relative, or map its role to the profile responsible under Mapping → Roles.',
};
