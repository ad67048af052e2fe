import * as calls from '../../shared/calls/synchronization';
import { defineOperation, type Resource } from '../framework/operation';

import { tenant_id } from './ids';

export const tenant: Resource = {
	name: 'tenant',
	label: 'Tenant',
	description: 'Economic groups that own schools',
	credential: 'schoolPartnerOAuth2Api',
	operations: [
		defineOperation({
			...calls.getTenant,
			name: 'get',
			action: 'Get tenant that owns schools',
			description: 'Get the economic group (school network) that owns the schools',
			fields: { tenant_id },
		}),
	],
};
