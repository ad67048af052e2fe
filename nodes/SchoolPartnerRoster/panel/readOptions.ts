/** The options of Read Files, which Plan Changes has too. */
import type { INodeProperties } from 'n8n-workflow';

export const fileFields: INodeProperties = {
	displayName: 'File Fields',
	name: 'fileFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. data, users',
	displayOptions: { show: { '/source': ['files'] } },
	description:
		'Names of the input fields that hold the files, with commas between them. Empty: all files of all items.',
};

export const userKeys: INodeProperties = {
	displayName: 'User Keys',
	name: 'userKeys',
	type: 'options',
	options: [
		{ name: 'Network', value: 'network', description: 'An external ID is one person in the whole network' },
		{ name: 'School', value: 'school', description: 'A person in two schools is two users' },
	],
	default: 'network',
	description: 'Where the external ID of a user is unique. Never change it after the first night.',
};

export const readOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: ['readFiles'] } },
	options: [fileFields, userKeys],
};
