/** "Enrollment resources" of the service's document, row by row. */
import type { DocumentedField, FieldTable } from './field-table.mts';

const text = (name: string): DocumentedField => ({ name, type: 'string', required: 'not shown' });
const uuid = (name: string): DocumentedField => ({ name, type: 'uuid', required: 'not shown' });
const updatedAt: DocumentedField = { name: 'updated_at', type: 'timestamp', required: 'not shown' };

/** Course of an account (list item). */
export const courseOfAccount: FieldTable = {
	title: 'Course of an account (list item)',
	fields: [
		uuid('school_id'),
		text('code'),
		text('name'),
		uuid('grade_id'),
		text('grade'),
		uuid('educational_stage_id'),
		text('educational_stage'),
		{ name: 'year', type: 'int', required: 'not shown' },
		uuid('shift_id'),
		text('shift'),
		text('status'),
	],
};

export const statusUpdateItem: FieldTable = {
	title: 'Status update item',
	fields: [
		uuid('school_id'),
		text('course_code'),
		text('status'),
		text('payer_id'),
		text('operator'),
		{ name: 'notes', type: 'string', size: 512, required: 'not shown' },
		updatedAt,
	],
};

/** One of `responsible` in the course status message. Its `user_id` is not said to be a UUID. */
export const responsibleInMessage: FieldTable = {
	title: 'Course status message, responsible',
	fields: [
		text('user_id'),
		text('external_id'),
		text('name'),
		text('email'),
		text('phone'),
		text('document_type'),
		text('document'),
		text('date_of_birth'),
	],
};

/** Course status message (body of the course status operation), object `data`. */
export const courseStatusMessage: FieldTable = {
	title: 'Course status message',
	fields: [
		uuid('user_id'),
		text('external_id'),
		text('name'),
		text('email'),
		text('phone'),
		text('document_type'),
		text('document'),
		uuid('school_id'),
		text('course_code'),
		text('status'),
		updatedAt,
		text('date_of_birth'),
		{ name: 'responsible', type: { list: responsibleInMessage }, required: 'not shown' },
	],
};
