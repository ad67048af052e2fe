import type { INodeProperties } from 'n8n-workflow';

import { pickedOrTyped } from '../../shared/actions/locator';

export const profileName = pickedOrTyped(
	{
		displayName: 'Profile Name',
		name: 'profileName',
		description: 'The profile of the user in the class, for example student or educator',
	},
	'searchProfiles',
	'Select a profile…',
	'e.g. student',
);

export const profiles: INodeProperties = {
	displayName: 'Profile Names or IDs',
	name: 'profiles',
	type: 'multiOptions',
	required: true,
	typeOptions: { loadOptionsMethod: 'getProfiles' },
	default: [],
	description:
		'The profiles of the user. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const otherProfiles: INodeProperties = {
	displayName: 'Other Profile Names or IDs',
	name: 'otherProfiles',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getProfiles' },
	default: [],
	description:
		'The profiles that the user has beside the one it is created with. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
