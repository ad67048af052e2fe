import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/provisioning';
import { defineOperation } from '../../framework/operation';

const queryParameters: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Query Parameter',
	default: {},
	description:
		'What the query says, for example which account is meant. The document of the service does not show the names: ask its operator for them.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. external_id',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. student-1042',
				},
			],
		},
	],
};

export const get = defineOperation({
	...calls.getAccountCreation,
	name: 'get',
	label: 'Get',
	action: 'Get result of account creation',
	description: 'Get the result of an account creation: the account, the user and the status',
	fields: { parameter: queryParameters },
});
