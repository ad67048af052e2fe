import type { INodeProperties } from 'n8n-workflow';

import type { PanelFields } from '../framework/operation';

export const accountId: INodeProperties = {
	displayName: 'Account ID',
	name: 'accountId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 6f1c2d3e-0000-4000-8000-0000000000a1',
	description: 'The account of the person, as access events and account creations name it',
};

export const tenantId: INodeProperties = {
	displayName: 'Tenant ID',
	name: 'tenantId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	description: 'The GUID of the economic group that owns the schools',
};

/** What every lookup about an account asks for. */
export const accountFields: PanelFields = { account_id: accountId, tenant_id: tenantId };
