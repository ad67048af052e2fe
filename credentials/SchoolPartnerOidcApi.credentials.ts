import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { secretField, textField } from '../nodes/shared/actions/properties';

/**
 * The client of a sign-on (the service's document: Authentication, user login to a partner application). The nodes that use it ask
 * the sign-on by themselves, and test it: see nodes/shared/signOn.
 */
export class SchoolPartnerOidcApi implements ICredentialType {
	name = 'schoolPartnerOidcApi';

	displayName = 'School Partner OIDC API';

	icon: Icon = { light: 'file:../icons/school-partner.svg', dark: 'file:../icons/school-partner.dark.svg' };

	documentationUrl = 'https://github.com/school-partner/n8n-nodes-school-partner/blob/main/docs/sign-on.md';

	properties: INodeProperties[] = [
		textField({
			name: 'issuerUrl',
			required: true,
			placeholder: 'e.g. https://login.school-partner.example',
			description: 'The address of the sign-on area. The test environment has an address of its own.',
		}),
		textField({ name: 'clientId', required: true }),
		secretField({ name: 'clientSecret' }),
		textField({
			name: 'scope',
			default: 'openid profile offline_access',
			placeholder: 'e.g. openid profile offline_access platform-account',
			description: "What a login asks for where 'Scope' of the operation is empty, with spaces between them",
		}),
	];
}
