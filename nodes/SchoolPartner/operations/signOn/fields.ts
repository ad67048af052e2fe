/** Parameters that several operations of the sign-on share. */
import type { INodeProperties } from 'n8n-workflow';

export const redirectUri: INodeProperties = {
	displayName: 'Redirect URI',
	name: 'redirectUri',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://app.example/callback',
	description:
		'The registered address that the visitor comes back to, character by character as it is registered',
};

export const scope: INodeProperties = {
	displayName: 'Scope',
	name: 'scope',
	type: 'string',
	default: '',
	placeholder: 'e.g. openid profile offline_access platform-account',
	description: 'Scopes with spaces between them',
};

export const nonce: INodeProperties = {
	displayName: 'Nonce',
	name: 'nonce',
	type: 'string',
	default: '',
	placeholder: 'e.g. n-0S6_WzA2Mj',
	description: 'The nonce that was sent when the sign-on started. The ID token has to have the same.',
};
