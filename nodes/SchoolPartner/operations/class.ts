import { pickedField, textFields } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

import { school_external_id } from './ids';

const fields = {
	school_external_id,
	...textFields({
		external_id: {
			placeholder: 'e.g. class-5a-2026',
			description: 'Your own ID of the class. Bonds refer to the class by it.',
		},
	}),
	educational_stage: pickedField({
		name: 'educationalStage',
		description:
			"The stage (segment) that the class belongs to. Fill in 'School External ID' first: the list shows the stages of that school.",
		searchListMethod: 'searchEducationalStages',
		choose: 'Select a stage…',
		example: 'elementary',
	}),
	grade: pickedField({
		name: 'grade',
		description: 'The grade (series) of the class. The list shows the grades of the stage picked above.',
		searchListMethod: 'searchGrades',
		choose: 'Select a grade…',
		example: 'grade-5',
	}),
	...textFields({
		// Trap: n8n does not save a value that equals the default. A number as default would be the year of workflows that never meant it.
		year: { placeholder: 'e.g. 2026', description: 'The school year' },
		code: { placeholder: 'e.g. 5A', description: 'The class code' },
		name: { placeholder: 'e.g. Grade 5 A', description: 'The class name that people see' },
	}),
};

const additionalFields = textFields({
	course: {
		placeholder: 'e.g. MATH-5',
		description: 'The course of the class. Sent as null when empty.',
	},
	description: { placeholder: 'e.g. Morning group of grade 5' },
	shift: { placeholder: 'e.g. morning', description: 'The school period. Sent as null when empty.' },
});

export const schoolClass = defineResource({
	name: 'class',
	description: 'The classes of a school',
	operations: [
		defineOperation({
			...calls.createClass,
			name: 'create',
			action: 'Create class',
			description: 'Create a class of a school in one of its educational stages and grades',
			fields,
			additionalFields,
		}),
	],
});
