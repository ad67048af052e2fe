/** How the words of the school system become those of the service. */
import type { INodeProperties } from 'n8n-workflow';

import { pickedOrTyped } from '../../shared/actions/locator';

const grades: INodeProperties = {
	displayName: 'Grades',
	name: 'grades',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add grade',
	default: {},
	description:
		'Which stage and grade of the service a grade of the files is. A class whose grade is not in the table is left out and told under Findings.',
	options: [
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
					description: 'The grade as the files write it',
				},
				{
					displayName: 'School External ID',
					name: 'schoolExternalId',
					type: 'string',
					default: '',
					placeholder: 'e.g. school-001',
					description: 'Only for this school; empty: for every school. The two lists show the stages and grades of this school.',
				},
				pickedOrTyped(
					{ displayName: 'Educational Stage', name: 'educationalStage', description: 'The stage of the service that it belongs to' },
					'searchEducationalStages',
					'Select a stage…',
					'e.g. elementary',
				),
				pickedOrTyped(
					{ displayName: 'Grade of the Service', name: 'gradeName', description: 'The grade of the service that it is' },
					'searchGrades',
					'Select a grade…',
					'e.g. grade-5',
				),
			],
		},
	],
};

const roles: INodeProperties = {
	displayName: 'Roles',
	name: 'roles',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add role',
	default: {},
	description:
		'Which profile of the service a role of the files is. Known without it: student; teacher is educator; parent, guardian and relative are responsible. Other roles are left out and told under Findings.',
	options: [
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
				pickedOrTyped(
					{ displayName: 'Profile', name: 'profile', description: 'The profile of the service that it is' },
					'searchProfiles',
					'Select a profile…',
					'e.g. coordinator',
				),
			],
		},
	],
};

/** Says how classes, persons and dates of the files are read. */
export const mapping: INodeProperties = {
	displayName: 'Mapping',
	name: 'mapping',
	type: 'collection',
	placeholder: 'Add mapping',
	default: {},
	displayOptions: { show: { operation: ['plan', 'readFiles'], source: ['files', 'rows'] } },
	options: [
		{
			displayName: 'As Of',
			name: 'asOf',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2026-02-01',
			description: 'The day for which the roster is read, as YYYY-MM-DD: what has ended before or begins later does not count. Empty: today in UTC.',
		},
		{
			displayName: 'Class ID From',
			name: 'classIdFrom',
			type: 'options',
			options: [
				{ name: 'Identifier', value: 'identifier' },
				{ name: 'SourcedId', value: 'sourcedId' },
			],
			default: 'sourcedId',
			description: 'Which column of classes holds the external ID. Never change it after the first night: every class would be new.',
		},
		{
			displayName: 'Class Types',
			name: 'classTypes',
			type: 'multiOptions',
			options: [
				{ name: 'Homeroom', value: 'homeroom' },
				{ name: 'Scheduled', value: 'scheduled' },
			],
			default: ['homeroom', 'scheduled'],
			description: 'Which classes of OneRoster files count: the form that a student belongs to, the courses, or both',
		},
		{
			displayName: 'Date Format',
			name: 'dateFormat',
			type: 'options',
			options: ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY'].map((value) => ({ name: value, value })),
			default: 'YYYY-MM-DD',
			description: 'How dates are written. A date is never guessed: 03/04/2015 may be two days.',
		},
		{
			displayName: 'Document From',
			name: 'documentFrom',
			type: 'string',
			default: '',
			placeholder: 'e.g. metadata.cpf',
			description: 'The column of users that holds the number of the identity document: identifier, userIds, or one that begins with metadata. Used with Document Type.',
		},
		{
			displayName: 'Document Type',
			name: 'documentType',
			type: 'string',
			default: '',
			placeholder: 'e.g. CPF',
			description: 'The type of the identity document that is sent for every person who has a number of it',
		},
		grades,
		roles,
		{
			displayName: 'School ID From',
			name: 'schoolIdFrom',
			type: 'options',
			options: [
				{ name: 'Identifier', value: 'identifier' },
				{ name: 'SourcedId', value: 'sourcedId' },
			],
			default: 'sourcedId',
			description: 'Which column of orgs holds the external ID by which the service knows the school',
		},
		{
			displayName: 'User ID From',
			name: 'userIdFrom',
			type: 'options',
			options: [
				{ name: 'Identifier', value: 'identifier' },
				{ name: 'SourcedId', value: 'sourcedId' },
				{ name: 'Username', value: 'username' },
			],
			default: 'sourcedId',
			description: 'Which column of users holds the external ID. Never change it after the first night: everybody would be new.',
		},
		{
			displayName: 'Year',
			name: 'year',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2026',
			description: 'The year of every class. Empty: the year of its session in the files.',
		},
		{
			displayName: 'Year From',
			name: 'yearFrom',
			type: 'options',
			options: [
				{ name: 'As Given', value: 'asGiven', description: 'The school year as the files write it' },
				{ name: 'End', value: 'end', description: 'The year in which the session ends' },
				{ name: 'Start', value: 'start', description: 'The year in which the session begins' },
			],
			default: 'asGiven',
			description: 'Which year of a session is the year of its classes',
		},
	],
};
