import * as calls from '../../../shared/calls/provisioning';
import { defineOperation } from '../../framework/operation';

export const getAll = defineOperation({
	...calls.getProfiles,
	name: 'getAll',
	label: 'Get Many',
	action: 'Get many profiles',
	description: 'Get the profiles (roles) that users can have, such as student or responsible',
	fields: {},
});
