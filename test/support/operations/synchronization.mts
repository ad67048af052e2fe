/** "Synchronization API" of the service's document, and the query of a stored event. */
import * as events from '../../../sandbox/document/events.mts';
import type { FieldTable } from '../../../sandbox/document/field-table.mts';
import * as tables from '../../../sandbox/document/synchronization.mts';
import type { Known, OperationRow } from './row.mts';

type Paths = (known: Known) => string[];

/** A lookup for an account of a tenant. */
function ofAccount(
	operation: string,
	title: string,
	paths: Paths,
	gives: FieldTable | string[],
): OperationRow {
	return {
		resource: 'account',
		operation,
		title: `Account: ${title}`,
		fields: { accountId: 'Account ID *', tenantId: 'Tenant ID *' },
		effect: 'read',
		run: (known) => ({
			values: { accountId: accountOf(operation, known), tenantId: known.tenantId },
			sends: paths({ ...known, accountId: accountOf(operation, known) }).map((path) => [
				`GET /sync/v1/${path}`,
				path.startsWith('tenants/') ? {} : { tenant_id: known.tenantId },
			]),
			gives,
		}),
	};
}

/** A student has no dependents. */
function accountOf(operation: string, { accountId, responsibleAccountId }: Known): string {
	return operation === 'getDependents' ? responsibleAccountId : accountId;
}

const account: Paths = ({ accountId }) => [`accounts/${accountId}`];
const sponsors: Paths = ({ accountId }) => [`accounts/${accountId}/sponsors`];
const dependents: Paths = ({ accountId }) => [`accounts/${accountId}/dependents`];
const schools: Paths = ({ accountId }) => [`schools/${accountId}`];
const classes: Paths = ({ accountId }) => [`accounts/${accountId}/classes`];
const tenant: Paths = ({ tenantId }) => [`tenants/${tenantId}`];
const all: Paths = (known) =>
	[account, sponsors, dependents, schools, classes, tenant].flatMap((paths) => paths(known));

export const synchronization: OperationRow[] = [
	ofAccount('get', 'Get', account, tables.accountUser),
	ofAccount('getSponsors', 'Get Sponsors', sponsors, tables.sponsor),
	ofAccount('getDependents', 'Get Dependents', dependents, tables.dependent),
	ofAccount('getSchools', 'Get Schools', schools, tables.school),
	ofAccount('getClasses', 'Get Classes', classes, tables.classOfUser),
	ofAccount('getSnapshot', 'Get Snapshot', all, [
		'tenant',
		'account',
		'sponsors',
		'dependents',
		'schools',
		'classes',
	]),
	{
		resource: 'tenant',
		operation: 'get',
		title: 'Tenant: Get',
		fields: { tenantId: 'Tenant ID *' },
		effect: 'read',
		run: ({ tenantId }) => ({
			values: { tenantId },
			sends: [[`GET /sync/v1/tenants/${tenantId}`, {}]],
			gives: tables.tenant,
		}),
	},
	{
		resource: 'event',
		operation: 'get',
		title: 'Event: Get',
		fields: { requestId: 'Request ID *' },
		effect: 'read',
		run: ({ requestId }) => ({
			values: { requestId },
			sends: [[`GET /webhook/v1/webhooks/callback/${requestId}`, {}]],
			gives: [...events.storedEvent.fields.map(({ name }) => name), 'event'],
		}),
	},
];
