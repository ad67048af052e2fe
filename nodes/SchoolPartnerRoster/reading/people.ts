/** People: the users of the roster, with their schools, profiles and responsible persons. */
import type { Fields, Place } from '../roster/record';

import { readDate } from './dates';
import type { Cause } from './findings';
import type { Rules } from './mapping';
import { phoneOf } from './phone';
import { cellOf, dateNotRead, indexOf, isNoLongerWhole, placeOf, remembering, type Index, type Reading } from './reading';
import { isTrue, readAgents, readRoles, type Role } from './roles';
import { noSchool, type Schools } from './schools';
import type { Table } from './table';

/** One row of users.csv while it becomes a user. */
export interface Person {
	row: number;
	/** In the service; '' when the column that was chosen is empty. */
	id: string;
	/** `later`: no role has begun; `out`: left out on purpose, or responsible for nobody; `here` may still have causes. */
	state: 'here' | 'gone' | 'later' | 'out';
	/** Why it cannot be sent, and where that stands, if not in its own row. */
	causes: Array<{ cause: Cause; at?: Place }>;
	roles: Role[];
	students: Person[];
	responsibles: Person[];
	/** Ids of responsible persons who are not in the file. */
	unknownResponsibles: string[];
	/** Profiles by school, in the order of the roles. */
	schools: Map<string, Set<string>>;
	/** The school that is marked as primary, else the first. */
	mainSchool?: string;
	grade?: string;
}

export interface People {
	/** By sourcedId. */
	known: ReadonlyMap<string, Person>;
	/** Ids of rows that cannot be used. */
	unusable: ReadonlyMap<string, Place>;
}

/** Reads everybody, and gives users to the collector. */
export async function readPeople(reading: Reading, schools: Schools): Promise<People> {
	const { tables, rules, findings, collector, turns } = reading;
	const table = tables.users;
	const index = await indexOf(reading, 'users', 'user');
	const known = new Map<string, Person>();
	if (table === undefined) return { known, unusable: index.unusable };
	for (const [sourcedId, row] of index.rowOf) known.set(sourcedId, personOf(table, row, index, rules));
	for (const [sourcedId, source] of index.unusable) {
		collector.refuse('user', { external_id: rules.userIdFrom === 'sourcedId' ? sourcedId : '' }, source);
		if (rules.userIdFrom !== 'sourcedId') isNoLongerWhole(reading, 'user');
	}
	await readRoles(reading, known);
	await readAgents(reading, known);
	const everybody = [...known.values()];
	await turns.forEach(everybody.length, (at) => place(everybody[at], reading, schools));
	await turns.forEach(everybody.length, (at) => placeResponsible(everybody[at], schools));
	const births = await readBirths(reading);
	await turns.forEach(everybody.length, (at) => {
		const person = everybody[at];
		const source = placeOf(table, person.row);
		if (person.state === 'gone') {
			for (const school of person.schools.size === 0 ? [''] : person.schools.keys()) {
				collector.leave('user', { school_external_id: school, external_id: person.id }, source);
			}
			return;
		}
		if (person.state !== 'here') return findings.add(person.state === 'later' ? notBegun : leftOut, source);
		give(person, reading, births);
	});
	noteSeveralRows(reading, everybody);
	return { known, unusable: index.unusable };
}

function personOf(table: Table, row: number, index: Index, rules: Rules): Person {
	return {
		row,
		id: cellOf(table, rules.userIdFrom, row),
		state: index.standing[row] === 'gone' ? 'gone' : 'here',
		causes: [],
		roles: [],
		students: [],
		responsibles: [],
		unknownResponsibles: [],
		schools: new Map(),
	};
}

function addTo(person: Person, school: string, profile: string): void {
	const profiles = person.schools.get(school);
	if (profiles === undefined) person.schools.set(school, new Set([profile]));
	else profiles.add(profile);
}

