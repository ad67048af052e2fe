/** People: the users of the roster, with their schools, profiles and responsible persons. */
import { keyOf } from '../ledger/key';
import type { Fields, Place } from '../roster/record';

import { readDate } from './dates';
import type { Cause } from '../roster/findings';
import type { Rules } from './mapping';
import {
	birthUnusable,
	enabledHealed,
	leftOut,
	notBegun,
	notEnabled,
	responsibleGone,
	responsibleNotInFile,
	responsibleWithoutId,
	severalRows,
	withoutId,
} from './peopleCauses';
import { blame, schoolsOf, type Person } from './person';
import { phoneOf } from './phone';
import { place, placeResponsible } from './placing';
import {
	cellOf,
	dateNotRead,
	indexOf,
	isNoLongerWhole,
	placeOf,
	remembering,
	type Index,
	type RosterReading,
} from './reading';
import { isTrue, readAgents, readRoles } from './roles';
import type { Schools } from './schools';
import type { Table } from './table';

export interface People {
	/** By sourcedId. */
	known: ReadonlyMap<string, Person>;
	/** Ids of rows that cannot be used. */
	unusable: ReadonlyMap<string, Place>;
}

/** Reads everybody, and gives users to the collector. */
export async function readPeople(reading: RosterReading, schools: Schools): Promise<People> {
	const { tables, rules, findings, collector, turns } = reading;
	const table = tables.users;
	const index = await indexOf(reading, 'users', 'user');
	const known = new Map<string, Person>();
	if (table === undefined) return { known, unusable: index.unusable };
	const rows = [...index.rowOf];
	await turns.forEach(rows.length, (at) =>
		known.set(rows[at][0], personOf(table, rows[at][1], index, rules)),
	);
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
			for (const school of person.schools.length === 0 ? [''] : schoolsOf(person)) {
				collector.leave('user', { school_external_id: school, external_id: person.id }, source);
			}
			return;
		}
		if (person.state !== 'here') return findings.add(person.state === 'later' ? notBegun : leftOut, source);
		give(person, reading, births);
	});
	await noteSeveralRows(reading, everybody);
	return { known, unusable: index.unusable };
}

function personOf(table: Table, row: number, index: Index, rules: Rules): Person {
	return {
		row,
		id: cellOf(table, rules.userIdFrom, row),
		state: index.standing[row] === 'gone' ? 'gone' : 'here',
		roles: [],
		schools: [],
	};
}

/** Day of birth by sourcedId; nothing known of whom the file says nothing. */
interface Births {
	of(sourcedId: string): string | undefined | { cause: Cause; at?: Place };
}

