/** The fields that a column of a sheet can be, as n8n's resource mapper shows them. */
import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { ROW_FIELDS } from '../reading/readRows';

/** Shown from the start; the others are added where a sheet has them. */
const COMMON: readonly string[] = [
	'school_external_id',
	...['external_id', 'full_name', 'birth_date'].map((field) => `student_${field}`),
	...['external_id', 'name', 'grade', 'year'].map((field) => `class_${field}`),
	...['external_id', 'full_name', 'cell_phone', 'email'].map((field) => `responsible_1_${field}`),
];

/** "Responsible 1 External ID" */
export function columnLabel(field: string): string {
	const words = field
		.split('_')
		.map((word) =>
			word === 'id' || word === 'ddi' ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1),
		);
	return words.join(' ');
}

function columnOf(field: string): ResourceMapperField {
	return {
		id: field,
		displayName: columnLabel(field),
		type: 'string',
		required: field === 'school_external_id',
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: !COMMON.includes(field),
	};
}

export async function getRosterColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return { fields: ROW_FIELDS.map(columnOf) };
}
