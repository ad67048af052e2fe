import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import * as calls from '../calls/provisioning';

import { isFound, lookUp } from './lookup';

/** The profiles of the service, for multi-selects. */
export async function getProfiles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const profiles = await lookUp(
		this,
		calls.getProfiles,
		{},
		'Check Base URL in the credential: it has no path.',
	);
	return profiles.map(({ name, type, description }) => ({
		name: String(name ?? type),
		value: String(type),
		...(typeof description === 'string' && { description }),
	}));
}

/** The profiles of the service whose name, type or description holds the filter. */
export async function searchProfiles(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const profiles = await getProfiles.call(this);
	return {
		results: profiles.filter(({ name, value, description }) => isFound(filter, name, value, description)),
	};
}
