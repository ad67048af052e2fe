import type { INodeProperties } from 'n8n-workflow';

export const profileName: INodeProperties = {
	displayName: 'Profile Name',
	name: 'profileName',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The profile of the user in the class, for example student or educator',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a profile…',
			typeOptions: { searchListMethod: 'searchProfiles', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. student' },
	],
};

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
