import * as calls from '../../shared/calls/provisioning';
import { defineOperation, type Resource } from '../framework/operation';

export const profile: Resource = {
	name: 'profile',
	label: 'Profile',
	description: 'The roles that users can have',
	credential: 'schoolPartnerOAuth2Api',
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
};
