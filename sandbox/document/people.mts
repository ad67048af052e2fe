/** Small objects that the events and the synchronization resources share. */
import type { DocumentedField, FieldTable } from './field-table.mts';

/** CellPhone: `ddi` and `value`. */
export const cellPhone: FieldTable = {
	title: 'CellPhone',
	fields: [
		{ name: 'ddi', type: 'string', size: 5, required: true },
		{ name: 'value', type: 'string', size: 20, required: true },
	],
};

/** Document of a person, e.g. identity, passport, tax id. */
export const personDocument: FieldTable = {
	title: 'Document',
	fields: [
		{ name: 'type', type: 'string', size: 20, required: true },
		{ name: 'value', type: 'string', size: 20, required: true },
	],
};

const idAndName = (title: string, nameSize: number): FieldTable => ({
	title,
	fields: [
		{ name: 'id', type: 'string', size: 36, required: true },
		{ name: 'name', type: 'string', size: nameSize, required: true },
	],
});

export const educationalStage = idAndName('EducationalStage', 80);
export const grade = idAndName('Grade', 80);
export const shift = idAndName('Shift', 80);
export const profile = idAndName('Profile', 64);
export const subject = idAndName('Subject', 50);

/** Tenant; the events say which fields are required, the synchronization does not. */
export const tenantFields = (required: (name: string) => DocumentedField['required']): DocumentedField[] => [
	{ name: 'hash', type: 'string', size: 500, required: required('hash') },
	{ name: 'id', type: 'string', size: 36, required: required('id') },
	{ name: 'name', type: 'string', size: 100, required: required('name') },
	{ name: 'external_id', type: 'string', size: 50, required: required('external_id') },
	{ name: 'brand_name', type: 'string', size: 50, required: required('brand_name') },
];
