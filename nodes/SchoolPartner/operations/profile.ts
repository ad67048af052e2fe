import * as calls from '../../shared/calls/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

export const profile = defineResource({
	name: 'profile',
	description: 'The roles that users can have',
	operations: [
		defineOperation({
			...calls.getProfiles,
			name: 'getAll',
			label: 'Get Many',
			action: 'Get many profiles',
			description: 'Get the profiles (roles) that users can have, such as student or responsible',
			fields: {},
		}),
	],
});
