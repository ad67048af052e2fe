/** The options of Plan Changes: what is held back, what is believed, and how much comes out at once. */
import type { INodeProperties } from 'n8n-workflow';

import { fileFields, userKeys } from './readOptions';

const percent = (
	property: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'>,
): INodeProperties => ({
	...property,
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
});

const howMany = (
	property: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'>,
	maxValue?: number,
): INodeProperties => ({
	...property,
	type: 'number',
	typeOptions: { minValue: 1, ...(maxValue !== undefined && { maxValue }) },
});

export const LARGEST_BATCH = 10_000;
export const MOST_EXPORTS_WITHOUT = 1_000;

export const planOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: ['plan'] } },
	options: [
		{
			displayName: 'After Interruption',
			name: 'afterInterruption',
			type: 'options',
			options: [
				{
					name: 'Go On',
					value: 'goOn',
					description: 'What may have been sent when the run was interrupted is reported, the rest goes on',
				},
				{ name: 'Hold', value: 'hold', description: 'Everything waits until a person approves the plan' },
			],
			default: 'hold',
			description:
				'What to do when the last run did not reach its end. A ledger that was not read whole looks the same, so that Hold is the safe choice.',
		},
		{
			displayName: 'Approved Plan',
			name: 'approvedPlan',
			type: 'string',
			default: '',
			placeholder: 'e.g. p3k9…',
			description:
				'Plan IDs that a person has looked at and approved, with commas between them: of the whole plan, or of the part of one school. They stand in the output Summary (plan_id), with the reason why it is held. If anything is different the next time, it is held again.',
		},
		howMany(
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				default: 500,
				description:
					'How many changes are applied before their ledger rows are written. Give Loop Over Items the same number. After a crash, nobody knows what became of one such batch.',
			},
			LARGEST_BATCH,
		),
		{
			displayName: 'Changed Records',
			name: 'changedRecords',
			type: 'options',
			options: [
				{
					name: 'Report',
					value: 'report',
					description: 'Tell it under Findings, every night until it is settled',
				},
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
				'Whether to look up the profiles, and the stages and grades of each school, so that the plan finds what the service would refuse',
		},
		{
			displayName: 'Completeness',
			name: 'completeness',
			type: 'options',
			options: [
				{ name: 'Complete', value: 'complete', description: 'Bonds that are not in the roster are gone' },
				{ name: 'Partial', value: 'partial', description: 'Nothing is removed because it is not there' },
			],
			default: 'partial',
			displayOptions: { hide: { '/source': ['files'] } },
			description:
				'Whether the rows or records are all there are, so that a bond that is not among them is removed. Files say it themselves.',
		},
		fileFields,
		{
			displayName: 'First Run',
			name: 'firstRun',
			type: 'boolean',
			default: false,
			description:
				"Whether this is the very first run: the ledger must be empty, and nothing is held for being new. Switch it off afterwards, or a lost ledger would create everybody twice. Does the service have the schools already? Then set 'Take as Done' to Everything too.",
		},
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
				'Creations in a school are held when they are more than this percent of what is there: its changes come out on Held, and are not sent until a person approves them. At 100, nothing is held for being new.',
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
				'Removals in a school are held when they are more than this percent of what is there: its changes come out on Held, and are not sent until a person approves them. At 100, nothing is held for being gone.',
		}),
		howMany({
			displayName: 'Most Changes',
			name: 'mostChanges',
			default: 20000,
			description:
				'How many changes come out at most, in their order; what was refused before comes after the rest, what was tried longest ago first. What is left comes in the next run, and is not held there.',
		}),
		{
			displayName: 'Only Schools',
			name: 'onlySchools',
			type: 'string',
			default: '',
			placeholder: 'e.g. school-001, school-002',
			description:
				"External IDs of schools, with commas between them. Only these are planned, and the ledger rows of these are enough. Needs 'User Keys' set to School.",
		},
		howMany(
			{
				displayName: 'Remove After',
				name: 'removeAfter',
				default: 1,
				description:
					'How many exports in a row, each with other content, must lack a bond before it is removed',
			},
			MOST_EXPORTS_WITHOUT,
		),
		{
			displayName: 'Take as Done',
			name: 'takeAsDone',
			type: 'options',
			options: [
				{
					name: 'Changed',
					value: 'changed',
					description: 'What differs was corrected in the service by hand',
				},
				{
					name: 'Everything',
					value: 'everything',
					description: "The service has all of this roster already. On an empty ledger it needs 'First Run'.",
				},
				{ name: 'Nothing', value: 'nothing', description: 'What is not in the ledger is created' },
				{
					name: 'Uncertain',
					value: 'uncertain',
					description: 'What may have been created was looked up, and is there',
				},
			],
			default: 'nothing',
			description:
				'What the ledger learns to be there as it is, without sending anything: for a network that the service has already, for a ledger that was lost, or after corrections by hand',
		},
		{
			displayName: 'Uncertain Creations',
			name: 'uncertainCreations',
			type: 'options',
			options: [
				{
					name: 'Report',
					value: 'report',
					description: 'Tell it under Findings, every night until it is settled',
				},
				{
					name: 'Send Again',
					value: 'sendAgain',
					description: 'Create it again: right for services that refuse doubles',
				},
			],
			default: 'report',
			description: 'What to do with a creation of which nobody knows whether it was done',
		},
		{
			displayName: 'Unfinished After',
			name: 'unfinishedAfter',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 60,
			description:
				'Minutes without a new ledger row, after which a run without an end counts as interrupted and no longer as under way. At 0, it counts as interrupted at once.',
		},
		userKeys,
	],
};
