/** The options of each operation that reads a roster: what is held, what is believed, how it is sent. */
import type { INodeProperties } from 'n8n-workflow';

import { sendingOptions } from '../../shared/actions/sending';

import type { OperationName } from './ports';

type Labelled = Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'>;

const percent = (property: Labelled): INodeProperties => ({
	...property,
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
});

const howMany = (property: Labelled, minValue = 1): INodeProperties => ({
	...property,
	type: 'number',
	typeOptions: { minValue },
});

const fileFields: INodeProperties = {
	displayName: 'File Fields',
	name: 'fileFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. data, users',
	displayOptions: { show: { '/source': ['files'] } },
	description:
		'Names of the input fields that hold the files, with commas between them. Empty: all files of all items.',
};

const userIdsUniqueWithin: INodeProperties = {
	displayName: 'User IDs Unique Within',
	name: 'userIdsUniqueWithin',
	type: 'options',
	options: [
		{ name: 'Network', value: 'network', description: 'One user for a person in several schools' },
		{ name: 'School', value: 'school', description: 'A person in two schools is two users' },
	],
	default: 'school',
	description: 'Where the external ID of a user is unique. Never change it after the first night.',
};

const onlySchools: INodeProperties = {
	displayName: 'Only Schools',
	name: 'onlySchools',
	type: 'string',
	default: '',
	placeholder: 'e.g. school-001, school-002',
	description:
		'External IDs of schools, with commas between them, for example for a pilot. Other schools are neither changed nor missed.',
};

const missingRowsMean: INodeProperties = {
	displayName: 'Missing Rows Mean',
	name: 'missingRowsMean',
	type: 'options',
	options: [
		{ name: 'Has Left', value: 'hasLeft', description: 'Bonds that are not in the roster are gone' },
		{ name: 'Nothing', value: 'nothing', description: 'Nothing is removed because it is not there' },
	],
	default: 'nothing',
	displayOptions: { hide: { '/source': ['files'] } },
	description:
		'Whether the rows or records are all there are, so that a bond that is not among them is removed. Files say it themselves.',
};

const holds: INodeProperties[] = [
	howMany({
		displayName: 'Hold Creations From',
		name: 'holdCreationsFrom',
		default: 50,
		description: 'Creations in a school are held only when there are at least so many',
	}),
	percent({
		displayName: 'Hold Creations Percent',
		name: 'holdCreationsPercent',
		default: 25,
		description:
			'Creations in a school are held when they are more than this percent of what is there: they wait until a person approves them. At 100, nothing is held for being new.',
	}),
	howMany({
		displayName: 'Hold Removals From',
		name: 'holdRemovalsFrom',
		default: 20,
		description: 'Removals in a school are held only when there are at least so many',
	}),
	percent({
		displayName: 'Hold Removals Percent',
		name: 'holdRemovalsPercent',
		default: 10,
		description:
			'Removals in a school are held when they are more than this percent of what is there: they wait until a person approves them. At 100, nothing is held for being gone.',
	}),
];

const statuses = (
	displayName: string,
	name: string,
	defaultValue: string,
	description: string,
): INodeProperties => ({
	...{ displayName, name, type: 'string', default: defaultValue, placeholder: 'e.g. 409, 422', description },
});

const ofANight: INodeProperties[] = [
	{
		displayName: 'Changed Records',
		name: 'changedRecords',
		type: 'options',
		options: [
			{ name: 'Report', value: 'report', description: 'Tell it, until it was corrected in the service' },
			{
				name: 'Send Again',
				value: 'sendAgain',
				description: 'Create it again with its new values, for services that take this as an update',
			},
		],
		default: 'report',
		description:
			'What to do with a class or person whose values differ from those that were sent. The service has no update.',
	},
	{
		displayName: 'Check With Service',
		name: 'checkWithService',
		type: 'boolean',
		default: true,
		description:
			'Whether to look up the profiles, and the stages and grades of each school, so that what the service would refuse is told before anything is sent',
	},
	{
		displayName: 'Existing Records',
		name: 'existing',
		type: 'options',
		options: [
			{
				name: 'Adopt',
				value: 'adopt',
				description: 'It is ours. What nobody knows the outcome of is sent again. Needs the statuses below.',
			},
			{
				name: 'Report',
				value: 'report',
				description: "It may be somebody else's: what needs it waits for a person",
			},
		],
		default: 'report',
		description: 'What it means when the service says that a class or person exists already',
	},
	howMany(
		{
			displayName: 'Grace Period (Days)',
			name: 'gracePeriodDays',
			default: 0,
			description: 'How many days a bond must be missing from the roster before it is removed',
		},
		0,
	),
	{
		displayName: 'Send Creations Again on 503',
		name: 'creationsAgainOn503',
		type: 'boolean',
		default: true,
		description:
			'Whether to send a creation again when the answer is 503 (not available). Turn it off when a gateway of your service answers 503 although the work was done: the record is uncertain then.',
	},
	statuses(
		'Statuses That Mean It Exists',
		'existsStatuses',
		'',
		'The statuses with which your service refuses what exists already, with commas between them. Be careful with 400: other refusals may have it too.',
	),
	statuses(
		'Statuses That Mean It Is Gone',
		'goneStatuses',
		'404',
		'The statuses with which your service answers the removal of a bond that is not there, with commas between them',
	),
	...holds,
	...sendingOptions,
];

const optionsOf = (operations: OperationName[], options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: operations } },
	options: options.sort((one, other) => one.displayName.localeCompare(other.displayName)),
});

/** By what they are for: `night` of Sync and Preview. */
export const options = {
	night: optionsOf(
		['sync', 'preview'],
		[...ofANight, fileFields, missingRowsMean, onlySchools, userIdsUniqueWithin],
	),
	takeOver: optionsOf(['takeOver'], [fileFields, onlySchools, userIdsUniqueWithin]),
	readFiles: optionsOf(['readFiles'], [fileFields, userIdsUniqueWithin]),
};
