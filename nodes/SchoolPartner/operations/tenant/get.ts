import { tenantQuery } from '../../../shared/contract/synchronization';
import { tenantId } from '../../fields/account';
import { defineOperation } from '../../framework/operation';
import { tenantAnswer } from '../account/answers';
import { tenantRequest } from '../account/requests';

export const get = defineOperation({
	name: 'get',
	label: 'Get',
	action: 'Get tenant that owns schools',
	description: 'Get the economic group (school network) that owns the schools',
	effect: 'read',
	fields: { tenant_id: tenantId },
	contract: tenantQuery,
	work: { kind: 'request', request: tenantRequest, answer: tenantAnswer },
});