/** The schools of a person by its own roles. Whoever is only responsible may have none: see `placeResponsible`. */
function place(person: Person, reading: Reading, schools: Schools): void {
	const { findings } = reading;
	const table = reading.tables.users as Table;
	const source = placeOf(table, person.row);
	const held = person.roles.filter(({ when }) => when === 'now');
	const isMapped = ({ profile }: Role) => profile !== undefined && profile !== '';
	const mapped = held.filter(isMapped);
	if (person.state === 'here' && mapped.length === 0 && person.causes.length === 0) {
		if (held.some(({ profile }) => profile === undefined)) person.causes.push(...unmapped(held).map((cause) => ({ cause })));
		else if (held.length > 0) person.state = 'out';
		else if (person.roles.some(({ when }) => when === 'ended')) person.state = 'gone';
		else if (person.roles.length > 0) person.state = 'later';
		else person.causes.push({ cause: withoutRole });
	} else if (person.state === 'here') {
		for (const cause of unmapped(held)) findings.add({ ...cause, severity: 'warning', what_to_do: OTHER_ROLES }, source);
	}
	// Of somebody who is gone the last roles still tell where.
	const placed = person.state === 'gone' ? person.roles.filter(isMapped) : mapped;
	const isPrimaryFirst = [...placed].sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
	const problems: Cause[] = [];
	for (const { org, profile } of isPrimaryFirst) {
		const school = schools.of(org);
		if (school.cause === undefined) {
			addTo(person, school.id, profile as string);
			person.mainSchool ??= school.id;
		} else if (org !== '' || profile !== 'responsible') {
			problems.push(school.cause);
		}
	}
	const primary = schools.of(cellOf(table, 'primaryOrgSourcedId', person.row));
	if (!isPrimaryFirst[0]?.isPrimary && primary.id !== undefined && person.schools.has(primary.id)) person.mainSchool = primary.id;
	if (person.state === 'here' && person.schools.size === 0 && !mapped.some(isResponsible)) person.causes.push(...problems.map((cause) => ({ cause })));
}

const isResponsible = ({ profile }: Role) => profile === 'responsible';

/** Whoever is responsible for somebody is so in the school of the student. */
function placeResponsible(person: Person, schools: Schools): void {
	const own = person.roles.filter((role) => isResponsible(role) && role.when === 'now');
	if (own.length === 0 || person.state !== 'here') return;
	const students = person.students.filter(({ state }) => state === 'here');
	const theirs = [...new Set(students.flatMap((student) => [...student.schools.keys()]))].sort();
	for (const school of theirs) addTo(person, school, 'responsible');
	// Trap: the order of rows is the exporter's. The smallest id is the same one tomorrow.
	person.mainSchool ??= theirs[0];
	if (person.mainSchool !== undefined) return;
	const problems = own.filter(({ org }) => org !== '').flatMap(({ org }) => {
		const school = schools.of(org);
		return school.cause === undefined || school.cause === noSchool ? [] : [school.cause];
	});
	if (problems.length > 0) person.causes.push({ cause: problems[0] });
	else if (students.length > 0) person.causes.push({ cause: studentWithoutSchool });
	else person.state = 'out';
}

/** Day of birth by sourcedId; nothing known of whom the file says nothing. */
interface Births {
	of(sourcedId: string): string | undefined | { cause: Cause; at?: Place };
}

async function readBirths(reading: Reading): Promise<Births> {
	const { tables, rules } = reading;
	const table = tables.demographics;
	if (table === undefined) return { of: () => undefined };
	const { rowOf, standing, unusable } = await indexOf(reading, 'demographics');
	const dateOf = remembering((cell) => readDate(cell, rules.dateFormat));
	const notRead = dateNotRead(table.file, 'birthDate', rules.dateFormat);
	return {
		of(sourcedId) {
			if (unusable.has(sourcedId)) return { cause: birthUnusable, at: unusable.get(sourcedId) };
			const row = rowOf.get(sourcedId);
			if (row === undefined || standing[row] === 'gone') return undefined;
			const cell = cellOf(table, 'birthDate', row);
			return cell === '' ? undefined : (dateOf(cell) ?? { cause: notRead, at: placeOf(table, row) });
		},
	};
}

