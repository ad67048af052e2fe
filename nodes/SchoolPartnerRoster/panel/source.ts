/** Where the roster comes from. */
import type { INodeProperties } from 'n8n-workflow';

const FILES = {
	name: 'Files',
	value: 'files',
	description: 'CSV files, or one zip of them, that the school system exports: OneRoster 1.1 or 1.2, or Microsoft SDS v2.1',
};
const ROWS = {
	name: 'Rows of a Sheet',
	value: 'rows',
	description: 'One item for each student, with columns of your own: you say below which column is what',
};
const RECORDS = {
	name: 'Records',
	value: 'records',
	description: 'Items in the form that Read Files gives, maybe changed by other nodes',
};

const source = (operation: 'plan' | 'readFiles', options: typeof FILES[]): INodeProperties => ({
	displayName: 'Roster Comes From',
	name: 'source',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { operation: [operation] } },
	options,
	default: 'files',
	description: 'What the items of the input hold',
});

const format: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	displayOptions: { show: { operation: ['plan', 'readFiles'], source: ['files'] } },
	options: [
		{ name: 'Automatic', value: 'automatic', description: 'Tell it by the names of the files and of their columns' },
		{ name: 'OneRoster CSV (1.1 or 1.2)', value: 'oneRoster', description: 'From PowerSchool, Infinite Campus, Skyward, Clever, ClassLink and most others' },
		{ name: 'School Data Sync (SDS) v2.1', value: 'sds', description: 'The files that a school prepares for Microsoft 365 Education' },
	],
	default: 'automatic',
	description: 'Which files the school system exports',
};

const columns: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	displayOptions: { show: { operation: ['plan', 'readFiles'], source: ['rows'] } },
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getRosterColumns',
			mode: 'add',
			valuesLabel: 'Columns of the Sheet',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: false,
			hideNoDataError: true,
		},
	},
	description: 'Which column of the sheet is what. Drag each column from the input to its field.',
};

export const sourceProperties: INodeProperties[] = [
	source('plan', [FILES, RECORDS, ROWS]),
	source('readFiles', [FILES, ROWS]),
	format,
	columns,
];
