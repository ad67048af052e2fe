/** "Event resources" of the service's document, row by row. */
import type { DocumentedField, FieldTable } from './field-table.mts';
import * as people from './people.mts';

const text = (name: string, size: number, required = true): DocumentedField => ({
	name,
	type: 'string',
	size,
	required,
});

const object = (name: string, table: FieldTable, required = true): DocumentedField => ({
	name,
	type: { object: table },
	required,
});

const list = (name: string, table: FieldTable, required = true): DocumentedField => ({
	name,
	type: { list: table },
	required,
});

export const eventHeader: FieldTable = {
	title: 'Header',
	fields: [
		text('request_id', 36),
		text('client_id', 200),
		text('action', 100),
		{ name: 'created_at', type: 'datetime', size: 20, required: true },
	],
};

export const eventTenant: FieldTable = {
	title: 'Tenant',
	fields: people.tenantFields((name) => name !== 'external_id'),
};

/** The tables name the school's tax id `cnpj`; the sample payloads spell it `cpnj`. */
export const eventSchool: FieldTable = {
	title: 'School',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('name', 50),
		text('cnpj', 18),
		text('external_id', 50, false),
	],
};

export const eventClass: FieldTable = {
	title: 'Class (in events)',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('name', 100),
		text('school_id', 36),
		text('code', 50),
		text('external_id', 50, false),
		text('course_code', 50, false),
		text('description', 500, false),
		{ name: 'year', type: 'int', size: 4, required: true },
		object('educational_stage', people.educationalStage),
		object('grade', people.grade),
		object('shift', people.shift, false),
	],
};

export const eventUser: FieldTable = {
	title: 'User (in events)',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('account_id', 36),
		text('name', 100),
		{ name: 'date_of_birth', type: 'date', size: 10, required: true },
		object('cell_phone', people.cellPhone, false),
		text('email', 200, false),
		text('academic_email', 200, false),
		text('login', 50, false),
		text('external_id', 50, false),
		list('documents', people.personDocument, false),
		{ name: 'responsible_ids', type: 'string[]', size: 36, required: false },
	],
};

export const eventBond: FieldTable = {
	title: 'Bond (in events)',
	fields: [
		text('user_id', 36),
		text('class_id', 36),
		list('profiles', people.profile),
		list('subjects', people.subject, false),
	],
};

export const structureSchool: FieldTable = {
	title: 'StructureSchool',
	fields: [
		text('hash', 500),
		object('tenant', eventTenant),
		object('school', eventSchool),
		object('class', eventClass),
	],
};

export const structureUsers: FieldTable = {
	title: 'StructureUsers',
	fields: [text('hash', 500), list('users', eventUser), object('bond', eventBond)],
};

export const userAccessPayload: FieldTable = {
	title: 'USER_ACCESS payload',
	fields: [object('structure_school', structureSchool), object('structure_users', structureUsers)],
};

export const userAccessRevocationPayload: FieldTable = {
	title: 'USER_ACCESS_REVOCATION payload',
	fields: [object('bond', eventBond)],
};

/** Result of the event query. */
export const storedEvent: FieldTable = {
	title: 'Stored event record (result of the event query)',
	fields: [
		{ name: 'payload', type: 'string', required: 'not shown' },
		{ name: 'message', type: 'string', required: 'not shown' },
		{ name: 'status', type: 'int', required: 'not shown' },
		{ name: 'sentAt', type: 'datetime', required: 'not shown' },
		{ name: 'isSuccessful', type: 'bool', required: 'not shown' },
	],
};