/** Gives a person to the collector: one user, or one for each school. */
function give(person: Person, reading: Reading, births: Births): void {
	const { rules, collector, findings, tables } = reading;
	const table = tables.users as Table;
	const source = placeOf(table, person.row);
	const enabled = cellOf(table, 'enabledUser', person.row);
	if (enabled !== '' && enabled !== 'true') findings.add(isTrue(enabled) ? enabledHealed : notEnabled, source);
	const birth = births.of(cellOf(table, 'sourcedId', person.row));
	if (typeof birth === 'object') person.causes.push(birth);
	const isStudent = person.roles.some(({ profile, when }) => profile === 'student' && when === 'now');
	const ids = isStudent ? responsibleIds(person, reading) : [];
	if (person.id === '') person.causes.push({ cause: withoutId(rules) });
	const causes = new Map(person.causes.map(({ cause, at }) => [cause, at ?? source]));
	for (const [cause, at] of causes) findings.add({ ...cause, kind: 'user' }, at);
	const school = rules.userKeys === 'school' ? [...person.schools.keys()] : [person.mainSchool ?? ''];
	if (causes.size > 0) {
		for (const id of school) collector.refuse('user', { school_external_id: id, external_id: person.id }, source);
		if (person.id === '' || school.length === 0) isNoLongerWhole(reading, 'user');
		return;
	}
	const body = {
		external_id: person.id,
		...filled({
			first_name: cellOf(table, 'givenName', person.row),
			last_name: cellOf(table, 'familyName', person.row),
			birth_date: typeof birth === 'string' ? birth : '',
			...documentOf(table, person.row, rules),
			...phoneOf(cellOf(table, 'sms', person.row) || cellOf(table, 'phone', person.row)),
			email: cellOf(table, 'email', person.row),
		}),
		...(ids.length > 0 && { responsible_external_id: ids }),
	};
	for (const id of school) {
		const profiles = rules.userKeys === 'school' ? [...(person.schools.get(id) ?? [])] : profilesOf(person);
		collector.add('user', { ...body, school_external_id: id, profiles: profiles.sort() }, source);
	}
}

function profilesOf(person: Person): string[] {
	const held = person.roles.filter(({ when, profile }) => when === 'now' && profile);
	return [...new Set(held.map(({ profile }) => profile as string))];
}

/** Only what says something. */
function filled(fields: Record<string, string | undefined>): Fields {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
	return Object.fromEntries(entries) as Fields;
}

/** The ids of a student's responsible persons, always in the same order. */
function responsibleIds(person: Person, { rules, completeness, findings, tables }: Reading): string[] {
	const ids = person.responsibles.filter(({ state }) => state === 'here').map(({ id }) => id);
	if (ids.includes('')) person.causes.push({ cause: responsibleWithoutId });
	if (ids.length < person.responsibles.length) findings.add(responsibleGone, placeOf(tables.users as Table, person.row));
	if (person.unknownResponsibles.length > 0) {
		// An export of changes names persons who have not changed.
		if (completeness.user === 'changes' && rules.userIdFrom === 'sourcedId') ids.push(...person.unknownResponsibles);
		else person.causes.push({ cause: responsibleNotInFile });
	}
	return [...new Set(ids)].sort();
}

/** Number and type of the identity document. `userIds` is a list of `{type:id}`. */
function documentOf(table: Table, row: number, { documentType, documentFrom }: Rules): Record<string, string> {
	if (documentType === '') return {};
	const from = documentFrom.toLowerCase();
	let value = cellOf(table, from === 'identifier' ? 'identifier' : from === 'userids' ? 'userIds' : documentFrom, row);
	if (from === 'userids') {
		const entries = [...value.matchAll(/\{([^:{}]*):([^{}]*)\}/g)];
		value = entries.find(([, type]) => type.trim().toLowerCase() === documentType.toLowerCase())?.[2].trim() ?? '';
	}
	return value === '' ? {} : { document_type: documentType, document_value: value };
}

/** In OneRoster 1.1 a person has a row for each role: the service then has two users. */
function noteSeveralRows({ format, tables, findings }: Reading, everybody: readonly Person[]): void {
	const table = tables.users;
	if (format !== 'OneRoster 1.1' || table === undefined) return;
	const seen = new Set<string>();
	for (const person of everybody) {
		if (person.state !== 'here') continue;
		const marks = ['username', 'identifier'].map((column) => [column, cellOf(table, column, person.row)]);
		const filledMarks = marks.filter(([, cell]) => cell !== '').map((mark) => mark.join(' '));
		if (filledMarks.some((mark) => seen.has(mark))) findings.add(severalRows, placeOf(table, person.row));
		for (const mark of filledMarks) seen.add(mark);
	}
}

