/** How the words of the school system become those of the service. */
import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	pickedField,
	rowsField,
	textField,
	type Choices,
	type Own,
} from '../../shared/actions/properties';

import { KEPT_OPERATION } from './operation';
import { OF_FILES, OF_ROWS } from './source';

const grades = rowsField(
	{
		name: 'grades',
		description:
			'Which stage and grade of the service a grade of the roster is. One that is called as in the service needs no row; classes of others are left out and told, with the grades that are missing.',
	},
	'grade',
	[
		textField({
			name: 'gradeCode',
			placeholder: 'e.g. 05',
			description: 'The grade as the roster writes it',
		}),
		textField({
			name: 'schoolExternalId',
			placeholder: 'e.g. school-001',
			description:
				'The school that the row is for; empty: every school. The two lists below show what this school has.',
		}),
		pickedField({
			name: 'educationalStage',
			required: false,
			description:
				"The stage of the service that it belongs to. The list needs 'School External ID'. If this and 'Grade of the Service' are empty, classes of this grade are left out on purpose.",
			searchListMethod: 'searchEducationalStages',
			choose: 'Select a stage…',
			example: 'elementary',
		}),
		pickedField({
			displayName: 'Grade of the Service',
			name: 'gradeName',
			required: false,
			description: "The grade of the service that it is. The list needs 'School External ID'.",
			searchListMethod: 'searchGrades',
			choose: 'Select a grade…',
			example: 'grade-5',
		}),
	],
);

const schools = rowsField(
	{
		name: 'schools',
		description:
			'Which school of the service a school code of the roster is. A code that is not in the table is the external ID itself.',
	},
	'school',
	[
		textField({
			name: 'schoolCode',
			placeholder: 'e.g. 17',
			description: 'The school as the roster writes it',
		}),
		textField({
			name: 'schoolExternalId',
			placeholder: 'e.g. school-001',
			description: 'The external ID by which the service knows the school',
		}),
	],
);

const roles = rowsField(
	{
		name: 'roles',
		description:
			'Which profile of the service a role of the files is. Known without it: student; teacher is educator; parent, guardian and relative are responsible. Whoever has another role only is left out and told; a student whose guardian may have one waits.',
	},
	'role',
	[
		textField({
			name: 'role',
			placeholder: 'e.g. administrator',
			description: 'The role as the files write it',
		}),
		pickedField({
			name: 'profile',
			required: false,
			description:
				'The profile of the service that it is; empty: whoever has this role is left out on purpose',
			searchListMethod: 'searchProfiles',
			choose: 'Select a profile…',
			example: 'coordinator',
		}),
	],
);

const ID_COLUMNS: Choices = { identifier: '', sourcedId: { name: 'SourcedId' } };

const idFrom = (own: Own, choices = ID_COLUMNS): INodeProperties =>
	choiceField({ ...own, default: 'sourcedId', displayOptions: OF_FILES, choices });

const DATE_FORMATS = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'];

const entries: INodeProperties[] = [
	textField({
		name: 'asOf',
		placeholder: 'e.g. 2026-02-01',
		description:
			'The day for which the roster is read, as YYYY-MM-DD: what has ended before or begins later does not count. Empty: today, in the time zone of the workflow.',
		displayOptions: OF_FILES,
	}),
	choiceField({
		name: 'classIdFrom',
		default: 'sourcedId',
		description:
			'What the external ID of a class is. After the first night, change it only at the turn of a year: every class is new then, and Sync is held once.',
		choices: {
			identifier: 'Files: the class code; classes that share one are left out. Rows: the column.',
			identifierAndYear: {
				name: 'Identifier and Year',
				description: 'The same with the year behind it, for codes that come again each year',
			},
			sourcedId: { name: 'SourcedId', description: 'Files: the sourcedId. Rows: the column.' },
		},
	}),
	choiceField({
		name: 'classTypes',
		type: 'multiOptions',
		default: ['homeroom', 'scheduled'],
		description:
			'Which classes of OneRoster files count: the one that a student belongs to, the courses, or both',
		choices: { homeroom: '', scheduled: '' },
		displayOptions: OF_FILES,
	}),
	choiceField({
		name: 'dateFormat',
		default: 'YYYY-MM-DD',
		description: 'How dates are written. A date is never guessed: 03/04/2015 may be two days.',
		choices: Object.fromEntries(DATE_FORMATS.map((name) => [name, { name }])),
	}),
	textField({
		name: 'documentFrom',
		placeholder: 'e.g. metadata.cpf',
		description:
			"The column of users that holds the number of the identity document: identifier, userIds, or one that begins with metadata. Goes with 'Document Type'.",
		displayOptions: OF_FILES,
	}),
	textField({
		name: 'documentType',
		placeholder: 'e.g. CPF',
		description:
			"The type of the identity document that is sent for every person who has a number of it. Goes with 'Document From'.",
		displayOptions: OF_FILES,
	}),
	grades,
	choiceField({
		name: 'responsibleIds',
		displayName: 'Responsible IDs',
		default: 'column',
		displayOptions: OF_ROWS,
		description:
			'What the external ID of a responsible person is. Never change it after the first night: all of them would be new.',
		choices: {
			column: 'What the column of the sheet says',
			document:
				'A digest of the document, so that siblings share a mother. Who has none, or a placeholder: as for Student.',
			student:
				"The student's ID and the place in the row, so that each student has responsible persons of its own",
		},
	}),
	{ ...roles, displayOptions: OF_FILES },
	idFrom({
		name: 'schoolIdFrom',
		description:
			'Which column of the organisations holds the external ID by which the service knows the school',
	}),
	schools,
	idFrom(
		{
			name: 'userIdFrom',
			description:
				'Which column of the users holds the external ID. Never change it after the first night: everybody would be new.',
		},
		{ ...ID_COLUMNS, username: '' },
	),
	textField({
		name: 'year',
		placeholder: 'e.g. 2026',
		description: 'The year of every class. Empty: the year that the roster says.',
	}),
	choiceField({
		name: 'yearFrom',
		default: 'asGiven',
		description: 'Which year of a session is the year of its classes',
		choices: {
			asGiven: 'The school year as the files write it',
			end: 'The year in which the school year ends',
			start: 'The year in which the school year begins',
		},
		displayOptions: OF_FILES,
	}),
];

export const mapping: INodeProperties = {
	displayName: 'Mapping',
	name: 'mapping',
	type: 'collection',
	placeholder: 'Add mapping',
	default: {},
	displayOptions: {
		show: { [KEPT_OPERATION]: ['sync', 'preview', 'takeOver', 'readFiles'], '/source': ['files', 'rows'] },
	},
	description:
		"How what the school system writes becomes what the service takes. Most rosters need 'Grades', and nothing else.",
	options: entries,
};
