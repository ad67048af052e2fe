import { rowsField, textField } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

const queryParameters = rowsField(
	{
		name: 'queryParameters',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Query Parameter',
		description:
			'What the query says, for example which account is meant. The document of the service does not show the names: ask its operator for them.',
	},
	'parameter',
	[
		textField({ name: 'name', placeholder: 'e.g. external_id' }),
		textField({ name: 'value', placeholder: 'e.g. student-1042' }),
	],
);

export const accountCreation = defineResource({
	name: 'accountCreation',
	description: 'The results of account creations',
	operations: [
		defineOperation({
			...calls.getAccountCreation,
			name: 'get',
			action: 'Get result of account creation',
			description: 'Get the result of an account creation: the account, the user and the status',
			fields: { parameter: queryParameters },
		}),
	],
});
