/** The options that every operation of the service has: how many, how long, how often, and what "nothing" means. */
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { Already, Reading } from '../../shared/calls/answer';
import { refusalStatuses } from '../../shared/contract/statuses';
import { failed, inputFailure, success, type Outcome } from '../../shared/failure';

import type { Expressions } from '../../shared/actions/expressions';
import { fieldNames, fieldsToReturnOf, isNoneChosen } from './fieldsToReturn';
import { answerOf, type Operation } from './operation';
import { optionSources, parameterReader, valuesOf } from '../../shared/actions/parameters';
import {
	choiceField,
	collectionField,
	numberField,
	switchField,
	textField,
	type Own,
} from '../../shared/actions/properties';
import { between, sendingOptions, sendingShape } from '../../shared/actions/sending';

const failOrSucceed = z._default(z.enum(['fail', 'succeed'], { error: 'must be fail or succeed' }), 'fail');
const onUnlessOff = z._default(z.boolean({ error: 'must be on or off' }), true);

const settings = z.object({
	...sendingShape,
	batchSize: z._default(between(1, 500), 50),
	existsStatuses: z._default(refusalStatuses, [409]),
	fieldsToReturn: fieldNames,
	retryCreationsOn503: onUnlessOff,
	simplify: onUnlessOff,
	whenExists: failOrSucceed,
	whenGone: failOrSucceed,
	whenNothingFound: z._default(
		z.enum(['none', 'empty', 'fail'], { error: 'must be none, empty or fail' }),
		'none',
	),
});

export type Settings = z.output<typeof settings>;

const batchSize = numberField({
	name: 'batchSize',
	minValue: 1,
	maxValue: 500,
	default: 50,
	description: 'How many status updates for the same account or user travel in one request',
});

const retryCreationsOn503 = switchField({
	displayName: 'Send Creations Again on 503',
	name: 'retryCreationsOn503',
	description:
		'Whether to send a creation again after a 503 (not available) that asks to wait or is written in the form of the service. After any other 503 it is never sent again. Turn it off when your service answers so although the work was done: the item then fails and says that the record may exist.',
});

const whenNothingFound = choiceField({
	name: 'whenNothingFound',
	choices: {
		fail: { name: 'Fail the Item' },
		empty: { name: 'Return an Empty Item' },
		none: { name: 'Return No Item' },
	},
	default: 'none',
	description: 'What leaves the node for an input item for which the service finds nothing',
});

const failUnlessSucceed = (own: Own) =>
	choiceField({
		choices: { fail: { name: 'Fail the Item' }, succeed: '' },
		default: 'fail',
		...own,
	});

/** Where a refusal may say that what was asked is so already. */
const ofAlready: Record<Already, INodeProperties[]> = {
	exists: [
		failUnlessSucceed({
			displayName: 'When It Exists Already',
			name: 'whenExists',
			description:
				"What to do with an item whose record the service refuses because it exists already. Succeed: the item leaves with 'already_there'. The record stays as it is.",
		}),
		textField({
			displayName: 'Statuses That Mean It Exists',
			name: 'existsStatuses',
			displayOptions: { show: { whenExists: ['succeed'] } },
			default: '409',
			placeholder: 'e.g. 409, 422',
			description:
				'The statuses with which your service refuses what exists already, with commas between them. Be careful with 400: other refusals may have it too.',
		}),
	],
	gone: [
		failUnlessSucceed({
			displayName: 'When It Is Gone Already',
			name: 'whenGone',
			description:
				"What to do with an item whose record the service does not know any more (404). Succeed: the item leaves with 'already_gone'.",
		}),
	],
};

const GONE_STATUSES = [404];

/** What can be set for a run of an operation. */
function runOptions(operation: Operation): INodeProperties[] {
	const sends = operation.effect !== 'local' && operation.isFetchedOnce !== true;
	const { creates, already } = answerOf(operation);
	return [
		...(operation.work.kind === 'merged' && !operation.work.single ? [batchSize] : []),
		...(sends ? sendingOptions : []),
		...(creates ? [retryCreationsOn503] : []),
		...(already ? ofAlready[already] : []),
		...(operation.effect === 'read' ? [whenNothingFound, fieldsToReturnOf(operation)] : []),
	];
}

/** The collection "Options" of an operation: its own, and those of every operation that sends requests. */
export function optionsOf(operation: Operation): INodeProperties {
	const options = [...Object.values(operation.optionFields ?? {}), ...runOptions(operation)];
	return collectionField({
		name: 'options',
		options: options.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});
}

/** Which refusals count as done in a run. */
export function alreadyOf({ whenExists, existsStatuses, whenGone }: Settings): Reading['already'] {
	return {
		...(whenExists === 'succeed' && { exists: existsStatuses }),
		...(whenGone === 'succeed' && { gone: GONE_STATUSES }),
	};
}

/** What holds for all items of a run: expressions are evaluated for the first. */
export function readSettings(
	context: Expressions,
	items: readonly INodeExecutionData[],
	operation: Operation,
): Outcome<Settings> {
	const options = runOptions(operation).map((option) => [option.name, option] as const);
	const simplify = {
		field: 'simplify',
		label: 'Simplify',
		read: parameterReader(context, items, 'simplify', true),
	};
	const sources = [...optionSources(context, items, Object.fromEntries(options)), simplify];
	const values = valuesOf(sources, 0);
	if (!values.ok) return values;
	const { fieldsToReturn: fields, ...others } = values.value.values;
	const checked = settings.safeParse(isNoneChosen(context) ? others : { ...others, fieldsToReturn: fields });
	if (checked.success) return success(checked.data);
	const [{ path, message }] = checked.error.issues;
	const label = sources.find(({ field }) => field === path[0])?.label ?? '';
	const place = label === 'Simplify' ? 'in' : 'under Options in';
	const next = `Change it ${place} this node. Nothing was sent.`;
	return failed(inputFailure({ message: `${label} ${message}`, next }));
}
