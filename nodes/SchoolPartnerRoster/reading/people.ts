/** People: the users of the roster, with their schools, profiles and responsible persons. */
import type { Fields } from '../roster/record';

import { USER_COLUMNS } from './formats';
import type { Rules } from './mapping';
import {
	addProblem,
	placePerson,
	placeResponsible,
	schoolsOfPerson,
	type PeopleById,
	type Person,
} from './person';
import { phoneOf } from './phone';
import { dateNotRead, indexOf, isTrue, listIn, type Index, type RosterReading } from './reading';
import { readRoles } from './roles';
import type { Schools } from './schools';
import type { TableRow } from './table';
import { userErrors, userNotes, userWarnings } from './userFindings';

/** Reads everybody, and gives users to the collector. */
export async function readPeople(reading: RosterReading, schools: Schools): Promise<PeopleById> {
	const { rules, turns } = reading;
	const index = await indexOf(reading, 'users');
	const known = new Map<string, Person>();
	await turns.forEach(index.rows, ([sourcedId, row]) => known.set(sourcedId, newPerson(row, rules)));
	refuseUnusable(index, reading, schools);
	await readRoles(reading, known);
	await turns.forEach(known.values(), (person) => placePerson(person, reading, schools));
	await turns.forEach(known.values(), (person) => placeResponsible(person, schools));
	await readBirthDates(reading, known);
	await turns.forEach(known.values(), (person) => collect(person, reading));
	return known;
}

/** Rows that cannot be told apart, or have no id: what they may be about stays. */
function refuseUnusable(
	{ unusable, withoutId }: Index,
	{ rules, collector }: RosterReading,
	schools: Schools,
): void {
	for (const [sourcedId, source] of unusable) {
		const id = rules.userIdFrom === 'sourcedId' ? sourcedId : '';
		collector.refuse({ kind: 'user', fields: { external_id: id }, source });
	}
	for (const row of withoutId) {
		const orgs = listIn(row.cell('orgSourcedIds'));
		for (const org of orgs.length > 0 ? orgs : ['']) {
			const fields = { school_external_id: schools.of(org).id ?? '', ...personFieldsIn(row, rules) };
			collector.refuse({ kind: 'user', fields, source: row.place });
		}
	}
}

function newPerson(row: TableRow, { userIdFrom, disabledUsers }: Rules): Person {
	const isDisabled = isTrue(row.cell('enabledUser')) === false;
	const isGone = row.state === 'gone' || (isDisabled && disabledUsers === 'hasLeft');
	return { row, id: row.cell(userIdFrom), state: isGone ? 'gone' : 'here', roles: [], schools: [] };
}

/** Gives everybody the day of birth that demographics.csv says. */
async function readBirthDates(reading: RosterReading, people: PeopleById): Promise<void> {
	const { rules, turns, tables } = reading;
	const { rows, unusable } = await indexOf(reading, 'demographics');
	const notRead = dateNotRead(tables.demographics?.file ?? '', 'birthDate', rules.dateFormat);
	for (const [sourcedId, place] of unusable) {
		const person = people.get(sourcedId);
		if (person !== undefined) addProblem(person, userErrors.birthUnusable, place);
	}
	await turns.forEach(rows, ([sourcedId, row]) => {
		const person = people.get(sourcedId);
		const cell = row.cell('birthDate');
		if (person === undefined || cell === '' || row.state === 'gone') return;
		person.birthDate = rules.dateOf(cell);
		if (person.birthDate === undefined) addProblem(person, notRead, row.place);
	});
}

/** Gives a person to the collector: one user, or one for each school. */
function collect(person: Person, reading: RosterReading): void {
	const { rules, collector, findings } = reading;
	const { row, state } = person;
	const source = row.place;
	if (state === 'later') return findings.add(userNotes.notBegun, source);
	if (state === 'out') return findings.add(userNotes.leftOut, source);
	const isHere = state === 'here';
	const responsibles = isHere ? checkedResponsibles(person, reading) : [];
	const schools = rules.userKeys === 'network' ? schoolsInNetwork(person) : schoolsOfPerson(person);
	const records = (schools.length > 0 ? schools : ['']).map((school) => ({
		kind: 'user' as const,
		fields: {
			...{ school_external_id: school, external_id: person.id },
			...(isHere && userFields(person, school, responsibles, reading)),
		},
		source,
	}));
	if (!isHere) return records.forEach((record) => collector.leave(record));
	for (const [type, place = source] of person.problems ?? []) collector.report(records[0], type, place);
	for (const record of records)
		if (person.problems === undefined) collector.add(record);
		else collector.refuse(record);
}

