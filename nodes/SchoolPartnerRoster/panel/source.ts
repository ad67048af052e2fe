/** Where the roster comes from. */
import type { INodeProperties } from 'n8n-workflow';

import { choiceField, type Choices } from '../../shared/actions/properties';

import type { OperationName } from './operation';

const files =
	'CSV files, or one zip of them, that the school system exports: OneRoster 1.1 or 1.2, or Microsoft SDS v2.1';
const records = 'Items in the form that Read Files gives, maybe changed by other nodes';
const rows = {
	name: 'Rows of a Sheet',
	description: 'One item for each student, with columns of your own: you say below which column is what',
};

const source = (operations: OperationName[], choices: Choices): INodeProperties =>
	choiceField({
		displayName: 'Roster Comes From',
		name: 'source',
		default: 'files',
		noDataExpression: true,
		displayOptions: { show: { operation: operations } },
		description: 'What the items of the input hold',
		choices,
	});

/** Shown to the operations that read a roster, where it comes from here. */
const from = (value: 'files' | 'rows') => ({
	show: { operation: ['sync', 'preview', 'takeOver', 'readFiles'], source: [value] },
});

const format = choiceField({
	name: 'format',
	default: 'automatic',
	displayOptions: from('files'),
	description:
		'Which files the school system exports. Give the node all files of one export, as a zip or as single files, with the names that they have.',
	choices: {
		automatic: 'Tell it by the names of the files and of their columns',
		oneRoster: {
			name: 'OneRoster CSV (1.1 or 1.2)',
			description:
				'What most school systems export: PowerSchool, Infinite Campus, Skyward, Aeries, Clever, ClassLink and others',
		},
		sds: {
			name: 'School Data Sync (SDS 2.1)',
			description: 'The files that a school prepares for Microsoft 365 Education',
		},
	},
});

const exports = choiceField({
	name: 'exports',
	default: 'together',
	displayOptions: from('files'),
	description: 'Whether the files of all items belong together',
	choices: {
		eachItem:
			'The files of each item are a whole export, such as one zip for each school. One that cannot be used is left out and told; schools that are in none are left alone.',
		together: 'All files of all items are one export',
	},
});

const columns: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	displayOptions: from('rows'),
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getRosterColumns',
			mode: 'add',
			valuesLabel: 'Columns of the Sheet',
			fieldWords: { singular: 'field', plural: 'fields' },
			hideNoDataError: true,
		},
	},
	description:
		'Which column of the sheet is what: drag each column from the input to its field. Map Automatically knows the usual headings in Portuguese, Spanish and English (Matrícula, Nome do aluno, Turma), and says in Needs Attention which it took.',
};

/** What a person may wonder about names, where the columns for them are. */
const fullNames: INodeProperties = {
	displayName:
		'<b>Map Automatically</b> also knows the headings that offices use, and Needs Attention says what it took. Where a sheet has one column for the whole name, use <b>Student Full Name</b> and <b>Responsible 1 Full Name</b>: the first word becomes the first name, the rest the last name (of Prado, Nina, what is behind the comma). A second responsible person, documents and more: <b>Add field to send</b> above.',
	name: 'fullNameNotice',
	type: 'notice',
	default: '',
	displayOptions: from('rows'),
};

export const sourceProperties: INodeProperties[] = [
	source(['sync', 'preview', 'takeOver'], { files, records, rows }),
	source(['readFiles'], { files, rows }),
	format,
	exports,
	columns,
	fullNames,
];

/** Of what says something of sheets only. */
export const OF_ROWS = { show: { '/source': ['rows'] } };

/** Of what says something of files only: a sheet has columns of its own, and its ids stand in them. */
export const OF_FILES = { show: { '/source': ['files'] } };
