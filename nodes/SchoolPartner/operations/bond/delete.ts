import * as calls from '../../../shared/calls/provisioning';
import { bondFields } from '../../fields/bond';
import { defineOperation } from '../../framework/operation';

export const deleteBond = defineOperation({
	...calls.deleteBond,
	name: 'delete',
	label: 'Delete',
	action: 'Delete bond of user with class',
	description: 'Unlink a user with a profile from a class',
	fields: bondFields,
});
