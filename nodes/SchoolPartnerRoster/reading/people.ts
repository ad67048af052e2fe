/** People: the users of the roster, with their schools, profiles and responsible persons. */
import { keyOf } from '../ledger/key';
import type { Fields, Place } from '../roster/record';

import type { Rules } from './mapping';
import { blame, schoolsOf, type Person } from './person';
import { phoneOf } from './phone';
import { place, placeResponsible } from './placing';
import { dateNotRead, indexOf, isTrue, listOf, type Known, type RosterReading } from './reading';
import { readRoles } from './roles';
import type { Schools } from './schools';
import { cellOf, placeOf, type Table } from './table';
import { userErrors, userNotes, userWarnings } from './userFindings';

/** Reads everybody, and gives users to the collector. */
export async function readPeople(reading: RosterReading, schools: Schools): Promise<Known<Person>> {
	const { tables, rules, findings, collector, turns } = reading;
	const table = tables.users;
	const { rowOf, standing, unusable, withoutId } = await indexOf(reading, 'users', 'user');
	const known = new Map<string, Person>();
	if (table === undefined) return { known, unusable };
	await turns.forEach(rowOf, ([sourcedId, row]) => {
		const isGone = standing[row] === 'gone' || (isDisabled(table, row) && rules.disabledUsers === 'hasLeft');
		const state = isGone ? 'gone' : 'here';
		known.set(sourcedId, { row, id: cellOf(table, rules.userIdFrom, row), state, roles: [], schools: [] });
	});
	for (const [sourcedId, source] of unusable)
		collector.refuse('user', { external_id: rules.userIdFrom === 'sourcedId' ? sourcedId : '' }, source);
	for (const row of withoutId) {
		const orgs = listOf(cellOf(table, 'orgSourcedIds', row));
		for (const org of orgs.length > 0 ? orgs : ['']) {
			const school = { school_external_id: schools.of(org).id ?? '' };
			collector.refuse('user', { ...school, ...personFields({ row }, reading) }, placeOf(table, row));
		}
	}
	await readRoles(reading, known);
	await turns.forEach(known.values(), (person) => place(person, reading, schools));
	await turns.forEach(known.values(), (person) => placeResponsible(person, schools));
	await readBirthDates(reading, known);
	await turns.forEach(known.values(), (person) => {
		const source = placeOf(table, person.row);
		if (person.state === 'here') give(person, source, table, reading);
		else if (person.state === 'later') findings.add(userNotes.notBegun, source);
		else if (person.state === 'out') findings.add(userNotes.leftOut, source);
		else {
			for (const school of person.schools.length === 0 ? [''] : schoolsOf(person))
				collector.leave('user', { school_external_id: school, external_id: person.id }, source);
		}
	});
	if (reading.format === 'OneRoster 1.1') await noteSeveralRows(known.values(), table, reading);
	return { known, unusable };
}

/** Gives everybody the day of birth that demographics.csv says. */
async function readBirthDates(reading: RosterReading, people: ReadonlyMap<string, Person>): Promise<void> {
	const { rules, turns } = reading;
	const table = reading.tables.demographics;
	if (table === undefined) return;
	const { rowOf, standing, unusable } = await indexOf(reading, 'demographics');
	const notRead = dateNotRead(table.file, 'birthDate', rules.dateFormat);
	for (const [sourcedId, source] of unusable) {
		const person = people.get(sourcedId);
		if (person !== undefined) blame(person, userErrors.birthUnusable, source);
	}
	await turns.forEach(rowOf, ([sourcedId, row]) => {
		const person = people.get(sourcedId);
		const cell = cellOf(table, 'birthDate', row);
		if (person === undefined || cell === '' || standing[row] === 'gone') return;
		person.birthDate = rules.dateOf(cell);
		if (person.birthDate === undefined) blame(person, notRead, placeOf(table, row));
	});
}

function isDisabled(table: Table, row: number): boolean {
	const enabled = cellOf(table, 'enabledUser', row);
	return enabled !== '' && isTrue(enabled) === false;
}

/** Gives a person to the collector: one user, or one for each school. */
function give(person: Person, source: Place, table: Table, reading: RosterReading): void {
	const { rules, collector, findings } = reading;
	const { row } = person;
	const enabled = cellOf(table, 'enabledUser', row);
	if (enabled !== '' && !isTrue(enabled)) findings.add(userWarnings.notEnabled, source);
	const isStudent = person.roles.some(({ profile, when }) => profile === 'student' && when === 'now');
	const responsibles = isStudent ? responsibleIds(person, source, reading) : [];
	if (person.id === '') blame(person, userErrors.idMissing(rules.userIdFrom));
	const schools = rules.userKeys === 'school' ? schoolsOf(person) : [person.mainSchool ?? ''];
	if (person.causes !== undefined) return refuse(person, schools, source, reading);
	for (const school of schools) {
		const fields: Record<string, Fields[string]> = {
			school_external_id: school,
			external_id: person.id,
			profiles: profilesOf(person, rules, school),
			...personFields(person, reading),
		};
		const phone = phoneOf(cellOf(table, 'sms', row) || cellOf(table, 'phone', row));
		Object.assign(fields, phone);
		put(fields, 'email', cellOf(table, 'email', row));
		if (responsibles.length > 0) fields.responsible_external_id = responsibles;
		collector.add('user', fields, source);
	}
}

