import type { Resource } from '../../framework/operation';

import { get } from './get';

export const tenant: Resource = {
	name: 'tenant',
	label: 'Tenant',
	description: 'Economic groups that own schools',
	credential: 'schoolPartnerOAuth2Api',
	operations: [get],
};
