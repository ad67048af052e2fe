import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getClasses = defineOperation({
	...calls.getClasses,
	name: 'getClasses',
	label: 'Get Classes',
	action: 'Get classes of account',
	description: 'Get the classes of an account, one item for each',
	fields: accountFields,
});
