import type { Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

import { choiceField, secretField, textField } from '../nodes/shared/actions/properties';
import { belowIssuer, redirectRules, statusRule, testedAddress } from '../nodes/shared/contract/address';

/**
 * Machine access (the service's document: Authentication, machine access): client credentials grant, the secret
 * in the form body. n8n fetches, stores and renews the token.
 */
export class SchoolPartnerOAuth2Api implements ICredentialType {
	name = 'schoolPartnerOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'School Partner OAuth2 API';

	icon: Icon = { light: 'file:../icons/school-partner.svg', dark: 'file:../icons/school-partner.dark.svg' };

	documentationUrl =
		'https://github.com/school-partner/n8n-nodes-school-partner/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		textField({ name: 'grantType', type: 'hidden', default: 'clientCredentials' }),
		// n8n shows the fields of its own OAuth2 credential first, and ours where its dialog has to be scrolled. So one of
		// its fields that is not used without dynamic client registration gives its place to what a person has to know.
		textField({
			displayName:
				"Four values come from the operator of the service: 'Client ID' and 'Client Secret' here, 'Base URL' and 'Issuer URL' further down",
			name: 'serverUrl',
			type: 'notice',
		}),
		textField({
			name: 'baseUrl',
			required: true,
			placeholder: 'e.g. https://api.school-partner.example',
			description: 'The address of the service, without a path',
		}),
		textField({
			name: 'issuerUrl',
			required: true,
			placeholder: 'e.g. https://login.school-partner.example',
			description:
				'The address of the sign-on area, which gives the tokens. The test environment has an address of its own.',
		}),
		textField({ name: 'accessTokenUrl', type: 'hidden', default: belowIssuer('/connect/token') }),
		textField({ name: 'clientId', required: true }),
		secretField({ name: 'clientSecret' }),
		textField({
			name: 'scope',
			hint: 'Leave it empty unless the operator of the service asks for a scope',
			description: 'Scopes with spaces between them, for example platform-account platform-account-user.read',
		}),
		choiceField({
			name: 'authorizationScheme',
			choices: {
				bearer: 'Authorization: Bearer followed by the token',
				token: { name: 'Token Only', description: 'Authorization: the token and nothing else' },
			},
			default: 'bearer',
			description:
				'How provisioning and synchronisation carry the token; enrollment and stored events always have Bearer. Keep Bearer unless the operator of the service says otherwise.',
		}),
		textField({ name: 'authentication', type: 'hidden', default: 'body' }),
		// n8n's OAuth2 credential offers this field for every client; the service knows nothing to fill in.
		textField({ name: 'sendAdditionalBodyProperties', type: 'hidden', default: false }),
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: testedAddress('baseUrl', ['issuerUrl', 'baseUrl']),
			url: '/data/v1/profiles',
			method: 'GET',
			disableFollowRedirect: true,
		},
		// n8n's type allows rules of one kind only; its tester looks at each rule by its own kind.
		rules: [
			...redirectRules('baseUrl', 'The service'),
			statusRule(
				401,
				'The service does not accept the token. Check Client ID, Client Secret and Authorization Scheme.',
			),
			statusRule(404, 'There is no such service at this address. Check Base URL: it has no path.'),
			{
				type: 'responseSuccessBody',
				properties: {
					// The lookup of profiles answers with `data`; a page of a portal or a proxy has none.
					key: 'data',
					value: undefined,
					message: 'Something answers at this address, but not the service. Check Base URL.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