async function readBirths(reading: RosterReading): Promise<Births> {
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
function give(person: Person, reading: RosterReading, births: Births): void {
	const { rules, collector, findings, tables } = reading;
	const table = tables.users as Table;
	const source = placeOf(table, person.row);
	const enabled = cellOf(table, 'enabledUser', person.row);
	if (enabled !== '' && enabled !== 'true')
		findings.add(isTrue(enabled) ? enabledHealed : notEnabled, source);
	const birth = births.of(cellOf(table, 'sourcedId', person.row));
	if (typeof birth === 'object') blame(person, birth.cause, birth.at);
	const isStudent = person.roles.some(({ profile, when }) => profile === 'student' && when === 'now');
	const ids = isStudent ? responsibleIds(person, reading) : [];
	if (person.id === '') blame(person, withoutId(rules));
	const schools = rules.userKeys === 'school' ? schoolsOf(person) : [person.mainSchool ?? ''];
	if (person.causes !== undefined) {
		const causes = new Map(person.causes.map(({ cause, at }) => [cause, at ?? source]));
		const key = keyOf(
			'user',
			{ school_external_id: schools[0] ?? '', external_id: person.id },
			rules.userKeys,
		);
		for (const [cause, at] of causes) findings.add({ ...cause, kind: 'user' }, at, key);
		for (const id of schools)
			collector.refuse('user', { school_external_id: id, external_id: person.id }, source);
		if (person.id === '' || schools.length === 0) isNoLongerWhole(reading, 'user');
		return;
	}
	for (const id of schools) {
		const body: Body = {
			school_external_id: id,
			external_id: person.id,
			profiles: profilesOf(person, rules, id),
		};
		put(body, 'first_name', cellOf(table, 'givenName', person.row));
		put(body, 'last_name', cellOf(table, 'familyName', person.row));
		if (typeof birth === 'string') body.birth_date = birth;
		if (rules.documentType !== '') putDocument(body, table, person.row, rules);
		const phone = phoneOf(cellOf(table, 'sms', person.row) || cellOf(table, 'phone', person.row));
		put(body, 'ddi', phone.ddi);
		put(body, 'cell_phone', phone.cell_phone);
		put(body, 'email', cellOf(table, 'email', person.row));
		if (ids.length > 0) body.responsible_external_id = ids;
		collector.add('user', body, source);
	}
}

type Body = Record<string, Fields[string]>;

/** Only what says something. */
function put(body: Body, field: string, value: string | undefined): void {
	if (value !== undefined && value !== '') body[field] = value;
}

/** Of one school where a person is a user of its own in each, else of all; always in the same order. */
function profilesOf(person: Person, { userKeys }: Rules, school: string): string[] {
	if (userKeys === 'school') {
		return distinct(person.schools.filter((one) => one.school === school).map(({ profile }) => profile));
	}
	const held = person.roles.filter(
		({ when, profile }) => when === 'now' && profile !== undefined && profile !== '',
	);
	return distinct(held.map(({ profile }) => profile as string));
}

function distinct(texts: string[]): string[] {
	return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

/** The ids of a student's responsible persons, always in the same order. */
function responsibleIds(person: Person, { rules, completeness, findings, tables }: RosterReading): string[] {
	const responsibles = person.responsibles ?? [];
	const ids = responsibles.filter(({ state }) => state === 'here').map(({ id }) => id);
	if (ids.includes('')) blame(person, responsibleWithoutId);
	if (ids.length < responsibles.length)
		findings.add(responsibleGone, placeOf(tables.users as Table, person.row));
	if (person.unknownResponsibles !== undefined) {
		// An export of changes names persons who have not changed.
		if (completeness.user === 'changes' && rules.userIdFrom === 'sourcedId')
			ids.push(...person.unknownResponsibles);
		else blame(person, responsibleNotInFile);
	}
	return distinct(ids);
}

/** Number and type of the identity document. `userIds` is a list of `{type:id}`. */
function putDocument(body: Body, table: Table, row: number, { documentType, documentFrom }: Rules): void {
	const from = documentFrom.toLowerCase();
	let value = cellOf(
		table,
		from === 'identifier' ? 'identifier' : from === 'userids' ? 'userIds' : documentFrom,
		row,
	);
	if (from === 'userids') {
		const entries = [...value.matchAll(/\{([^:{}]*):([^{}]*)\}/g)];
		value =
			entries.find(([, type]) => type.trim().toLowerCase() === documentType.toLowerCase())?.[2].trim() ?? '';
	}
	if (value !== '') Object.assign(body, { document_type: documentType, document_value: value });
}

/** In OneRoster 1.1 a person has a row for each role: the service then has two users. */
async function noteSeveralRows(
	{ format, tables, findings, turns }: RosterReading,
	everybody: readonly Person[],
): Promise<void> {
	const table = tables.users;
	if (format !== 'OneRoster 1.1' || table === undefined) return;
	const seen = new Set<string>();
	await turns.forEach(everybody.length, (at) => {
		const person = everybody[at];
		if (person.state !== 'here') return;
		const marks = ['username', 'identifier'].map((column) => [column, cellOf(table, column, person.row)]);
		const filledMarks = marks.filter(([, cell]) => cell !== '').map((mark) => mark.join(' '));
		if (filledMarks.some((mark) => seen.has(mark))) findings.add(severalRows, placeOf(table, person.row));
		for (const mark of filledMarks) seen.add(mark);
	});
}
