/** How the words of the school system become those of the service. */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { pickedOrTyped } from '../../shared/actions/locator';

/** What says something of files only: a sheet has columns of its own, and its ids stand in them. */
const ofFiles = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { '/source': ['files'] } },
});

/** A table of which a person adds rows. */
const table = (
	property: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	row: INodePropertyCollection,
): INodeProperties => ({
	...property,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	options: [row],
});

const grades = table(
	{
		displayName: 'Grades',
		name: 'grades',
		placeholder: 'Add grade',
		description:
			'Which stage and grade of the service a grade of the roster is. A class whose grade is not in the table is left out and told, with the grades that are missing.',
	},
	{
		displayName: 'Grade',
		name: 'grade',
		values: [
			{
				displayName: 'Grade Code',
				name: 'gradeCode',
				type: 'string',
				default: '',
				placeholder: 'e.g. 05',
				description: 'The grade as the roster writes it',
			},
			{
				displayName: 'School External ID',
				name: 'schoolExternalId',
				type: 'string',
				default: '',
				placeholder: 'e.g. school-001',
				description:
					'The school that the row is for; empty: every school. The two lists below show what this school has.',
			},
			pickedOrTyped(
				{
					displayName: 'Educational Stage',
					name: 'educationalStage',
					description: "The stage of the service that it belongs to. The list needs 'School External ID'.",
				},
				'searchEducationalStages',
				'Select a stage…',
				'e.g. elementary',
			),
			pickedOrTyped(
				{
					displayName: 'Grade of the Service',
					name: 'gradeName',
					description: "The grade of the service that it is. The list needs 'School External ID'.",
				},
				'searchGrades',
				'Select a grade…',
				'e.g. grade-5',
			),
		],
	},
);

const roles = table(
	{
		displayName: 'Roles',
		name: 'roles',
		placeholder: 'Add role',
		description:
			'Which profile of the service a role of the files is. Known without it: student; teacher is educator; parent, guardian and relative are responsible. Whoever has another role only is left out and told.',
	},
	{
		displayName: 'Role',
		name: 'role',
		values: [
			{
				displayName: 'Role',
				name: 'role',
				type: 'string',
				default: '',
				placeholder: 'e.g. administrator',
				description: 'The role as the files write it',
			},
			{
				...pickedOrTyped(
					{
						displayName: 'Profile',
						name: 'profile',
						description:
							'The profile of the service that it is; empty: whoever has this role is left out on purpose',
					},
					'searchProfiles',
					'Select a profile…',
					'e.g. coordinator',
				),
				required: false,
			},
		],
	},
);

/** Which column an id is taken from. */
const idFrom = (
	property: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	...others: Array<{ name: string; value: string; description?: string }>
): INodeProperties =>
	ofFiles({
		...property,
		type: 'options',
		options: [
			{ name: 'Identifier', value: 'identifier' },
			{ name: 'SourcedId', value: 'sourcedId' },
			...others,
		],
		default: 'sourcedId',
	});

const DATE_FORMATS = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'];

/** Says how classes, persons and dates of the roster are read. */
export const mapping: INodeProperties = {
	displayName: 'Mapping',
	name: 'mapping',
	type: 'collection',
	placeholder: 'Add mapping',
	default: {},
	displayOptions: {
		show: { operation: ['sync', 'preview', 'takeOver', 'readFiles'], source: ['files', 'rows'] },
	},
	description:
		"How what the school system writes becomes what the service takes. Most rosters need 'Grades', and nothing else.",
	options: [
		ofFiles({
			displayName: 'As Of',
			name: 'asOf',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2026-02-01',
			description:
				'The day for which the roster is read, as YYYY-MM-DD: what has ended before or begins later does not count. Empty: today in UTC.',
		}),
		idFrom({
			displayName: 'Class ID From',
			name: 'classIdFrom',
			description:
				'Which column of the classes holds the external ID (Identifier: the class code). Never change it after the first night: every class would be new.',
		}),
		ofFiles({
			displayName: 'Class Types',
			name: 'classTypes',
			type: 'multiOptions',
			options: [
				{ name: 'Homeroom', value: 'homeroom' },
				{ name: 'Scheduled', value: 'scheduled' },
			],
			default: ['homeroom', 'scheduled'],
			description:
				'Which classes of OneRoster files count: the one that a student belongs to, the courses, or both',
		}),
		{
			displayName: 'Date Format',
			name: 'dateFormat',
			type: 'options',
			options: DATE_FORMATS.map((value) => ({ name: value, value })),
			default: 'YYYY-MM-DD',
			description: 'How dates are written. A date is never guessed: 03/04/2015 may be two days.',
		},
		ofFiles({
			displayName: 'Document From',
			name: 'documentFrom',
			type: 'string',
			default: '',
			placeholder: 'e.g. metadata.cpf',
			description:
				"The column of users that holds the number of the identity document: identifier, userIds, or one that begins with metadata. Goes with 'Document Type'.",
		}),
		ofFiles({
			displayName: 'Document Type',
			name: 'documentType',
			type: 'string',
			default: '',
			placeholder: 'e.g. CPF',
			description:
				"The type of the identity document that is sent for every person who has a number of it. Goes with 'Document From'.",
		}),
		grades,
		ofFiles(roles),
		idFrom({
			displayName: 'School ID From',
			name: 'schoolIdFrom',
			description:
				'Which column of the organisations holds the external ID by which the service knows the school',
		}),
		idFrom(
			{
				displayName: 'User ID From',
				name: 'userIdFrom',
				description:
					'Which column of the users holds the external ID. Never change it after the first night: everybody would be new.',
			},
			{ name: 'Username', value: 'username' },
		),
		{
			displayName: 'Year',
			name: 'year',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2026',
			description: 'The year of every class. Empty: the year that the roster says.',
		},
		ofFiles({
			displayName: 'Year From',
			name: 'yearFrom',
			type: 'options',
			options: [
				{ name: 'As Given', value: 'asGiven', description: 'The school year as the files write it' },
				{ name: 'End', value: 'end', description: 'The year in which the school year ends' },
				{ name: 'Start', value: 'start', description: 'The year in which the school year begins' },
			],
			default: 'asGiven',
			description: 'Which year of a session is the year of its classes',
		}),
	],
};
