/** "Synchronization resources" of the service's document, row by row. The tables show sizes, not what is required. */
import type { DocumentedField, FieldTable } from './field-table.mts';
import * as people from './people.mts';

const text = (name: string, size: number): DocumentedField => ({
	name,
	type: 'string',
	size,
	required: 'not shown',
});

const dateOfBirth: DocumentedField = { name: 'date_of_birth', type: 'date', size: 10, required: 'not shown' };
const phone: DocumentedField = {
	name: 'cell_phone',
	type: { object: people.cellPhone },
	required: 'not shown',
};
const documents: DocumentedField = {
	name: 'documents',
	type: { list: people.personDocument },
	required: 'not shown',
};

/** Account user (result of the account lookup). The sample shows `user_id` where the table says `id`. */
export const accountUser: FieldTable = {
	title: 'Account user',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('account_id', 36),
		text('external_id', 50),
		text('name', 100),
		dateOfBirth,
		phone,
		text('email', 200),
		text('academic_email', 200),
		text('login', 50),
		documents,
	],
};

/** Dependent: same fields as the account user. */
export const dependent: FieldTable = { title: 'Dependent', fields: accountUser.fields };

/** Sponsor (responsible person): no academic e-mail or login. */
export const sponsor: FieldTable = {
	title: 'Sponsor (responsible person)',
	fields: accountUser.fields.filter(({ name }) => name !== 'academic_email' && name !== 'login'),
};

export const tenant: FieldTable = {
	title: 'Tenant (sync)',
	fields: people.tenantFields(() => 'not shown'),
};

export const address: FieldTable = {
	title: 'Address',
	fields: [
		text('zip', 10),
		text('city', 50),
		text('state', 2),
		text('address', 100),
		text('number', 10),
		text('neighborhood', 50),
		text('complement', 50),
	],
};

export const school: FieldTable = {
	title: 'School (sync)',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('name', 50),
		text('cnpj', 18),
		text('external_id', 50),
		{ name: 'addresses', type: { list: address }, required: 'not shown' },
		text('email', 200),
	],
};

/** Class of a user. */
export const classOfUser: FieldTable = {
	title: 'Class of a user (sync)',
	fields: [
		text('hash', 500),
		text('id', 36),
		text('name', 100),
		text('school_id', 36),
		text('external_id', 50),
		text('course_code', 50),
		text('description', 500),
		{ name: 'year', type: 'int', required: 'not shown' },
		{ name: 'educational_stage', type: { object: people.educationalStage }, required: 'not shown' },
		{ name: 'grade', type: { object: people.grade }, required: 'not shown' },
		{ name: 'profiles', type: { list: people.profile }, required: 'not shown' },
		{ name: 'subjects', type: { list: people.subject }, required: 'not shown' },
		{ name: 'shift', type: { object: people.shift }, required: 'not shown' },
	],
};