/** By what a person is known beside the id. */
export function personFields(
	{ row, birthDate }: Pick<Person, 'row' | 'birthDate'>,
	{ tables, rules }: RosterReading,
): Fields {
	const table = tables.users as Table;
	const fields = documentOf(table, row, rules);
	put(fields, 'first_name', cellOf(table, 'givenName', row));
	put(fields, 'last_name', cellOf(table, 'familyName', row));
	put(fields, 'birth_date', birthDate);
	return fields;
}

/** Trap: an empty field that the contract takes out again makes the body slow, and large in memory. */
function put(fields: Record<string, Fields[string]>, name: string, value = ''): void {
	if (value !== '') fields[name] = value;
}

function refuse(person: Person, schools: readonly string[], source: Place, reading: RosterReading): void {
	const { tables, rules, collector, findings } = reading;
	const told = person.id === '' ? personFields(person, reading) : {};
	const idsIn = (school: string) => ({ school_external_id: school, external_id: person.id, ...told });
	const key = keyOf('user', idsIn(schools[0] ?? ''), rules.userKeys);
	const causes = new Map(person.causes?.map(({ cause, at }) => [cause, at ?? source]));
	for (const [cause, at] of causes) findings.add({ ...cause, kind: 'user' }, at, key);
	const names = {
		first_name: cellOf(tables.users, 'givenName', person.row),
		last_name: cellOf(tables.users, 'familyName', person.row),
	};
	for (const school of schools.length === 0 ? [''] : schools)
		collector.refuse('user', { ...names, ...idsIn(school) }, source);
}

/** Of one school where a person is a user of its own in each, else of all; always in the same order. */
function profilesOf({ schools, roles }: Person, { userKeys }: Rules, school: string): string[] {
	const profiles =
		userKeys === 'school'
			? schools.filter((one) => one.school === school).map(({ profile }) => profile)
			: roles.filter(({ when }) => when === 'now').map(({ profile = '' }) => profile);
	return distinct(profiles.filter((profile) => profile !== ''));
}

function distinct(texts: string[]): string[] {
	return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

/** The ids of a student's responsible persons, always in the same order. */
function responsibleIds(person: Person, source: Place, reading: RosterReading): string[] {
	const { rules, completeness, findings } = reading;
	const responsibles = person.responsibles ?? [];
	const ids = responsibles.filter(({ state }) => state === 'here').map(({ id }) => id);
	if (ids.includes('')) blame(person, userErrors.responsibleWithoutId);
	if (ids.length < responsibles.length) findings.add(userNotes.responsibleGone, source);
	if (person.unknownResponsibles !== undefined) {
		// An export of changes names persons who have not changed.
		if (completeness.user === 'changes' && rules.userIdFrom === 'sourcedId')
			ids.push(...person.unknownResponsibles);
		else blame(person, userErrors.responsibleNotInFile);
	}
	return distinct(ids);
}

/** Type and number of the identity document. `userIds` is a list of `{type:id}`. */
function documentOf(
	table: Table,
	row: number,
	{ documentType, documentFrom }: Rules,
): Record<string, Fields[string]> {
	if (documentType === '') return {};
	const from = documentFrom.toLowerCase();
	const column = { identifier: 'identifier', userids: 'userIds' }[from] ?? documentFrom;
	let value = cellOf(table, column, row);
	if (column === 'userIds') {
		const entries = [...value.matchAll(/\{([^:{}]*):([^{}]*)\}/g)];
		const isAsked = ([, type]: string[]) => type.trim().toLowerCase() === documentType.toLowerCase();
		value = entries.find(isAsked)?.[2].trim() ?? '';
	}
	return value === '' ? {} : { document_type: documentType, document_value: value };
}

/** In OneRoster 1.1 a person has a row for each role: the service then has two users. */
async function noteSeveralRows(
	people: Iterable<Person>,
	table: Table,
	reading: RosterReading,
): Promise<void> {
	const { findings, turns } = reading;
	const seen = new Set<string>();
	await turns.forEach(people, ({ state, row }) => {
		if (state !== 'here') return;
		const marks = ['username', 'identifier']
			.filter((column) => cellOf(table, column, row) !== '')
			.map((column) => `${column} ${cellOf(table, column, row)}`);
		if (marks.some((mark) => seen.has(mark))) findings.add(userWarnings.personTwice, placeOf(table, row));
		for (const mark of marks) seen.add(mark);
	});
}
