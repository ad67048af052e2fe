import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const get = defineOperation({
	...calls.getAccount,
	name: 'get',
	label: 'Get',
	action: 'Get account',
	description: 'Get a person by account',
	fields: accountFields,
});
