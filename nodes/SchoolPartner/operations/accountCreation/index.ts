import type { Resource } from '../../framework/operation';

import { get } from './get';

export const accountCreation: Resource = {
	name: 'accountCreation',
	label: 'Account Creation',
	description: 'The results of account creations',
	credential: 'schoolPartnerOAuth2Api',
	operations: [get],
};
