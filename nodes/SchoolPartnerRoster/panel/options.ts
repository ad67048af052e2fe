/** The options of each operation that reads a roster: what is held, what is believed, how it is sent. */
import type { INodeProperties } from 'n8n-workflow';

import { sendingOptions } from '../../shared/actions/sending';

import { confirmation } from './confirmation';
import { KEPT_OPERATION, type OperationName } from './operation';
import {
	choiceField,
	collectionField,
	numberField,
	rowsField,
	switchField,
	textField,
} from '../../shared/actions/properties';

import { OF_FILES } from './source';

const fileFields = textField({
	name: 'fileFields',
	placeholder: 'e.g. data, users',
	description:
		'Names of the input fields that hold the files, with commas between them. Empty: all files of all items.',
	displayOptions: OF_FILES,
});

const userIdsUniqueWithin = choiceField({
	name: 'userIdsUniqueWithin',
	default: 'school',
	description: 'Where the external ID of a user is unique. Never change it after the first night.',
	choices: {
		network: 'One user for a person in several schools',
		school: 'A person in two schools is two users',
	},
});

const onlySchools = textField({
	name: 'onlySchools',
	placeholder: 'e.g. school-001, school-002',
	description:
		"External IDs of schools, with commas between them, for example for a pilot. Other schools are neither changed nor missed. Not where 'User IDs Unique Within' is 'Network'.",
});

const ofANight: INodeProperties[] = [
	choiceField({
		name: 'missingRowsMean',
		default: 'nothing',
		displayOptions: { hide: { '/source': ['files'] } },
		description:
			'Whether the rows or records are all there are, so that a bond that is not among them is removed. Files say it themselves.',
		choices: {
			hasLeft: 'Bonds that are not in the roster are gone',
			nothing: 'Nothing is removed because it is not there',
		},
	}),
	choiceField({
		name: 'changedRecords',
		default: 'report',
		description:
			'What to do with a class or person whose values differ from those that were sent. The service has no update.',
		choices: {
			report: 'Tell it, until it was corrected in the service',
			sendAgain: 'Create it again with its new values, for services that take this as an update',
		},
	}),
	choiceField({
		name: 'disabledUsers',
		default: 'keep',
		displayOptions: OF_FILES,
		description: 'What it means when a OneRoster file says that a user is not enabled (enabledUser is false)',
		choices: {
			hasLeft: 'The user is gone: the bonds are removed',
			keep: 'Nothing: the user is read like the others, and it is told',
		},
	}),
	switchField({
		name: 'checkWithService',
		description:
			"Whether to look up the profiles, and the stages and grades of each school, so that what the service would refuse is told before anything is sent. When it is off, every grade needs a row under 'Grades'.",
	}),
	choiceField({
		displayName: 'Existing Records',
		name: 'existing',
		default: 'report',
		description: 'What it means when the service says that a class or person exists already',
		choices: {
			adopt: 'It is ours. What nobody knows the outcome of is sent again. Needs the statuses below.',
			report: "It may be somebody else's: what needs it waits for a person",
		},
	}),
	numberField({
		displayName: 'Grace Period (Days)',
		name: 'gracePeriodDays',
		minValue: 0,
		maxValue: 366,
		description:
			'How many days a bond must be missing from the roster before it is removed. What the export itself says is gone is removed at once.',
	}),
	switchField({
		displayName: 'Send Creations Again on 503',
		name: 'creationsAgainOn503',
		description:
			'Whether to send a creation again after a 503 (not available) that asks to wait or is written in the form of the service. After any other 503 it is never sent again. Turn it off when your service answers so although the work was done: the record is uncertain then.',
	}),
	switchField({
		name: 'keepPastYears',
		default: false,
		description: 'Whether bonds to classes of earlier years stay when these classes leave the roster',
	}),
	textField({
		displayName: 'Statuses That Mean It Exists',
		name: 'existsStatuses',
		placeholder: 'e.g. 409, 422',
		description:
			'The statuses with which your service refuses what exists already, with commas between them. Be careful with 400: other refusals may have it too.',
	}),
	textField({
		displayName: 'Statuses That Mean It Is Gone',
		name: 'goneStatuses',
		default: '404',
		placeholder: 'e.g. 409, 422',
		description:
			'The statuses with which your service answers the removal of a bond that is not there, with commas between them. They count after the service has accepted something in the same run, or said that it exists, or on a second night.',
	}),
	...holdOptions('Creations', {
		from: 50,
		percent: 25,
		fewer: 'Where ids have changed, or who leaves is held',
	}),
	...holdOptions('Removals', {
		from: 20,
		percent: 10,
		fewer: 'Where half of a school or nearly a whole class leaves, or ids have changed',
	}),
	...sendingOptions,
];

/** From how many on, and from which share on, what changes in one direction is held. @param fewer when others are */
function holdOptions(
	direction: 'Creations' | 'Removals',
	{ from, percent, fewer }: { from: number; percent: number; fewer: string },
): INodeProperties[] {
	const atLeast = numberField({
		name: `hold${direction}From`,
		minValue: 1,
		default: from,
		description: `${direction} in a school are held for their percent only when there are at least so many. ${fewer}, fewer are held too.`,
	});
	const share = numberField({
		name: `hold${direction}Percent`,
		minValue: 0,
		maxValue: 100,
		default: percent,
		description: `${direction} of seven days are held when they are more than this percent of what the last export had: they wait until a person approves them. All schools together are held at a third of it. At 100, nothing is held for being many.`,
	});
	return [atLeast, share];
}

const optionsFor = (operations: OperationName[], options: INodeProperties[]): INodeProperties =>
	collectionField({
		name: 'options',
		displayOptions: { show: { [KEPT_OPERATION]: operations } },
		options: options.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});

const verifyOptions: INodeProperties[] = [
	numberField({
		displayName: 'No Access After (Days)',
		name: 'noAccessAfterDays',
		minValue: 0,
		maxValue: 3650,
		default: 30,
		description:
			'Who has been there for so many days, and of whom no access was ever recorded, is counted in Summary',
	}),
	rowsField(
		{
			name: 'profileNames',
			placeholder: 'Add Profile Name',
			description:
				'Which profile is meant by a name in the lists of classes, where the profiles lookup of the service does not have it',
		},
		'profile',
		[
			textField({
				displayName: 'Shown As',
				name: 'name',
				placeholder: 'e.g. Student',
				description: 'As the service shows it',
			}),
			textField({ name: 'profile', placeholder: 'e.g. student', description: 'As bonds are made with it' }),
		],
	),
	numberField({
		name: 'share',
		minValue: 1,
		maxValue: 366,
		description:
			'One in so many people is asked for in a run, by turns: at 7, everybody once in seven runs. At 1, all at once.',
	}),
	textField({
		name: 'tenantId',
		placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		description:
			'The tenant of people of whose school no access event was recorded. Events say it by themselves.',
	}),
	...sendingOptions,
];

/** By what they are for: `night` of Sync and Preview. */
export const options = {
	night: optionsFor(
		['sync', 'preview'],
		[...ofANight, ...confirmation, fileFields, onlySchools, userIdsUniqueWithin],
	),
	verify: optionsFor(['verify'], verifyOptions),
	takeOver: optionsFor(['takeOver'], [fileFields, onlySchools, userIdsUniqueWithin]),
	readFiles: optionsFor(['readFiles'], [fileFields, userIdsUniqueWithin]),
};
