import { pickedOrTyped } from '../../shared/actions/locator';

export const educationalStage = pickedOrTyped(
	{
		displayName: 'Educational Stage',
		name: 'educationalStage',
		description:
			"The stage (segment) that the class belongs to. Fill in 'School External ID' first: the list shows the stages of that school.",
	},
	'searchEducationalStages',
	'Select a stage…',
	'e.g. elementary',
);

export const grade = pickedOrTyped(
	{
		displayName: 'Grade',
		name: 'grade',
		description: 'The grade (series) of the class. The list shows the grades of the stage picked above.',
	},
	'searchGrades',
	'Select a grade…',
	'e.g. grade-5',
);
