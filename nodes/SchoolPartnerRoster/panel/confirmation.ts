/** The options that say when a user who was created counts as there. */
import type { INodeProperties } from 'n8n-workflow';

import { choiceField, rowsField, textField } from '../../shared/actions/properties';

export const confirmation: INodeProperties[] = [
	choiceField({
		name: 'confirmation',
		default: 'answer',
		description: 'When a user who was created counts as being there',
		choices: {
			answer: 'The answer to the creation counts, unless it says that it was not done',
			callback:
				"The account must be seen in the result of the creation (callback). Until then bonds wait. Needs 'Confirmation Query'.",
		},
	}),
	rowsField(
		{
			name: 'confirmationQuery',
			placeholder: 'Add Query Parameter',
			description:
				'How the result of the creation of a user is asked for. The document of the service does not show the names: ask its operator for them.',
		},
		'parameter',
		[
			textField({ displayName: 'Parameter Name', name: 'name', placeholder: 'e.g. external_id' }),
			textField({
				displayName: 'Parameter Value',
				name: 'value',
				placeholder: 'e.g. {external_id}',
				description:
					'Text with {external_id}, {school_external_id} or {service_id} in it, for those of the user. The last is the ID that the service gave when the user was created.',
			}),
		],
	),
	textField({
		name: 'confirmedStatuses',
		default: 'created',
		placeholder: 'e.g. created, active',
		description:
			'The statuses with which the result of a creation says that the account is there, with commas between them',
	}),
];
