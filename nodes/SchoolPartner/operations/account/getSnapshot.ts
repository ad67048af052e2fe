import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getSnapshot = defineOperation({
	...calls.getSnapshot,
	name: 'getSnapshot',
	label: 'Get Snapshot',
	action: 'Get snapshot of everything about account',
	description:
		'Get everything about an account at once: tenant, account, sponsors, dependents, schools and classes, as one item',
	fields: accountFields,
});
