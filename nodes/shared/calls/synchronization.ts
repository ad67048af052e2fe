/**
 * The calls of synchronization (the service's document: Endpoints, Synchronization), each with the deviations that the document tells
 * to tolerate.
 */
import type * as z from 'zod/v4-mini';

import { path } from '../contract/path';
import {
	accountQuery,
	accountUser,
	classOfUser,
	dependent,
	school,
	sponsor,
	tenant,
	tenantQuery,
} from '../contract/synchronization';
import { canonicalClass, canonicalSchool, canonicalUser } from '../contract/tolerances';

import type { Answer } from './answer';
import { lookup, type Call, type CallWork } from './call';

type AccountQuery = z.output<typeof accountQuery>;

export const getTenant = lookup(
	tenantQuery,
	({ tenant_id }) => ({ path: path`/sync/v1/tenants/${tenant_id}` }),
	{ shape: 'entity', schema: tenant },
);

export const getAccount = ofAccount((id) => path`/sync/v1/accounts/${id}`, {
	shape: 'entity',
	schema: accountUser,
	canonical: canonicalUser,
});

export const getSponsors = ofAccount((id) => path`/sync/v1/accounts/${id}/sponsors`, {
	shape: 'list',
	schema: sponsor,
	canonical: canonicalUser,
});

export const getDependents = ofAccount((id) => path`/sync/v1/accounts/${id}/dependents`, {
	shape: 'list',
	schema: dependent,
	canonical: canonicalUser,
});

/** Trap: the schools of an account are not under its own path. */
export const getSchools = ofAccount((id) => path`/sync/v1/schools/${id}`, {
	shape: 'list',
	schema: school,
	canonical: canonicalSchool,
});

export const getClasses = ofAccount((id) => path`/sync/v1/accounts/${id}/classes`, {
	shape: 'list',
	schema: classOfUser,
	canonical: canonicalClass,
});

function ofAccount(pathOf: (accountId: string) => string, answer: Answer) {
	const target = ({ account_id, tenant_id }: AccountQuery) => ({
		path: pathOf(account_id),
		query: { tenant_id },
	});
	return lookup(accountQuery, target, answer);
}

/** Six requests side by side; a part for which the service finds nothing is null, or an empty list. All six: nothing found. */
export const getSnapshot: Call<AccountQuery, Extract<CallWork<AccountQuery>, { kind: 'parts' }>> = {
	effect: 'read',
	contract: accountQuery,
	work: {
		kind: 'parts',
		parts: {
			tenant: getTenant,
			account: getAccount,
			sponsors: getSponsors,
			dependents: getDependents,
			schools: getSchools,
			classes: getClasses,
		},
	},
};
