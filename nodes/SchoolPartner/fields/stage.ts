import type { INodeProperties } from 'n8n-workflow';

export const educationalStage: INodeProperties = {
	displayName: 'Educational Stage',
	name: 'educationalStage',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The stage (segment) that the class belongs to. Fill in School External ID first: the list shows the stages of that school.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a stage…',
			typeOptions: { searchListMethod: 'searchEducationalStages', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. elementary' },
	],
};

export const grade: INodeProperties = {
	displayName: 'Grade',
	name: 'grade',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The grade (series) of the class. The list shows the grades of the stage picked above.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a grade…',
			typeOptions: { searchListMethod: 'searchGrades', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. grade-5' },
	],
};
