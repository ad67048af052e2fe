import type { Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

import { choiceField, secretField, textField } from '../nodes/shared/actions/properties';
import { belowIssuer, redirectRules, statusRule, testedAddress } from '../nodes/shared/contract/address';

/** Scopes of a user's sign-on (the service's document: GET /connect/authorize). */
const SIGN_ON_SCOPES = 'openid profile offline_access';

/**
 * One user, connected (the service's document: Authentication, user login to a partner application): authorization
 * code flow with PKCE S256 through n8n's Connect button, the secret in the form body. n8n keeps the tokens and
 * renews them with the refresh token.
 */
export class SchoolPartnerOidcOAuth2Api implements ICredentialType {
	name = 'schoolPartnerOidcOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'School Partner OIDC OAuth2 API';

	icon: Icon = { light: 'file:../icons/school-partner.svg', dark: 'file:../icons/school-partner.dark.svg' };

	documentationUrl = 'https://github.com/school-partner/n8n-nodes-school-partner/blob/main/docs/sign-on.md';

	properties: INodeProperties[] = [
		// Trap: n8n's value "authorizationCode" sends no code challenge.
		textField({ name: 'grantType', type: 'hidden', default: 'pkce' }),
		// Stands at the top of n8n's dialog: see the credential of machine access.
		textField({
			displayName:
				"Only for 'Get User Info' of the user who connects here. Three values come from the operator of the service: 'Client ID' and 'Client Secret' here, 'Issuer URL' further down.",
			name: 'serverUrl',
			type: 'notice',
		}),
		textField({
			name: 'issuerUrl',
			required: true,
			placeholder: 'e.g. https://login.school-partner.example',
			description: 'The address of the sign-on area. The test environment has an address of its own.',
		}),
		textField({
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'hidden',
			default: belowIssuer('/connect/authorize'),
		}),
		textField({ name: 'accessTokenUrl', type: 'hidden', default: belowIssuer('/connect/token') }),
		textField({ name: 'clientId', required: true }),
		secretField({ name: 'clientSecret' }),
		choiceField({
			name: 'scope',
			// Trap: n8n leaves a scope of the user's out of Connect when this field is hidden.
			choices: {
				[SIGN_ON_SCOPES]: { name: 'Sign-On', description: `What a login needs: ${SIGN_ON_SCOPES}` },
				[`${SIGN_ON_SCOPES} platform-account`]: {
					name: 'Sign-On and Account API',
					description: 'The above and platform-account: access to the account API',
				},
				[`${SIGN_ON_SCOPES} platform-account-user.read`]: {
					name: 'Sign-On and User Data',
					description: 'The above and platform-account-user.read: read of user data',
				},
				[`${SIGN_ON_SCOPES} platform-account platform-account-user.read`]: {
					name: 'Sign-On, Account API and User Data',
					description: 'All of them',
				},
			},
			default: SIGN_ON_SCOPES,
			description:
				'What Connect asks for. To ask for other scopes, switch to Expression and type them with spaces between them.',
		}),
		textField({ displayName: 'Auth URI Query Parameters', name: 'authQueryParameters', type: 'hidden' }),
		textField({ name: 'authentication', type: 'hidden', default: 'body' }),
		// What n8n adds to the form that redeems a code: the document has the scope there too. Trap: n8n 2.40.7 puts it into no form
		// that renews a token, and n8n 2.4.8 into none at all.
		textField({
			name: 'additionalBodyProperties',
			type: 'hidden',
			default: '={{ JSON.stringify({ scope: $self["scope"] }) }}',
		}),
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: testedAddress('issuerUrl', ['issuerUrl']),
			url: '/connect/userinfo',
			method: 'GET',
			disableFollowRedirect: true,
		},
		// n8n's type allows rules of one kind only; its tester looks at each rule by its own kind.
		rules: [
			...redirectRules('issuerUrl', 'The sign-on'),
			statusRule(401, 'The sign-on does not accept the token. Click Connect and log in again.'),
			statusRule(404, 'There is no sign-on at this address. Check Issuer URL: it ends before /connect.'),
			{
				type: 'responseSuccessBody',
				properties: {
					// A page of a portal or a proxy arrives as text, and every text has a method of this name. The document
					// does not show the fields of the user info, so none of them is demanded.
					key: 'trim.name',
					value: 'trim',
					message: 'Something answers at this address, but not the sign-on. Check Issuer URL.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
