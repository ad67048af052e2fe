import type { Resource } from '../../framework/operation';

import { getAll } from './getAll';

export const profile: Resource = {
	name: 'profile',
	label: 'Profile',
	description: 'The roles that users can have',
	credential: 'schoolPartnerOAuth2Api',
	operations: [getAll],
};
