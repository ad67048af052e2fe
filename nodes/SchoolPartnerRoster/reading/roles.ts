/** Who holds which role, where and when: in users.csv (OneRoster 1.1), in roles.csv (1.2, SDS), or by a relationship alone (SDS). */
import type { Place } from '../roster/record';

import { blame, type Person } from './person';
import { dateNotRead, isTrue, listOf, standings, whenIs, type RosterReading } from './reading';
import { cellOf, placeOf } from './table';
import { userErrors, userNotes, userWarnings } from './userFindings';

const RESPONSIBLE = 'responsible';

type PeopleById = ReadonlyMap<string, Person>;

/** Gives every person the roles that the files say, and links students with who is responsible for them. */
export async function readRoles(reading: RosterReading, people: PeopleById): Promise<void> {
	if (reading.format === 'OneRoster 1.1') await rolesOfUsers(reading, people);
	else await rolesOfRoles(reading, people);
	await readRelationships(reading, people);
	await readAgents(reading, people);
}

async function rolesOfUsers({ tables, rules, turns }: RosterReading, people: PeopleById): Promise<void> {
	await turns.forEach(people.values(), ({ row, roles }) => {
		const role = cellOf(tables.users, 'role', row);
		if (role === '') return;
		const profile = rules.profileOf(role);
		const orgs = listOf(cellOf(tables.users, 'orgSourcedIds', row));
		for (const org of orgs.length > 0 ? orgs : [''])
			roles.push({ role, profile, org, isPrimary: roles.length === 0, when: 'now' });
	});
}

async function rolesOfRoles(reading: RosterReading, people: PeopleById): Promise<void> {
	const { rules, findings, turns } = reading;
	const table = reading.tables.roles;
	if (table === undefined) return;
	const standing = await standings(reading, 'roles', 'user');
	const notRead = dateNotRead(table.file, 'the begin or end of a role', rules.dateFormat);
	await turns.forEach(table.lines, (_, row) => {
		const person = people.get(cellOf(table, 'userSourcedId', row));
		if (person === undefined) return findings.add(userWarnings.roleOfNobody, placeOf(table, row));
		if (standing[row] === 'unusable') blame(person, userErrors.roleUnusable, placeOf(table, row));
		const when =
			standing[row] === 'gone'
				? 'ended'
				: whenIs(cellOf(table, 'beginDate', row), cellOf(table, 'endDate', row), rules);
		if (when === 'unreadable') return blame(person, notRead, placeOf(table, row));
		const role = cellOf(table, 'role', row);
		const org = cellOf(table, 'orgSourcedId', row);
		const mark = cellOf(table, 'roleType', row).toLowerCase();
		const isPrimary = mark === 'primary' || isTrue(mark) === true;
		person.roles.push({ role, profile: rules.profileOf(role), org, isPrimary, when });
		const grade = cellOf(table, 'grades', row);
		if (when === 'now' && grade !== '') person.grade ??= grade;
	});
}

async function readRelationships(reading: RosterReading, people: PeopleById): Promise<void> {
	const { rules, findings, turns } = reading;
	const table = reading.tables.relationships;
	if (table === undefined) return;
	const standing = await standings(reading, 'relationships');
	await turns.forEach(table.lines, (_, row) => {
		const place = placeOf(table, row);
		const student = people.get(cellOf(table, 'userSourcedId', row));
		const otherId = cellOf(table, 'relationshipUserSourcedId', row);
		const other = people.get(otherId);
		const role = cellOf(table, 'relationshipRole', row);
		if (standing[row] === 'unusable') {
			if (student !== undefined) blame(student, userErrors.relationshipUnusable, place);
		} else if (rules.profileOf(role) !== RESPONSIBLE) findings.add(userNotes.relationshipNotUsed, place);
		else if (student === undefined) findings.add(userWarnings.relationshipOfNobody, place);
		else if (otherId === '') blame(student, userErrors.responsibleWithoutId, place);
		else if (other === undefined) (student.unknownResponsibles ??= []).push(otherId);
		else {
			if (!has(other, RESPONSIBLE)) becomeResponsible(other, role, reading, place);
			link(student, other);
		}
	});
}

/** Links students and responsible persons as users.csv says: the student lists its guardians, or the guardian its students. */
async function readAgents(reading: RosterReading, people: PeopleById): Promise<void> {
	const { findings, turns } = reading;
	const { users } = reading.tables;
	const agents = users?.columns.agentSourcedIds;
	if (users === undefined || agents === undefined) return;
	await turns.forEach(people.values(), (person) => {
		const place = placeOf(users, person.row);
		for (const id of listOf(agents[person.row])) {
			const agent = people.get(id);
			if (agent === undefined) {
				// An agent of somebody else is nobody whom the service wants.
				if (has(person, 'student')) (person.unknownResponsibles ??= []).push(id);
				continue;
			}
			if (agent.roles.length === 0 && has(person, 'student'))
				becomeResponsible(agent, 'guardian', reading, place);
			const lists = has(person, 'student') && has(agent, RESPONSIBLE);
			const isListed = has(person, RESPONSIBLE) && has(agent, 'student');
			if (lists) link(person, agent);
			if (isListed) link(agent, person);
			if (!lists && !isListed) findings.add(userWarnings.agentNotResponsible, place);
		}
	});
}

/** Gives somebody a role that only a relationship says. It is held where the student is. */
function becomeResponsible(person: Person, role: string, reading: RosterReading, place: Place): void {
	const profile = reading.rules.profileOf(role);
	person.roles.push({ role, profile, org: '', isPrimary: false, when: 'now' });
	reading.findings.add(userWarnings.roleFromRelationship, place);
}

function has(person: Person, profile: string): boolean {
	return person.roles.some((held) => held.profile === profile);
}

function link(student: Person, responsible: Person): void {
	if (student.responsibles?.includes(responsible)) return;
	(student.responsibles ??= []).push(responsible);
	(responsible.students ??= []).push(student);
}
