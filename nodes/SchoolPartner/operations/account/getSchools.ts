import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getSchools = defineOperation({
	...calls.getSchools,
	name: 'getSchools',
	label: 'Get Schools',
	action: 'Get schools of account',
	description: 'Get the schools of an account, one item for each',
	fields: accountFields,
});
