/** Who holds which role, where and when: in users.csv (OneRoster 1.1), in roles.csv (1.2, SDS), or by a relationship alone (SDS). */
import { addProblem, type PeopleById, type Person } from './person';
import { dateNotRead, isTrue, listIn, whenIs, type RosterReading } from './reading';
import { forEachRow } from './table';
import { mayBeResponsible, roleNotMapped, userErrors, userNotes, userWarnings } from './userFindings';

/** Gives every person the roles that the files say, and links students with who is responsible for them. */
export async function readRoles(reading: RosterReading, people: PeopleById): Promise<void> {
	if (reading.format === 'OneRoster 1.1') await readOwnRoles(reading, people);
	else await readRolesFile(reading, people);
	await readRelationships(reading, people);
	await readAgents(reading, people);
}

async function readOwnRoles({ rules, turns }: RosterReading, people: PeopleById): Promise<void> {
	await turns.forEach(people.values(), ({ row, roles }) => {
		const role = row.cell('role');
		if (role === '') return;
		const profile = rules.profileOf(role);
		const orgs = listIn(row.cell('orgSourcedIds'));
		for (const org of orgs.length > 0 ? orgs : [''])
			roles.push({ role, profile, org, isPrimary: roles.length === 0, when: 'now' });
	});
}

async function readRolesFile(reading: RosterReading, people: PeopleById): Promise<void> {
	const { rules, findings, turns, tables } = reading;
	const notRead = dateNotRead(tables.roles?.file ?? '', 'the begin or end of a role', rules.dateFormat);
	await forEachRow(tables.roles, turns, (row) => {
		const person = people.get(row.cell('userSourcedId'));
		if (person === undefined) return findings.add(userWarnings.roleOfNobody, row.place);
		if (row.state === 'unusable') addProblem(person, userErrors.roleUnusable, row.place);
		const when = row.state === 'gone' ? 'ended' : whenIs(row, rules);
		if (when === 'unreadable') return addProblem(person, notRead, row.place);
		const [role, org, grade] = [row.cell('role'), row.cell('orgSourcedId'), row.cell('grades')];
		const mark = row.cell('roleType').toLowerCase();
		const isPrimary = mark === 'primary' || isTrue(mark) === true;
		person.roles.push({ role, profile: rules.profileOf(role), org, isPrimary, when });
		if (when === 'now' && grade !== '') person.grade ??= grade;
	});
}

async function readRelationships(reading: RosterReading, people: PeopleById): Promise<void> {
	const { rules, findings, turns, tables } = reading;
	await forEachRow(tables.relationships, turns, (row) => {
		const student = people.get(row.cell('userSourcedId'));
		const otherId = row.cell('relationshipUserSourcedId');
		const other = people.get(otherId);
		const role = row.cell('relationshipRole');
		if (row.state === 'unusable') {
			if (student !== undefined) addProblem(student, userErrors.relationshipUnusable, row.place);
		} else if (student && lacks(student, other) && mayBeResponsible(role, rules.profileOf(role)))
			addProblem(student, roleNotMapped('user', role), row.place);
		else if (rules.profileOf(role) !== 'responsible') findings.add(userNotes.relationshipNotUsed, row.place);
		else if (student === undefined) findings.add(userWarnings.relationshipOfNobody, row.place);
		else if (otherId === '') addProblem(student, userErrors.responsibleWithoutId, row.place);
		else if (other === undefined) student.lacksResponsible = true;
		else {
			if (!has(other, 'responsible')) becomeResponsible(other, role, rules);
			link(student, other);
		}
	});
}

/** Links students and responsible persons as users.csv says: the student lists its guardians, or the guardian its students. */
async function readAgents(reading: RosterReading, people: PeopleById): Promise<void> {
	await reading.turns.forEach(people.values(), (person) => {
		for (const id of listIn(person.row.cell('agentSourcedIds'))) {
			const agent = people.get(id);
			if (agent !== undefined) linkAgent(person, agent, reading);
			// An agent of somebody else is nobody whom the service wants.
			else if (has(person, 'student')) person.lacksResponsible = true;
		}
	});
}

function linkAgent(person: Person, agent: Person, reading: RosterReading): void {
	const isStudent = has(person, 'student');
	if (agent.roles.length === 0 && isStudent) becomeResponsible(agent, 'guardian', reading.rules);
	const lists = isStudent && has(agent, 'responsible');
	const isListed = has(person, 'responsible') && has(agent, 'student');
	if (lists) link(person, agent);
	if (isListed) link(agent, person);
	if (lists || isListed) return;
	const [student, other] = isStudent ? [person, agent] : [agent, person];
	const unclear = other.roles.find(
		({ role, profile, when }) => when === 'now' && mayBeResponsible(role, profile),
	);
	if (unclear !== undefined && lacks(student, other))
		addProblem(student, roleNotMapped('user', unclear.role), person.row.place);
	else reading.findings.add(userWarnings.agentNotResponsible, person.row.place);
}

/** Whether a student would be created without somebody who may be responsible: nobody could add that person later. */
const lacks = (student: Person, other: Person | undefined) =>
	student.roles.some(({ profile, when }) => profile === 'student' && when === 'now') &&
	other?.state !== 'gone';

/** Gives somebody a role that only a relationship says. It is held where the student is. */
function becomeResponsible(person: Person, role: string, { profileOf }: RosterReading['rules']): void {
	person.roles.push({ role, profile: profileOf(role), org: '', isPrimary: false, when: 'now' });
}

function has(person: Person, profile: string): boolean {
	return person.roles.some((held) => held.profile === profile);
}

function link(student: Person, responsible: Person): void {
	if (student.responsibles?.includes(responsible)) return;
	(student.responsibles ??= []).push(responsible);
	(responsible.students ??= []).push(student);
}
