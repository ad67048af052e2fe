import * as calls from '../../../shared/calls/provisioning';
import { bondFields } from '../../fields/bond';
import { defineOperation } from '../../framework/operation';

export const create = defineOperation({
	...calls.createBond,
	name: 'create',
	label: 'Create',
	action: 'Create bond of user with class',
	description: 'Link a user to a class with a profile',
	fields: bondFields,
});
