import * as calls from '../../../shared/calls/synchronization';
import { tenantId } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const get = defineOperation({
	...calls.getTenant,
	name: 'get',
	label: 'Get',
	action: 'Get tenant that owns schools',
	description: 'Get the economic group (school network) that owns the schools',
	fields: { tenant_id: tenantId },
});
