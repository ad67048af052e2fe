import * as calls from '../../shared/calls/synchronization';
import { defineOperation, defineResource } from '../framework/operation';

import { tenant_id } from './ids';

export const tenant = defineResource({
	name: 'tenant',
	description: 'Economic groups that own schools',
	operations: [
		defineOperation({
			...calls.getTenant,
			name: 'get',
			action: 'Get tenant that owns schools',
			description: 'Get the economic group (school network) that owns the schools',
			fields: { tenant_id },
		}),
	],
});
