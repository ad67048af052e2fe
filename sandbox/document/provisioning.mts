/** "Provisioning resources" of the service's document, row by row. */
import type { FieldTable } from './field-table.mts';

/** Class creation payload. */
export const classCreation: FieldTable = {
	title: 'Class creation payload',
	fields: [
		{ name: 'school_external_id', type: 'string', required: 'not shown' },
		{ name: 'external_id', type: 'string', required: 'not shown' },
		{ name: 'educational_stage', type: 'string', required: 'not shown' },
		{ name: 'grade', type: 'string', required: 'not shown' },
		{ name: 'shift', type: 'string', required: 'not shown', nullable: true },
		{ name: 'year', type: 'int', required: 'not shown' },
		{ name: 'code', type: 'string', required: 'not shown' },
		{ name: 'name', type: 'string', required: 'not shown' },
		{ name: 'description', type: 'string', required: 'not shown' },
		{ name: 'course', type: 'string', required: 'not shown', nullable: true },
	],
};

/** User creation payload (responsible and student). */
export const userCreation: FieldTable = {
	title: 'User creation payload (responsible and student)',
	fields: [
		{ name: 'external_id', type: 'string', required: 'not shown' },
		{ name: 'first_name', type: 'string', required: 'not shown' },
		{ name: 'last_name', type: 'string', required: 'not shown' },
		{ name: 'birth_date', type: 'date', required: 'not shown' },
		{ name: 'document_type', type: 'string', required: 'not shown' },
		{ name: 'document_value', type: 'string', required: 'not shown' },
		{ name: 'ddi', type: 'string', required: 'not shown' },
		{ name: 'cell_phone', type: 'string', required: 'not shown' },
		{ name: 'email', type: 'string', required: 'not shown' },
		{ name: 'profiles', type: 'string[]', required: 'not shown' },
		{ name: 'responsible_external_id', type: 'string[]', required: 'not shown' },
		{ name: 'school_external_id', type: 'string', required: 'not shown' },
	],
};

/** Bond payload (create and delete use the same shape). */
export const bondPayload: FieldTable = {
	title: 'Bond payload (create and delete use the same shape)',
	fields: [
		{ name: 'school_external_id', type: 'string', required: 'not shown' },
		{ name: 'class_external_id', type: 'string', required: 'not shown' },
		{ name: 'user_external_id', type: 'string', required: 'not shown' },
		{ name: 'profile_name', type: 'string', required: 'not shown' },
	],
};

/** Profile (returned by the profiles lookup). */
export const profileResource: FieldTable = {
	title: 'Profile (returned by the profiles lookup)',
	fields: [
		{ name: 'code', type: 'int', required: 'not shown' },
		{ name: 'name', type: 'string', required: 'not shown' },
		{ name: 'type', type: 'string', required: 'not shown' },
		{ name: 'description', type: 'string', required: 'not shown' },
	],
};

/** One grade of an educational stage. */
export const gradeResource: FieldTable = {
	title: 'Grade',
	fields: [
		{ name: 'name', type: 'string', required: 'not shown' },
		{ name: 'description', type: 'string', required: 'not shown' },
	],
};

/** Educational stage (returned by the educational-stages lookup). */
export const educationalStageResource: FieldTable = {
	title: 'Educational stage (returned by the educational-stages lookup)',
	fields: [
		{ name: 'name', type: 'string', required: 'not shown' },
		{ name: 'description', type: 'string', required: 'not shown' },
		{ name: 'grades', type: { list: gradeResource }, required: 'not shown' },
	],
};

/** `data` of a class creation result. */
export const classCreationResult: FieldTable = {
	title: 'Class creation result',
	fields: [
		{ name: 'id', type: 'string', required: 'not shown' },
		{ name: 'external_id', type: 'string', required: 'not shown' },
		{ name: 'name', type: 'string', required: 'not shown' },
		{ name: 'status', type: 'string', required: 'not shown' },
	],
};

/** `data` of the account-creation callback. */
export const callbackResult: FieldTable = {
	title: 'Callback result',
	fields: [
		{ name: 'account_id', type: 'string', required: 'not shown' },
		{ name: 'user_id', type: 'string', required: 'not shown' },
		{ name: 'status', type: 'string', required: 'not shown' },
	],
};