/** Whose roles have ended is gone from their schools; who is deleted, from everywhere that the export speaks of. */
function schoolsInNetwork(person: Person): string[] {
	const { state, row } = person;
	if (state === 'here') return schoolsOfPerson(person).slice(0, 1);
	return [...(row.state === 'gone' ? [''] : []), ...schoolsOfPerson(person)];
}

function userFields(
	person: Person,
	school: string,
	responsibles: string[],
	{ rules }: RosterReading,
): Fields {
	const { row, birthDate } = person;
	const fields: Record<string, Fields[string]> = {
		profiles: profilesIn(person, rules, school),
		...personFieldsIn(row, rules, birthDate),
		...phoneOf(row.cell('sms') || row.cell('phone')),
	};
	if (responsibles.length > 0) fields.responsible_external_id = responsibles;
	return fields;
}

/** What a row says of a person beside the id. */
export function personFieldsIn(row: TableRow, rules: Rules, birthDate?: string): Fields {
	const fields = documentOf(row, rules);
	for (const [field, column] of Object.entries(USER_COLUMNS)) put(fields, field, row.cell(column));
	put(fields, 'birth_date', birthDate);
	return fields;
}

/** Trap: an empty field that the contract takes out again makes the body slow, and large in memory. */
function put(fields: Record<string, Fields[string]>, name: string, value = ''): void {
	if (value !== '') fields[name] = value;
}

/** Of one school where a person is a user of its own in each, else of all; always in the same order. */
function profilesIn({ schools, roles }: Person, { userKeys }: Rules, school: string): string[] {
	const profiles =
		userKeys === 'school'
			? schools.filter((one) => one.school === school).map(({ profile }) => profile)
			: roles.filter(({ when }) => when === 'now').map(({ profile = '' }) => profile);
	return distinct(profiles.filter((profile) => profile !== ''));
}

function distinct(texts: string[]): string[] {
	return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

/** Looks for what forbids to send a person. Gives the ids of a student's responsible persons, always in the same order. */
function checkedResponsibles(person: Person, { rules, findings }: RosterReading): string[] {
	const { row, id, roles, responsibles = [] } = person;
	const enabled = row.cell('enabledUser');
	if (enabled !== '' && !isTrue(enabled)) findings.add(userWarnings.notEnabled, row.place);
	const ids: string[] = [];
	if (roles.some(({ profile, when }) => profile === 'student' && when === 'now')) {
		for (const { state, id } of responsibles) if (state === 'here') ids.push(id);
		if (ids.includes('')) addProblem(person, userErrors.responsibleWithoutId);
		if (ids.length < responsibles.length) findings.add(userNotes.responsibleGone, row.place);
		if (person.lacksResponsible) addProblem(person, userErrors.responsibleNotInFile);
	}
	if (id === '') addProblem(person, userErrors.idMissing(rules.userIdFrom));
	return distinct(ids);
}

/** Type and number of the identity document. `userIds` is a list of `{type:id}`. */
function documentOf(row: TableRow, { documentType, documentFrom }: Rules): Record<string, Fields[string]> {
	if (documentType === '') return {};
	let value = row.cell(documentFrom);
	if (documentFrom === 'userIds') {
		const entries = [...value.matchAll(/\{([^:{}]*):([^{}]*)\}/g)];
		const isAsked = ([, type]: string[]) => type.trim().toLowerCase() === documentType.toLowerCase();
		value = entries.find(isAsked)?.[2].trim() ?? '';
	}
	return value === '' ? {} : { document_type: documentType, document_value: value };
}
