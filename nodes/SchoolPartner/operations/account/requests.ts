/** The requests of the synchronization area (the service's document: Endpoints, Synchronization). */
import type * as z from 'zod/v4-mini';

import { path } from '../../../shared/contract/path';
import type { accountQuery } from '../../../shared/contract/synchronization';
import type { ServiceRequest } from '../../../shared/transport/request';

type AccountQuery = z.output<typeof accountQuery>;

function get(target: string, query?: Record<string, string>): ServiceRequest {
	return { method: 'GET', path: target, ...(query && { query }) };
}

export function accountRequest({ account_id, tenant_id }: AccountQuery): ServiceRequest {
	return get(path`/sync/v1/accounts/${account_id}`, { tenant_id });
}

export function sponsorsRequest({ account_id, tenant_id }: AccountQuery): ServiceRequest {
	return get(path`/sync/v1/accounts/${account_id}/sponsors`, { tenant_id });
}

export function dependentsRequest({ account_id, tenant_id }: AccountQuery): ServiceRequest {
	return get(path`/sync/v1/accounts/${account_id}/dependents`, { tenant_id });
}

export function classesRequest({ account_id, tenant_id }: AccountQuery): ServiceRequest {
	return get(path`/sync/v1/accounts/${account_id}/classes`, { tenant_id });
}

/** Trap: the schools of an account are not under its own path. */
export function schoolsRequest({ account_id, tenant_id }: AccountQuery): ServiceRequest {
	return get(path`/sync/v1/schools/${account_id}`, { tenant_id });
}

export function tenantRequest({ tenant_id }: Pick<AccountQuery, 'tenant_id'>): ServiceRequest {
	return get(path`/sync/v1/tenants/${tenant_id}`);
}
