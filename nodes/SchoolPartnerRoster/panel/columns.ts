/** The fields that a column of a sheet can be, as n8n's resource mapper shows them. */
import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { ROW_FIELDS } from '../reading/readRows';

import { labelOf } from '../../shared/actions/properties';

/** Shown from the start; the others are added where a sheet has them. */
const COMMON: readonly string[] = [
	'school_external_id',
	...['external_id', 'full_name', 'birth_date'].map((field) => `student_${field}`),
	...['external_id', 'name', 'grade', 'year'].map((field) => `class_${field}`),
	...['external_id', 'full_name', 'cell_phone', 'email'].map((field) => `responsible_1_${field}`),
];

const columnOf = (id: string): ResourceMapperField => ({
	...{ id, displayName: labelOf(id), type: 'string', display: true, removed: !COMMON.includes(id) },
	...{ required: id === 'school_external_id', defaultMatch: false, canBeUsedToMatch: false },
});

export async function getRosterColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return { fields: ROW_FIELDS.map(columnOf) };
}
