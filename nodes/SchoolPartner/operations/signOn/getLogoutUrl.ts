import * as z from 'zod/v4-mini';

import { choiceField, secretField, textField } from '../../../shared/actions/properties';
import { failed, success } from '../../../shared/failure';
import { logoutUrl } from '../../browser/logoutUrl';
import { defineOperation } from '../../framework/operation';

import { signOnFailure, withSignOn } from './signOnClient';
import { logoutWish } from './contract';

const logoutFrom = choiceField({
	name: 'logoutFrom',
	choices: {
		client: { name: 'This Application', description: 'The user stays logged in to the platform' },
		full: { name: 'This Application and the Platform' },
	},
	default: 'client',
	description: 'Which sessions end',
});

const idTokenHint = secretField({
	name: 'idTokenHint',
	placeholder: 'e.g. {{ $json.id_token }}',
	description: "The user's current ID token, as Exchange Code returned it",
});

const postLogoutRedirectUri = textField({
	name: 'postLogoutRedirectUri',
	required: true,
	placeholder: 'e.g. https://app.example/bye',
	description: 'The registered address that the user comes back to after the logout',
});

export const getLogoutUrl = defineOperation({
	name: 'getLogoutUrl',
	action: 'Get logout URL',
	description: 'Make the address that ends the session of a user. Send the browser of the user there.',
	effect: 'local',
	givesSecrets: true,
	fields: {
		logout_from: logoutFrom,
		id_token_hint: idTokenHint,
		post_logout_redirect_uri: postLogoutRedirectUri,
	},
	contract: logoutWish,
	output: z.object({ logout_url: z.string() }),
	perform: withSignOn(async (wish, { client }) => {
		const { logout_from: from, id_token_hint: hint, post_logout_redirect_uri: redirect } = wish;
		const made = logoutUrl(client.issuer, from, hint, redirect);
		return made.ok ? success({ logout_url: made.value }) : failed(signOnFailure(made.failure, 'input'));
	}),
});
