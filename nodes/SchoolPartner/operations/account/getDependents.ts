import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getDependents = defineOperation({
	...calls.getDependents,
	name: 'getDependents',
	label: 'Get Dependents',
	action: 'Get dependents of account',
	description: 'Get the persons that an account is responsible for, one item for each',
	fields: accountFields,
});
