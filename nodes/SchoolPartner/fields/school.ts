import type { INodeProperties } from 'n8n-workflow';

export const schoolExternalId: INodeProperties = {
	displayName: 'School External ID',
	name: 'schoolExternalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. school-001',
	description: 'Your own ID of the school, as the operator of the service registered it',
};
