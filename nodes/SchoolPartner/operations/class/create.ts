import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/provisioning';
import { schoolExternalId } from '../../fields/school';
import { educationalStage, grade } from '../../fields/stage';
import { defineOperation } from '../../framework/operation';

const externalId: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. class-5a-2026',
	description: 'Your own ID of the class. Bonds refer to the class by it.',
};

const year: INodeProperties = {
	displayName: 'Year',
	name: 'year',
	// Text, so that it starts empty: n8n does not save a value that equals the default, and any number that
	// stood here as the default would be the year of workflows that never meant it.
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 2026',
	description: 'The school year',
};

const code: INodeProperties = {
	displayName: 'Code',
	name: 'code',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5A',
	description: 'The class code',
};

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Grade 5 A',
	description: 'The class name that people see',
};

const course: INodeProperties = {
	displayName: 'Course',
	name: 'course',
	type: 'string',
	default: '',
	placeholder: 'e.g. MATH-5',
	description: 'The course of the class. Sent as null when empty.',
};

const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Morning group of grade 5',
};

const shift: INodeProperties = {
	displayName: 'Shift',
	name: 'shift',
	type: 'string',
	default: '',
	placeholder: 'e.g. morning',
	description: 'The school period. Sent as null when empty.',
};

export const create = defineOperation({
	...calls.createClass,
	name: 'create',
	label: 'Create',
	action: 'Create class',
	description: 'Create a class of a school in one of its educational stages and grades',
	fields: {
		school_external_id: schoolExternalId,
		external_id: externalId,
		educational_stage: educationalStage,
		grade,
		year,
		code,
		name,
	},
	additionalFields: { course, description, shift },
});
