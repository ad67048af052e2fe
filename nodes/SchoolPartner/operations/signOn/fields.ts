/** Parameters that several operations of the sign-on share. */
import { textField } from '../../../shared/actions/properties';

export const redirectUri = textField({
	name: 'redirectUri',
	required: true,
	placeholder: 'e.g. https://app.example/callback',
	description:
		'The registered address that the visitor comes back to, character by character as it is registered',
});

export const scope = textField({
	name: 'scope',
	placeholder: 'e.g. openid profile offline_access platform-account',
	description: 'Scopes with spaces between them',
});

export const nonce = textField({
	name: 'nonce',
	placeholder: 'e.g. n-0S6_WzA2Mj',
	description: 'The nonce that was sent when the sign-on started. The ID token has to have the same.',
});