/** A role is shown only where it looks like one: a cell that was moved may hold anything. */
const shown = (role: string) => (/^[a-z][a-z0-9_-]{0,29}$/i.test(role) ? `the role "${role}"` : 'a role');

const OTHER_ROLES = 'Map it to a profile under Mapping → Roles, or to none to leave it out without a finding. The other roles of the person count.';

function unmapped(roles: readonly Role[]): Cause[] {
	const names = roles.filter(({ profile }) => profile === undefined).map(({ role }) => role.toLowerCase());
	return [...new Set(names)].map((role) => roleNotMapped('user', role));
}

/** A role that no row of the mapping is for. */
export function roleNotMapped(kind: 'user' | 'bond', role: string): Cause {
	return {
		severity: 'error',
		code: 'roleNotMapped',
		kind,
		message: `${kind === 'user' ? 'User' : 'Bond'}: nobody said which profile ${shown(role)} is`,
		what_to_do: 'Map it to a profile under Mapping → Roles, or to none to leave these out without a finding.',
	};
}

const withoutId = (rules: Rules): Cause => ({
	severity: 'error',
	code: 'idMissing',
	message: `User: ${rules.userIdFrom} is empty`,
	what_to_do: 'Fill it in where the roster comes from, or choose another column under Mapping → User ID From. Until then, no user counts as gone because it is not in the files.',
});

const withoutRole: Cause = {
	severity: 'error',
	code: 'userWithoutRole',
	message: 'User: no role, neither as student nor as anything else',
	what_to_do: 'Give the person a role where the roster comes from.',
};

const studentWithoutSchool: Cause = {
	severity: 'error',
	code: 'studentWithoutSchool',
	message: 'User: the students of that person have no school that can be used',
	what_to_do: 'See the findings about the schools of these students.',
};

const birthUnusable: Cause = {
	severity: 'error',
	code: 'birthUnusable',
	message: 'User: the row of that person in demographics.csv cannot be used',
	what_to_do: 'See the finding about that row. The service offers no way to add the day of birth later.',
};

const responsibleNotInFile: Cause = {
	severity: 'error',
	code: 'responsibleNotInFile',
	message: 'User: a responsible person of that student is not in users.csv',
	what_to_do: 'Have that person exported too, or take the link away. The service offers no way to add a responsible person later.',
};

const responsibleWithoutId: Cause = {
	severity: 'error',
	code: 'responsibleWithoutId',
	message: 'User: a responsible person of that student has no id',
	what_to_do: 'See the finding about that person.',
};

const responsibleGone: Cause = {
	severity: 'information',
	code: 'responsibleGone',
	kind: 'user',
	message: 'User: a responsible person of that student has left, or has not begun, and is not named',
	what_to_do: 'Nothing.',
};

const severalRows: Cause = {
	severity: 'warning',
	code: 'personTwice',
	kind: 'user',
	message: 'users.csv: one person (the same username or identifier) has several rows, as OneRoster 1.1 does for each role',
	what_to_do: 'Nothing, if the service is to have one user for each row.',
};

const notEnabled: Cause = {
	severity: 'warning',
	code: 'notEnabled',
	kind: 'user',
	message: 'users.csv: enabledUser is not true',
	what_to_do: 'Nothing, if these persons belong to the roster: they are read like the others.',
};

const enabledHealed: Cause = {
	severity: 'warning',
	code: 'trueWritten',
	kind: 'user',
	message: 'users.csv: enabledUser is written as TRUE, 1 or yes',
	what_to_do: 'Nothing: it is taken as true.',
};

const notBegun: Cause = {
	severity: 'information',
	code: 'notBegun',
	kind: 'user',
	message: 'User: no role has begun yet',
	what_to_do: 'Nothing: the person is read from that day on.',
};

const leftOut: Cause = {
	severity: 'information',
	code: 'leftOut',
	kind: 'user',
	message: 'User: left out, because of a role that is mapped to no profile, or as responsible for no student who is here',
	what_to_do: 'Nothing.',
};
